import { sql } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import { auditDone } from '../audit';
import { system } from '../audit/actor';
import type { Store } from '../db/open';
import { openMinutesAhead } from '../vitals/openMinutes';
import { readProgress, writeProgress } from '../vitals/progress';
import type { Clock, ClockStep } from './clock';
import { clockDoubtOf } from './clockDoubt';
import { beginEra } from './era';
import { moveStore } from './moveStore';

/** What was received may lie so far in the future at a start; more is a step of the clock, in milliseconds. */
const aheadMs = 5_000;
/** The anchor may be so far ahead shortly after a step; the clock makes up for it, as before the restart. */
const madeUpForMs = 10_000;
const anchorMs = 15_000;
/** After a longer time without a sample no one can tell whether the server was down or its clock was set forward. */
const unknownAfterMs = 24 * 3_600_000;

/**
 * Moves what runs in the store if the newest received sample lies in the future: the wall clock was set back while the
 * server was down (clinical.md section 0, C1). Resolves with the step, or null, and with the time that the clock has
 * passed at least (0: unknown): when the newest sample arrived, but what came by a clock that was doubted shows
 * nothing. How long the server was down is not known, so everything moves until nothing lies in the future. If the wall
 * clock states no possible date, the process goes on from its newest sample until it is set. Call it before anything is
 * loaded.
 */
export async function moveAtStart({ db }: Store, clock: Clock): Promise<{ step: ClockStep | null; heardAt: EpochMs }> {
  const newest = await newestReceivedAt(db);
  const expected = await readProgress(db, 'clock_expected_at');
  const step = await stepAtStart(db, clock, newest);
  const heardAt = expected === 0 ? newest : expected;
  const doubt = clockDoubtOf(clock.now(), heardAt);
  // Before the first sample comes in by this clock.
  await writeProgress(db, 'clock_expected_at', doubt?.expectedAt ?? 0);
  return { step, heardAt };
}

async function stepAtStart(db: Store['db'], clock: Clock, newest: EpochMs): Promise<ClockStep | null> {
  const now = clock.now();
  const ahead = newest - now;
  if (newest > 0 && now - newest > unknownAfterMs) {
    await writeProgress(db, 'clock_doubted_at', now);
  }
  if (ahead <= aheadMs) {
    return null;
  }
  if (ahead <= madeUpForMs || !clock.isDateKnown()) {
    // Not a step of the wall clock: the anchor alone goes ahead.
    clock.move({ jumpedMs: 0, moveMs: ahead });
    return { jumpedMs: -ahead, moveMs: 0 };
  }
  const moveMs = -Math.ceil(ahead / anchorMs) * anchorMs;
  await db.transaction().execute(async (transaction) => {
    await moveStore(transaction, moveMs, now);
    await beginEra(transaction);
    await writeProgress(transaction, 'clock_doubted_at', now);
    await auditDone(transaction, now, system, 'set_clock', null, { ms: -ahead });
  });
  return { jumpedMs: -ahead, moveMs };
}

/**
 * Resolves with the arrival of the newest sample, 0 if there is none, in epoch milliseconds: stored as latest, waiting
 * to be rolled up, or of an open minute.
 */
async function newestReceivedAt(db: Store['db']): Promise<EpochMs> {
  const from = await readProgress(db, 'closed_until');
  const { rows } = await sql<{ at: EpochMs | null }>`SELECT max(received_at) AS at FROM latest_values
    UNION ALL SELECT max(s.received_at) FROM minutes_to_redo r CROSS JOIN samples s
      WHERE s.minute = r.minute AND s.patient_id = r.patient_id AND s.kind = r.kind
    UNION ALL SELECT max(received_at) FROM samples
      WHERE minute >= ${from} AND minute < ${from + 2 * openMinutesAhead}`.execute(db);
  return Math.max(0, ...rows.map(({ at }) => at ?? 0));
}
