import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PatientsPage } from '../../lib/patients/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { listPatients } from './queries';
import type { PatientsListQuery } from './listQuery';

/** One page of a site's patients, built once and sent to every user who asks for it. */
interface Snapshot {
  /** The query and its site. */
  queryKey: string;
  /** The version that callers get and send back as `after`. */
  version: string;
  wardVersion: number;
  rosterVersion: number;
  alertVersion: number;
  builtAt: number;
  /** When it becomes outdated even if nothing new arrives. */
  until: EpochMs;
  page: PatientsPage;
  body: Buffer;
  gzip: Buffer;
  /** A string, because Node then writes head and body at once. */
  unchanged: string;
}

/**
 * The least time between two rebuilds of a snapshot for new samples, in milliseconds. Changes by users rebuild it at
 * once: a user who adds a patient looks for them in the next response.
 */
const rebuildMs = 1_000;
/** The same for changed alerts: a list must not say for a second that no one has come. */
const rebuildForAlertsMs = 250;
const mostSnapshots = 200;

/**
 * Returns the version of one response about a site. It includes the query, so that the version of one page or search
 * never matches another, and `until`, when the response becomes outdated even if nothing new arrives.
 */
export function responseVersion(liveState: LiveState, siteId: number, queryKey: string, until: number): string {
  const which = createHash('sha256').update(`${queryKey} ${until}`).digest('base64url').slice(0, 8);
  return `${liveState.boot}.${liveState.version(siteId)}.${which}`;
}

export type Board = (scope: Scope, query: PatientsListQuery) => Snapshot;

/**
 * Creates the polled list, which is serialised and compressed once a change, not once a caller. A response holds
 * nothing about its user, so all users with the same reach share it.
 */
export function createBoard(liveState: LiveState, now: () => EpochMs): Board {
  const snapshots = new Map<string, Snapshot>();

  return (scope, query) => {
    const { siteId } = scope;
    // All users with the same reach share a snapshot, as do two who look after the same patients. Free text comes last,
    // so that it cannot be mistaken for another part.
    const { page: number, pageSize, sort, state, only, attention, ids } = query;
    const place = JSON.stringify([query.unit, query.bed]);
    const reach = scope.unitIds === null ? '' : JSON.stringify(scope.unitIds);
    const filter = ids === undefined ? `${only?.join() ?? 'all'} ${String(attention)}` : `ids ${inOrder(ids).join()}`;
    const key = `${siteId} ${number} ${pageSize} ${sort} ${state} ${filter} ${place} ${reach}`;
    const known = snapshots.get(key);
    const at = now();
    const wardVersion = liveState.version(siteId);
    const rosterVersion = liveState.rosterVersion(siteId);
    const alertVersion = liveState.openAlerts.version(siteId);
    if (
      known !== undefined &&
      at < known.until &&
      (known.wardVersion === wardVersion ||
        (known.rosterVersion === rosterVersion &&
          at >= known.builtAt &&
          at - known.builtAt < (known.alertVersion === alertVersion ? rebuildMs : rebuildForAlertsMs)))
    ) {
      return known;
    }
    const { page: listed, until } = listPatients(liveState, scope, query, at);
    const version = responseVersion(liveState, siteId, key, until);
    const page = { ...listed, version };
    const body = Buffer.from(JSON.stringify(page));
    const snapshot: Snapshot = {
      queryKey: key,
      version,
      wardVersion,
      rosterVersion,
      alertVersion,
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

/** The same patients are the same view, in whatever order a page names them. */
function inOrder(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b);
}
