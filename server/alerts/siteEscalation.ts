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
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import type { AlertFaults } from './alertFaults';
import { changedMeanwhile, decide, propose, readProposals, type By } from '../proposals/proposals';

/** Selects the approved times of all sites, the newest first. */
const approvedIn = (db: Kysely<Database>) =>
  db
    .selectFrom('proposals')
    .select(['id', 'site_id', 'wanted', 'decided_at'])
    .where('kind', '=', 'escalation')
    .where('state', '=', 'approved')
    .orderBy('id', 'desc');

/**
 * Resolves with the escalation times of each site that has approved some. What cannot be read, or is out of bounds,
 * does not hold: `faults` counts it, and the times approved before do.
 */
export async function readTimesOfSites(
  db: Kysely<Database>,
  faults: AlertFaults,
): Promise<Map<number, EscalationTimes>> {
  const rows = await approvedIn(db).execute();
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
  user: By['user'],
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
 * change, with 409 if other times hold by now, or if someone else proposed meanwhile.
 */
export const proposeEscalationTimes = (
  { db }: Store,
  by: By,
  { times: wanted, ...made }: NewEscalationTimes,
): Promise<number> =>
  propose(db, by, { kind: 'escalation', object_id: by.user.siteId, about: 'escalation' }, async (transaction) => {
    const held = await requireSame(transaction, by.user, made.basedOn);
    if (JSON.stringify(held) === JSON.stringify(wanted)) {
      throw new HttpError(422, 'unchanged', 'These are the times that hold now.');
    }
    return { held, wanted, ...made };
  });

/** Approves proposed escalation times. Rejects as `decide` does, and with 409 if other times hold by now. */
export const approveEscalationTimes = ({ db }: Store, by: By, id: number): Promise<EscalationTimes> =>
  decide(db, by, ['escalation', id], { approves: true }, (transaction, { based_on }) =>
    requireSame(transaction, by.user, based_on),
  );

/** Resolves with the times that hold. Rejects with 409 if they are not those on which a proposal is based. */
async function requireSame(
  transaction: Kysely<Database>,
  { siteId, site }: By['user'],
  basedOn: number | null,
): Promise<EscalationTimes> {
  const { id, times, since } = await readInForce(transaction, siteId);
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
): Promise<{ id: number | null; times: EscalationTimes; since: EpochMs | null }> {
  const rows = await approvedIn(db).where('site_id', '=', siteId).execute();
  const times = rows.map(({ wanted }) => readJson(escalationTimes, wanted)).find((read) => read !== null);
  return { id: rows[0]?.id ?? null, times: times ?? defaultEscalationTimes, since: rows[0]?.decided_at ?? null };
}
