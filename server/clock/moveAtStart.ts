import { audit } from '../audit';
import { system } from '../audit/actor';
import type { Store } from '../db/open';
import type { Clock, ClockStep } from './clock';
import { moveStore } from './moveStore';

/** What was received may lie so far in the future at a start; more is a step of the clock, in milliseconds. */
const aheadMs = 5_000;
/** The anchor may be so far ahead shortly after a step; the clock makes up for it, as before the restart. */
const madeUpForMs = 10_000;
const anchorMs = 15_000;

/**
 * Moves what runs in the store if the newest received sample lies in the future: the wall clock was set back while the
 * server was down (clinical.md section 0, C1). Resolves with the step, or null. How long the server was down is not
 * known, so everything moves until nothing lies in the future. Call it before anything is loaded.
 */
export async function moveAtStart({ db }: Store, clock: Clock): Promise<ClockStep | null> {
  const now = clock.now();
  const values = await db
    .selectFrom('latest_values')
    .select((select) => select.fn.max('received_at').as('at'))
    .executeTakeFirst();
  const samples = await db
    .selectFrom('samples')
    .select((select) => select.fn.max('received_at').as('at'))
    .where('minute', '>=', db.selectFrom('progress').select('value').where('name', '=', 'closed_until'))
    .executeTakeFirst();
  const newest = Math.max(values?.at ?? 0, samples?.at ?? 0);
  const ahead = newest - now;
  if (ahead <= aheadMs) {
    return null;
  }
  if (ahead <= madeUpForMs) {
    clock.move({ jumpedMs: -ahead, moveMs: ahead });
    return { jumpedMs: -ahead, moveMs: 0 };
  }
  const moveMs = -Math.ceil(ahead / anchorMs) * anchorMs;
  await db.transaction().execute(async (transaction) => {
    await moveStore(transaction, moveMs, now);
    await audit(transaction, now, system, { action: 'set_clock', outcome: 'done', details: { ms: -ahead } });
  });
  return { jumpedMs: -ahead, moveMs };
}
