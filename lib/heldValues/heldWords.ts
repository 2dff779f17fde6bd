import { formatClock } from '../time/formatTime';
import type { EpochMs } from '../time/epochMs';
import { changingMs } from './changingMs';
import type { HeldValues, ReleaseResult } from './schema';

/** Says that values of a bed are held, or what became of those that were released. `now`: epoch milliseconds. */
export function heldWords(held: HeldValues, now: EpochMs, timeZone: string): string {
  const clock = (instant: string): string => formatClock(Date.parse(instant), now, timeZone);
  const { bed, change, stay, first, last, release } = held;
  const monitor = `Values from the monitor of bed ${bed}`;
  if (release === null) {
    const isChanging = change === 'begin' && now <= Date.parse(stay.from ?? first) + changingMs;
    return isChanging
      ? `${monitor} are held since ${clock(first)}: the bed has just changed.`
      : `${monitor} ${spanWords(clock(first), clock(last))} are held: the bed had just changed.`;
  }
  const bounds = change === 'begin' ? `from ${clock(release.at)} on` : `until ${clock(release.at)}`;
  return `${monitor} count ${bounds}, released by ${release.by.name}. ${readWords(release.read, clock)}`;
}

function readWords(read: NonNullable<HeldValues['release']>['read'], clock: (instant: string) => string): string {
  switch (read) {
    case 'reading':
      return 'Those that were held are being read.';
    case 'key_missing':
      return 'Those that were held wait: the key of the messages cannot be read. Ask who runs the server.';
    default:
      return [chartWords(read, clock), ...leftOutWords(read)].join(' ');
  }
}

function chartWords({ values, first, last }: ReleaseResult, clock: (instant: string) => string): string {
  return values === 0 || first === null || last === null
    ? 'None of those that were held is in the chart.'
    : `${inThousands(values)} held ${values === 1 ? 'value' : 'values'} ${spanWords(clock(first), clock(last))} ${
        values === 1 ? 'is' : 'are'
      } in the chart.`;
}

/** Within one minute both times are shown alike. */
const spanWords = (from: string, to: string): string => (from === to ? `of ${from}` : `from ${from} to ${to}`);

function leftOutWords({ leftOut, unread }: ReleaseResult): string[] {
  return [
    ...(leftOut === 0 ? [] : [`Left out: ${inThousands(leftOut)}.`]),
    ...(unread === 0 ? [] : [`Messages that could not be read: ${inThousands(unread)}.`]),
  ];
}

const inThousands = (count: number): string => count.toLocaleString('en-GB');
