import type { Kysely } from 'kysely';
import { defaultEscalationTimes, type EscalationTimes } from '../../lib/alerts/escalationTimes';
import {
  escalationTimes,
  type EscalationSettings,
  type NewEscalationTimes,
} from '../../lib/alerts/escalationTimesSchema';
import { timesShape } from '../../lib/alerts/timesShape';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import { formatDayAndTime } from '../../lib/time/formatTime';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import type { AlertFaults } from './alertFaults';
import { changedMeanwhile, decideProposal, insertProposal, readProposals, type Decider } from './proposals';

const about = { subject: 'escalation', rule: null, scale: null } as const;

/**
 * Resolves with the escalation times of each site that has approved some. What cannot be read, or is out of bounds,
 * does not hold: `faults` counts it, and the times approved before do.
 */
export async function readTimesOfSites(
  db: Kysely<Database>,
  faults: AlertFaults,
): Promise<Map<number, EscalationTimes>> {
  const rows = await db
    .selectFrom('site_proposals')
    .select(['site_id', 'wanted'])
    .where('subject', '=', 'escalation')
    .where('state', '=', 'approved')
    .orderBy('id', 'desc')
    .execute();
  const times = new Map<number, EscalationTimes>();
  for (const { site_id, wanted } of rows) {
    if (!times.has(site_id)) {
      const read = readJson(escalationTimes, wanted);
      if (read === null) {
        faults.unread('escalation', { patientId: null, deviceId: null });
      } else {
        times.set(site_id, read);
      }
    }
  }
  return times;
}

/** Resolves with a site's escalation times and the proposals to change them. */
export async function readEscalationSettings(
  db: Kysely<Database>,
  user: Decider,
  now: EpochMs,
): Promise<EscalationSettings> {
  const holding = await readInForce(db, user.siteId);
  const proposals = await readProposals(db, user, 'escalation', now);
  return {
    default: defaultEscalationTimes,
    now: holding.times,
    settingId: holding.id,
    proposals: proposals.map(({ row, shown }) => ({
      ...shown,
      held: readJson(timesShape, row.held) ?? defaultEscalationTimes,
      wanted: readJson(timesShape, row.wanted) ?? defaultEscalationTimes,
    })),
  };
}

/**
 * Proposes escalation times for a site. Nothing changes until someone else approves. Rejects with 422 if nothing would
 * change, with 409 if other times hold by now, or if someone else proposed meanwhile. `now` is epoch milliseconds.
 */
export async function proposeEscalationTimes(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  user: Decider,
  { times, basedOn, replaces, reason }: NewEscalationTimes,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await hold(transaction, 'sites', user.siteId);
    const holding = await requireSame(transaction, user, basedOn);
    const [held, wanted] = [JSON.stringify(holding), JSON.stringify(times)];
    if (held === wanted) {
      throw new HttpError(422, 'unchanged', 'These are the times that hold now.');
    }
    await insertProposal(transaction, now, actor, user, about, { held, wanted, based_on: basedOn, reason, replaces });
  });
}

/** Approves proposed escalation times. Rejects as `decideProposal` does, and with 409 if other times hold by now. */
export async function approveEscalationTimes(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  user: Decider,
  id: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const row = await decideProposal(transaction, now, actor, user, 'escalation', id, { approves: true });
    await requireSame(transaction, user, row.based_on, id);
  });
}

/**
 * Resolves with the times that hold, apart from those of a proposal that is being approved. Rejects with 409 if they
 * are not those on which a proposal is based.
 */
async function requireSame(
  transaction: Kysely<Database>,
  { siteId, site }: Decider,
  basedOn: number | null,
  exceptId = 0,
): Promise<EscalationTimes> {
  const { id, times, since } = await readInForce(transaction, siteId, exceptId);
  if (id !== basedOn) {
    const words =
      since === null ? 'the default times hold' : `other times hold since ${formatDayAndTime(since, site.timeZone)}`;
    throw changedMeanwhile(words);
  }
  return times;
}

/** Resolves with the times that hold for a site and the approved proposal that set them; null: the default. */
async function readInForce(
  db: Kysely<Database>,
  siteId: number,
  exceptId = 0,
): Promise<{ id: number | null; times: EscalationTimes; since: EpochMs | null }> {
  const rows = await db
    .selectFrom('site_proposals')
    .select(['id', 'wanted', 'decided_at'])
    .where('site_id', '=', siteId)
    .where('subject', '=', 'escalation')
    .where('state', '=', 'approved')
    .where('id', '!=', exceptId)
    .orderBy('id', 'desc')
    .execute();
  const times = rows.map(({ wanted }) => readJson(escalationTimes, wanted)).find((read) => read !== null);
  return { id: rows[0]?.id ?? null, times: times ?? defaultEscalationTimes, since: rows[0]?.decided_at ?? null };
}
