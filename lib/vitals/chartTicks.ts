import type { EpochMs } from '../time/epochMs';
import { formatDate, formatTime, formatTimeWithSeconds, zoneLabel } from '../time/formatTime';
import type { ChartWindow } from './chartGaps';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Readable distances between two ticks; each divides the next day. */
const steps = [
  10 * second,
  15 * second,
  30 * second,
  minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  4 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  3 * day,
  7 * day,
];

/** Divides every longer step. */
const usualGrain = 5 * minute;
/** All zones in use are a multiple of this away from UTC. */
const zoneGrain = 15 * minute;
/** Further than any clock has been changed. */
const largestChange = 3 * hour;

/** The clock on the site's wall as if it were UTC: two instants of a repeated hour have the same. */
function wallClock(at: EpochMs, timeZone: string): number {
  const [day = 0, month = 0, year = 0, hours = 0, minutes = 0] = wallFormatter(timeZone)
    .formatToParts(at)
    .filter(({ type }) => type !== 'literal')
    .map(({ value }) => Number(value));
  return Date.UTC(year, month - 1, day, hours, minutes) + (at % minute);
}

const wallFormatters = new Map<string, Intl.DateTimeFormat>();

function wallFormatter(timeZone: string): Intl.DateTimeFormat {
  const known = wallFormatters.get(timeZone);
  if (known !== undefined) {
    return known;
  }
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  wallFormatters.set(timeZone, made);
  return made;
}

/**
 * Takes a window and how many ticks fit, and returns the instants at which the site's clock shows a round time. In a
 * repeated hour both instants have a tick, of a skipped one there is none.
 */
export function timeTicks({ from, to }: ChartWindow, timeZone: string, mostTicks: number): number[] {
  const step = steps.find((candidate) => (to - from) / candidate <= mostTicks) ?? 7 * day;
  const grain = step % zoneGrain === 0 ? zoneGrain : Math.min(step, usualGrain);
  const ticks: number[] = [];
  let at = Math.ceil(from / grain) * grain;
  while (at <= to) {
    if (wallClock(at, timeZone) % step === 0) {
      ticks.push(at);
      // The next one cannot be nearer than a step less a change of the clocks.
      at += Math.max(grain, step - largestChange);
    } else {
      at += grain;
    }
  }
  return ticks;
}

/**
 * Returns the labels of ticks, "14:05" ("14:05:30" if they are less than a minute apart), with the date below if a new
 * day begins, only the date if no tick is within a day, and with the zone below in a window in which the clocks change:
 * it distinguishes the two 01:30.
 */
export function tickLabels(ticks: readonly number[], timeZone: string): string[] {
  const zones = ticks.map((at) => zoneLabel(at, timeZone));
  const clocksChange = new Set(zones).size > 1;
  const isFine = ticks.some((at) => at % minute !== 0);
  const daily = !isFine && ticks.every((at) => wallClock(at, timeZone) % day === 0);
  return ticks.map((at, index) => {
    const date = formatDate(at, timeZone).slice(0, 6);
    if (daily) {
      return date;
    }
    const before = ticks[index - 1];
    const newDay = before === undefined || formatDate(before, timeZone) !== formatDate(at, timeZone);
    const below = [clocksChange ? zones[index] : '', newDay ? date : ''].filter((text) => text !== '').join(' ');
    const time = isFine ? formatTimeWithSeconds(at, timeZone) : formatTime(at, timeZone);
    return below === '' ? time : `${time}\n${below}`;
  });
}
