import type { Kysely } from 'kysely';
import { z } from 'zod';
import { defaultBounds, isByScale, siteRules, type LimitValues } from '../../lib/alerts/limits';
import { limitValues, sides } from '../../lib/alerts/limitsSchema';
import type { NewSiteLimits, SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';
import { toInstant } from '../../lib/time/schema';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import { readNames } from '../users/readNames';
import {
  factsOf,
  newestOf,
  presentSet,
  readHistoryRows,
  readNewest,
  requireAllowed,
  setNow,
  sidesOf,
  type LimitsRow,
} from './limits';
import { changedMeanwhile, decideProposal, insertProposal, readProposals, type Decider } from './proposals';

type Rule = NewSiteLimits['rule'];
type Scale = NewSiteLimits['scale'];
type Sides = z.infer<typeof sides>;

/** What a proposal wants, as the store keeps it. `sides`: what would hold with it. */
const wantedLimits = z.object({ values: limitValues, reviewAt: z.number().nullable(), sides });
const noSides: Sides = { low: null, high: null };

/**
 * Resolves with every rule with limits as it applies to a site's patients at `now` (epoch milliseconds), with what was
 * set before, and with the proposals.
 */
export async function readSiteLimits(db: Kysely<Database>, user: Decider, now: EpochMs): Promise<SiteLimitsResponse> {
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
      rule: row.rule ?? '',
      scale: row.scale,
      held: readJson(sides, row.held) ?? noSides,
      wanted: wanted?.sides ?? noSides,
      values: wanted?.values ?? {},
      reviewAt: wanted === null || wanted.reviewAt === null ? null : toInstant(wanted.reviewAt),
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
 * change; with 409 if other limits hold by now, or if someone else proposed meanwhile. `now` is epoch milliseconds.
 */
export async function proposeSiteLimits(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  user: Decider,
  { rule, scale, values, reviewAt: reviewOn, basedOn, replaces, reason }: NewSiteLimits,
): Promise<void> {
  requireAllowed({ rule, values, reviewAt: reviewOn }, now, {
    scale: scale ?? 1,
    bounds: defaultBounds,
    isComfortCare: false,
  });
  const reviewAt = reviewOn === null ? null : parseInstant(reviewOn);
  await db.transaction().execute(async (transaction) => {
    await hold(transaction, 'sites', user.siteId);
    const row = await requireSame(transaction, user, { rule, scale, basedOn });
    const held = row === undefined ? {} : presentSet(row).values;
    if (isSame(held, values) && reviewAt === (row?.review_at ?? null)) {
      throw new HttpError(422, 'unchanged', 'These are the limits that hold now.');
    }
    await insertProposal(
      transaction,
      now,
      actor,
      user,
      { subject: 'limits', rule, scale },
      {
        held: JSON.stringify(sidesWith(rule, scale, held) ?? noSides),
        wanted: JSON.stringify({ values, reviewAt, sides: sidesWith(rule, scale, values) ?? noSides }),
        based_on: basedOn,
        reason,
        replaces,
      },
    );
  });
}

/**
 * Approves proposed limits: they are set. Rejects as `decideProposal` does, and with 409 if other limits hold by now.
 */
export async function approveSiteLimits(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  user: Decider,
  id: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const row = await decideProposal(transaction, now, actor, user, 'limits', id, { approves: true });
    const rule = siteRules.find((each) => each === row.rule);
    const wanted = readJson(wantedLimits, row.wanted);
    if (rule === undefined || wanted === null) {
      throw new HttpError(409, 'unreadable', 'This proposal cannot be read. Propose it again.');
    }
    await requireSame(transaction, user, { rule, scale: row.scale, basedOn: row.based_on });
    await transaction
      .insertInto('alert_limits')
      .values({
        site_id: user.siteId,
        patient_id: null,
        rule,
        scale: row.scale,
        limit_values: JSON.stringify(wanted.values),
        reason: row.reason,
        review_at: wanted.reviewAt,
        set_at: now,
        set_by: row.proposed_by,
        approved_by: user.id,
      })
      .execute();
  });
}

/** Resolves with the newest row of a rule; rejects with 409 if it is not the one that a proposal is based on. */
async function requireSame(
  transaction: Kysely<Database>,
  { siteId, site }: Decider,
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

const sidesWith = (rule: Rule, scale: Scale, values: LimitValues): Sides | null =>
  sidesOf(rule, { scale: scale ?? 1, bounds: defaultBounds, isComfortCare: false, limits: { [rule]: values } });

const isSame = (a: LimitValues, b: LimitValues): boolean => a.low === b.low && a.high === b.high;

function sidesWords({ low, high }: Sides): string {
  const parts = [low === null ? null : `low ${low}`, high === null ? null : `high ${high}`];
  const shown = parts.filter((part) => part !== null).join(', ');
  return shown === '' ? 'off' : shown;
}
