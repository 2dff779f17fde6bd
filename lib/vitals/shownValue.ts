import type { EpochMs } from '../time/epochMs';
import { formatAge, formatDate, formatDayAndTime, formatTime } from '../time/formatTime';
import { parseInstant } from '../time/parseInstant';
import { otherDeviceNumber } from './disagreement';
import { doubtWords } from './doubtWords';
import { freshnessOf, isAgeKnown, type Freshness } from './freshness';
import type { VitalKind } from './kinds';
import { formatVital } from './roundVital';
import type { LatestValue } from './schema';

/** A value as a screen may show it, in texts: no number looks newer or more certain than it is. */
export interface ShownValue {
  state: Freshness | 'no-signal' | 'none';
  /** `--` if the value is withdrawn. */
  number: string;
  isQuestionable: boolean;
  /** The age, or the last value with its time in the place of a withdrawn one: "last 77, 10:40". */
  note: string;
}

/** What of a value a screen shows. The wall does not know the names of sources. */
type ShowableValue = Pick<
  LatestValue,
  'value' | 'asOf' | 'ageUnknown' | 'quality' | 'notStored' | 'isSubstitute' | 'expectedEveryMs'
> & {
  source?: string;
  other?: Omit<NonNullable<LatestValue['other']>, 'source'> | undefined;
  lastValid: Pick<NonNullable<LatestValue['lastValid']>, 'value' | 'asOf'> | null;
};

interface ShownContext {
  now: EpochMs;
  /** Since when the server has not responded, epoch milliseconds; null while it responds. */
  serverLost: EpochMs | null;
  timeZone: string;
  /** Where a note is cut, as in a tile of the wall: it is short, and its age is in what is left of it. */
  isNarrow?: boolean;
}

/**
 * Returns the newest value of a kind as a small chip shows it, by the rules of `VitalValue`.
 */
export function shownValue(kind: VitalKind, latest: ShowableValue | undefined, context: ShownContext): ShownValue {
  const { now, serverLost, isNarrow = false } = context;
  const asOf = latest === undefined ? null : parseInstant(latest.asOf);
  if (latest === undefined || asOf === null) {
    return { state: 'none', number: '--', isQuestionable: false, note: 'no value yet' };
  }
  const freshness = freshnessOf(now - asOf, latest.expectedEveryMs);
  if (freshness === 'off' || latest.quality === 'invalid') {
    return {
      state: freshness === 'off' ? 'off' : 'no-signal',
      number: '--',
      isQuestionable: false,
      note: withdrawnNote(kind, latest, freshness, context),
    };
  }
  const isQuestionable = latest.quality === 'questionable';
  const doubt = doubtWords(latest, freshness, serverLost)
    .slice(0, 1)
    .map((word) => `${word}, `)
    .join('');
  const age = latest.ageUnknown === true ? 'age unknown' : formatAge(now - asOf);
  const source = latest.isSubstitute === true ? (latest.source ?? 'other source') : null;
  const note =
    source === null ? `${doubt}${age}` : isNarrow ? `${age}, ${doubt}${source}` : `${doubt}${source}, ${age}`;
  const other = otherDeviceNumber(kind, latest, now);
  return {
    state: freshness,
    number: formatVital(kind, latest.value),
    isQuestionable,
    // Where a note is cut, what disagrees is what must be left of it.
    note: other === null ? note : isNarrow ? `other ${other}, ${doubt}${age}` : `${note}, other source ${other}`,
  };
}

function withdrawnNote(
  kind: VitalKind,
  latest: ShowableValue,
  freshness: Freshness,
  { now, timeZone, isNarrow = false }: ShownContext,
): string {
  const last = latest.quality === 'invalid' ? latest.lastValid : latest;
  const lastAsOf = last === null ? null : parseInstant(last.asOf);
  const asOf = parseInstant(latest.asOf);
  if (asOf !== null && !isAgeKnown(now - asOf)) {
    return last === null || isNarrow ? 'time unknown' : `time unknown, last ${formatVital(kind, last.value)}`;
  }
  if (last === null || lastAsOf === null) {
    return freshness === 'off' ? 'no data' : 'no signal';
  }
  const isToday = formatDate(lastAsOf, timeZone) === formatDate(now, timeZone);
  if (!isToday && isNarrow) {
    return `last ${formatVital(kind, last.value)}, ${formatAge(now - lastAsOf)}`;
  }
  const at = isToday ? formatTime(lastAsOf, timeZone) : formatDayAndTime(lastAsOf, timeZone);
  return `last ${formatVital(kind, last.value)}, ${at}`;
}
