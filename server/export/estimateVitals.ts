import { setImmediate as turn } from 'node:timers/promises';
import { kinds, vitalKinds } from '../../lib/vitals/kinds';
import { readProgress } from '../vitals/progress';
import type { Exported } from './exportedKind';

const minuteMs = 60_000;
/** Ten days of minutes, which SQLite counts within milliseconds. */
const minutesAtOnce = 14_400;
/** What is not counted by then has no estimate: the first byte may not wait for it. In milliseconds. */
const longestMs = 300;

/**
 * Resolves with about how many rows the vitals of a window have, from the counts of their minutes; null if counting
 * takes too long. The newest minutes, which are not rolled up yet, are missing.
 */
export async function estimateVitals({ server, patient, from, to }: Exported): Promise<number | null> {
  const { store, elapsed } = server;
  const begun = elapsed();
  const thinnedUntil = patient.profile === 'continuous' ? await readProgress(store.db, 'thinned_until') : 0;
  let rows = 0;
  for (const kind of vitalKinds) {
    const { code, continuous } = kinds[kind];
    const minutes = store.db.selectFrom('minutes').where('patient_id', '=', patient.id).where('kind', '=', code);
    const inWindow = minutes
      .select('minute')
      .where('minute', '>=', Math.floor(from / minuteMs))
      .where('minute', '<', Math.ceil(to / minuteMs));
    // Two looks at the key: asked for both at once, SQLite reads every minute in between, 70 ms for a year.
    const first = await inWindow.orderBy('minute').limit(1).executeTakeFirst();
    const last = await inWindow.orderBy('minute', 'desc').limit(1).executeTakeFirst();
    if (first === undefined || last === undefined) {
      continue;
    }
    for (let next = first.minute; next <= last.minute; next += minutesAtOnce) {
      const until = Math.min(next + minutesAtOnce, last.minute + 1);
      const isThinned = continuous && next < thinnedUntil;
      const { counted } = await minutes
        .select((select) =>
          (isThinned
            ? select.fn.countAll<number>()
            : select.fn.sum<number | null>(select('count', '+', select.ref('invalid')))
          ).as('counted'),
        )
        .where('minute', '>=', next)
        .where('minute', '<', until)
        .executeTakeFirstOrThrow();
      rows += Number(counted ?? 0);
      await turn();
      if (elapsed() - begun > longestMs) {
        return null;
      }
    }
  }
  return rows;
}
