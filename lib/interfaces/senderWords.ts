import { formatOffset } from '../time/formatTime';
import { mostRateMinutes, type ListedSender } from './schema';

/** Says how many messages come: "12 a minute", or "24 in 2 min" of a sender that has just begun. */
export function rateWords(rate: ListedSender['rate']): string {
  if (rate === null) {
    return 'Rate not known yet';
  }
  const { perMinute, minutes } = rate;
  if (minutes < mostRateMinutes) {
    return `${Math.round(perMinute * minutes)} in ${minutes} min`;
  }
  return `${Number(perMinute.toFixed(perMinute < 10 ? 1 : 0))} a minute`;
}

/** Says how long an answer took: "12 ms", or "1.3 s". */
export function tookWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.ceil(ms / 1_000)} s`;
}

/** Says between what the clocks of monitors are: "2 s behind to 3 min ahead". */
export function clockWords(behind: ListedSender['clockBehindMs']): string {
  if (behind === null) {
    return 'Not known yet';
  }
  const { least, most } = behind;
  const [one, other] = [formatOffset(least), formatOffset(most)];
  if (one === other && (one === '0 s' || least < 0 === most < 0)) {
    return one === '0 s' ? 'Right' : `${one} ${sideOf(least)}`;
  }
  if (least < 0 === most < 0 || one === '0 s') {
    return most < 0 ? `${other} to ${one} ahead` : `${one} to ${other} behind`;
  }
  return other === '0 s' ? `${other} to ${one} ahead` : `${other} behind to ${one} ahead`;
}

const sideOf = (behindMs: number): string => (behindMs < 0 ? 'ahead' : 'behind');
