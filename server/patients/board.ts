import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PatientsPage } from '../../lib/patients/schema';
import type { Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { listPatients } from './queries';
import type { PatientsQuestion } from './question';

/** One page of a site's patients, made once and sent to everybody who asks for it. */
interface Snapshot {
  /** What was asked, about which site. */
  question: string;
  /** The version that is given to callers and comes back as `after`. */
  version: string;
  wardVersion: number;
  rosterVersion: number;
  builtAt: number;
  /** From when on it shows what is no longer to be shown, though nothing new came in; epoch milliseconds. */
  until: number;
  page: PatientsPage;
  body: Buffer;
  gzip: Buffer;
  /** As text: Node then writes head and body at once. */
  unchanged: string;
}

/**
 * At most once in this many milliseconds is a snapshot made anew because of samples. What people change shows at once:
 * who adds a patient looks for it in the very next answer.
 */
const rebuildMs = 1_000;
const mostSnapshots = 200;

/**
 * The version of one answer about a site. It names the question as well, so that what was given for one page or search
 * never passes as known for another, and `until` when it holds if nothing new comes in (epoch milliseconds).
 */
export function answerVersion(liveState: LiveState, siteId: number, question: string, until: number): string {
  const which = createHash('sha256').update(`${question} ${until}`).digest('base64url').slice(0, 8);
  return `${liveState.boot}.${liveState.version(siteId)}.${which}`;
}

export type Board = (scope: Scope, query: PatientsQuestion) => Snapshot;

/**
 * The polled list: serialised and compressed once a change, never once a caller. The answer carries nothing per user,
 * so everybody of a site shares it. `now` gives epoch milliseconds.
 */
export function createBoard(liveState: LiveState, now: () => number): Board {
  const snapshots = new Map<string, Snapshot>();

  return (scope, query) => {
    const { siteId } = scope;
    // Everybody of the same reach shares a snapshot, also two who look after the same patients. Texts stand last: they
    // may hold anything.
    const reach = scope.units === null ? '' : JSON.stringify(scope.units);
    const key = `${siteId} ${query.page} ${query.pageSize} ${query.sort} ${query.state} ${query.only?.join() ?? 'all'} ${JSON.stringify([query.unit, query.bed])} ${reach}`;
    const known = snapshots.get(key);
    const at = now();
    const wardVersion = liveState.version(siteId);
    const rosterVersion = liveState.rosterVersion(siteId);
    const isYoung = known !== undefined && at >= known.builtAt && at - known.builtAt < rebuildMs;
    if (
      known !== undefined &&
      at < known.until &&
      (known.wardVersion === wardVersion || (isYoung && known.rosterVersion === rosterVersion))
    ) {
      return known;
    }
    const { page: listed, until } = listPatients(liveState, scope, query, at);
    const version = answerVersion(liveState, siteId, key, until);
    const page = { ...listed, version };
    const body = Buffer.from(JSON.stringify(page));
    const snapshot: Snapshot = {
      question: key,
      version,
      wardVersion,
      rosterVersion,
      builtAt: at,
      until,
      page,
      body,
      gzip: gzipSync(body, { level: 1 }),
      unchanged: JSON.stringify({ unchanged: true, version }),
    };
    snapshots.delete(key);
    snapshots.set(key, snapshot);
    const [oldest] = snapshots.keys();
    if (snapshots.size > mostSnapshots && oldest !== undefined) {
      snapshots.delete(oldest);
    }
    return snapshot;
  };
}
