import type { Bucket } from './buckets';
import type { VitalKind } from './kinds';
import { roundVital } from './roundVital';

/** The kinds that have a spark line in lists. */
export const sparkKinds = ['spo2', 'heartRate', 'pulseRate'] as const satisfies readonly VitalKind[];
export type SparkKind = (typeof sparkKinds)[number];

/** The length of every spark line. */
export const sparkMinutes = 60;

/** What one minute of a spark line shows: the extremes of its values as screens show them. Null: nothing came. */
export type SparkMinute =
  | { readonly low: number; readonly high: number; readonly isDoubtful: boolean }
  | 'no signal'
  | null;

const parts = /^(\d{1,3})(?:-(\d{1,3}))?(\?)?$/;
const minute = String.raw`(?:\d{1,3}(?:-\d{1,3})?\??|x)?`;
/** The text of a whole spark line. */
export const sparkPattern = new RegExp(`^${minute}(?:,${minute}){${sparkMinutes - 1}}$`);

/**
 * Returns a minute of samples as text: "97" or "91-97", "91-97?" if in doubt, "x" for no signal alone, "" for no
 * samples. One text a line instead of a hundred numbers, because a page parses a thousand lines at once. A minute is in
 * doubt if at least half of its samples were questionable, as in the charts, or if an extreme may be a questionable
 * one.
 */
export function formatSparkMinute(
  kind: SparkKind,
  samples: Pick<Bucket, 'min' | 'max' | 'count' | 'questionable' | 'invalid'>,
): string {
  const { min, max, count, questionable, invalid } = samples;
  if (min === null || max === null) {
    return invalid > 0 ? 'x' : '';
  }
  const [low, high] = [roundVital(kind, min), roundVital(kind, max)];
  const isDoubtful = 2 * questionable >= count || (questionable > 0 && low !== high);
  return `${low === high ? low : `${low}-${high}`}${isDoubtful ? '?' : ''}`;
}

/** Returns the minutes of a spark line's text, oldest first. A malformed minute counts as one without samples. */
export function readSpark(text: string): SparkMinute[] {
  return text.split(',').map(readMinute);
}

/** Minutes that were read before: a ward has sixty thousand of them and few that differ. */
const known = new Map<string, SparkMinute>();
const mostKnown = 5_000;

function readMinute(text: string): SparkMinute {
  let minute = known.get(text);
  if (minute === undefined) {
    const [, low, high = low, doubt] = parts.exec(text) ?? [];
    const measured =
      low === undefined ? null : { low: Number(low), high: Number(high), isDoubtful: doubt !== undefined };
    minute = text === 'x' ? 'no signal' : measured;
    if (known.size >= mostKnown) {
      known.clear();
    }
    known.set(text, minute);
  }
  return minute;
}

/** Returns the lowest and the highest value of a spark line, or null if it has no value. */
export function sparkExtremes(minutes: readonly SparkMinute[]): { low: number; high: number } | null {
  const measured = minutes.filter((one) => one !== null && one !== 'no signal');
  return measured.length === 0
    ? null
    : { low: Math.min(...measured.map(({ low }) => low)), high: Math.max(...measured.map(({ high }) => high)) };
}
