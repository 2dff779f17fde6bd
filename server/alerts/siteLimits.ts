import type { Kysely } from 'kysely';
import { z } from 'zod';
import { defaultBounds, isByScale, siteRules, type LimitValues } from '../../lib/alerts/limits';
import { limitValues, scale as scaleOf, sides } from '../../lib/alerts/limitsSchema';
import type { NewSiteLimits, SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';
import { instantOrNull } from '../../lib/time/schema';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import { readNames } from '../users/readNames';
import { newestOf } from './holding';
import {
  factsOf,
  presentSet,
  readHistoryRows,
  readNewest,
  requireAllowed,
  setNow,
  sidesOf,
  type LimitsRow,
} from './limits';
import { changedMeanwhile, decide, propose, readProposals, wantedOf, type By } from '../proposals/proposals';

type Rule = NewSiteLimits['rule'];
type Scale = NewSiteLimits['scale'];
type Sides = z.infer<typeof sides>;

/** What a proposal wants, as the store keeps it. `sides`: what would hold with it. */
const wantedLimits = z.object({
  ...{ rule: z.enum(siteRules), scale: scaleOf.nullable() },
  ...{ values: limitValues, reviewAt: z.number().nullable(), sides },
});
const noSides: Sides = { low: null, high: null };

/**
 * Resolves with every rule with limits as it applies to a site's patients at `now` (epoch milliseconds), with what was
 * set before, and with the proposals.
 */
export async function readSiteLimits(
  db: Kysely<Database>,
  user: By['user'],
  now: EpochMs,
): Promise<SiteLimitsResponse> {
  const subject = { siteId: user.siteId, patientId: null };
  const newest = await readNewest(db, subject);
  const past = await readHistoryRows(db, subject);
  const nameOf = await readNames(
    db,
    [...newest, ...past].flatMap(({ approved_by }) => approved_by ?? []),
  );
  const approvedBy = (row: LimitsRow) => (row.approved_by === null ? null : nameOf(row.approved_by));
  const items = siteRules.flatMap((rule) =>
    (isByScale(rule) ? ([1, 2] as const) : ([null] as const)).flatMap((scale) => {
      const row = newestOf(newest, rule, scale ?? 1);
      const set = row === undefined ? null : setNow(row, now);
      const usual = sidesWith(rule, scale, {});
      const holds = sidesWith(rule, scale, set?.values ?? {});
      const site = row === undefined || set === null ? null : { ...set, approvedBy: approvedBy(row) };
      return usual === null || holds === null
        ? []
        : [{ ...factsOf(rule, defaultBounds), scale, default: usual, site, holds, settingId: row?.id ?? null }];
    }),
  );
  const proposals = (await readProposals(db, user, 'limits', now)).map(({ row, shown }) => {
    const wanted = readJson(wantedLimits, row.wanted);
    return {
      ...shown,
      rule: wanted?.rule ?? row.about,
      scale: wanted?.scale ?? null,
      held: readJson(sides, row.held) ?? noSides,
      wanted: wanted?.sides ?? noSides,
      values: wanted?.values ?? {},
      reviewAt: instantOrNull(wanted?.reviewAt ?? null),
    };
  });
  const history = past.map((row) => ({
    rule: row.rule,
    scale: row.scale,
    ...presentSet(row),
    approvedBy: approvedBy(row),
  }));
  return { items, history, proposals };
}

/**
 * Proposes limits of a rule for a site; its patients' own limits override them. Nothing changes until someone else
 * approves. Rejects with 422 if a limit is not allowed, if the scale is missing or superfluous, or if nothing would
 * change; with 409 if other limits hold by now, or if someone else proposed meanwhile.
 */
export async function proposeSiteLimits(
  { db }: Store,
  by: By,
  { rule, scale, values, reviewAt: reviewOn, ...made }: NewSiteLimits,
): Promise<void> {
  requireAllowed({ rule, values, reviewAt: reviewOn }, by.now, settingOf(scale));
  const reviewAt = reviewOn === null ? null : parseInstant(reviewOn);
  const about = scale === null ? rule : `${rule} ${scale}`;
  await propose(db, by, { kind: 'limits', object_id: by.user.siteId, about }, async (transaction) => {
    const row = await requireSame(transaction, by.user, { rule, scale, basedOn: made.basedOn });
    const before = row === undefined ? {} : presentSet(row).values;
    if (isSame(before, values) && reviewAt === (row?.review_at ?? null)) {
      throw new HttpError(422, 'unchanged', 'These are the limits that hold now.');
    }
    const held = sidesWith(rule, scale, before) ?? noSides;
    return {
      held,
      wanted: { rule, scale, values, reviewAt, sides: sidesWith(rule, scale, values) ?? noSides },
      ...made,
    };
  });
}

/** Approves proposed limits: they are set. Rejects as `decide` does, and with 409 if other limits hold by now. */
export const approveSiteLimits = ({ db }: Store, by: By, id: number): Promise<void> =>
  decide(db, by, ['limits', id], { approves: true }, async (transaction, row) => {
    const { rule, scale, values, reviewAt } = wantedOf(wantedLimits, row);
    await requireSame(transaction, by.user, { rule, scale, basedOn: row.based_on });
    await transaction
      .insertInto('alert_limits')
      .values({
        ...{ site_id: by.user.siteId, patient_id: null, rule, scale, limit_values: JSON.stringify(values) },
        ...{ reason: row.reason, review_at: reviewAt, set_at: by.now },
        ...{ set_by: row.proposed_by, approved_by: by.user.id },
      })
      .execute();
  });

/** Resolves with the newest row of a rule; rejects with 409 if it is not the one that a proposal is based on. */
async function requireSame(
  transaction: Kysely<Database>,
  { siteId, site }: By['user'],
  { rule, scale, basedOn }: { rule: Rule; scale: Scale; basedOn: number | null },
): Promise<LimitsRow | undefined> {
  const row = newestOf(await readNewest(transaction, { siteId, patientId: null }), rule, scale ?? 1);
  if ((row?.id ?? null) !== basedOn) {
    const holds = sidesWords(sidesWith(rule, scale, row === undefined ? {} : presentSet(row).values) ?? noSides);
    const since = row === undefined ? '' : `, set ${formatDayAndTime(row.set_at, site.timeZone)}`;
    throw changedMeanwhile(`the limits are ${holds}${since}`);
  }
  return row;
}

const settingOf = (scale: Scale) => ({ scale: scale ?? 1, bounds: defaultBounds, isComfortCare: false });
const sidesWith = (rule: Rule, scale: Scale, values: LimitValues): Sides | null =>
  sidesOf(rule, { ...settingOf(scale), limits: { [rule]: values } });

const isSame = (a: LimitValues, b: LimitValues): boolean => a.low === b.low && a.high === b.high;

function sidesWords({ low, high }: Sides): string {
  const parts = [low === null ? null : `low ${low}`, high === null ? null : `high ${high}`];
  const shown = parts.filter((part) => part !== null).join(', ');
  return shown === '' ? 'off' : shown;
}
