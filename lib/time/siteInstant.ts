import type { EpochMs } from './epochMs';
import { offsetAt } from './offsetAt';

/** Zones change their offset at a quarter of an hour. */
const quarterMs = 15 * 60_000;
const dayMs = 86_400_000;

/**
 * Returns a function that writes instants as the clocks of a zone show them, with their offset:
 * "2026-05-01T12:00:00.250+02:00". It asks for the offset once a quarter of an hour, because a file has 500,000 times.
 */
export function createSiteInstant(timeZone: string): (at: EpochMs) => string {
  let quarter = Number.NaN;
  let offsetMs = 0;
  let suffix = '';
  const write = createIsoWriter();
  return (at) => {
    const of = Math.floor(at / quarterMs);
    if (of !== quarter) {
      quarter = of;
      offsetMs = offsetAt(at, timeZone);
      suffix = `${offsetMs < 0 ? '-' : '+'}${new Date(Math.abs(offsetMs)).toISOString().slice(11, 16)}`;
    }
    return write(at + offsetMs) + suffix;
  };
}

/** Returns a function that writes instants as `toInstant` does: "2026-05-01T10:00:00.250Z". For many in their order. */
export function createUtcInstant(): (at: EpochMs) => string {
  const write = createIsoWriter();
  return (at) => `${write(at)}Z`;
}

/**
 * Returns a function that writes milliseconds since 1970 as date and time without a zone. It makes a `Date` once a day
 * and not for each instant: Next puts its own in the place of Node's, V8 keeps those until it searches the whole
 * memory, and a file of a year left 100 MB of them.
 */
function createIsoWriter(): (ms: number) => string {
  let day = Number.NaN;
  let date = '';
  return (ms) => {
    const of = Math.floor(ms / dayMs);
    if (of !== day) {
      day = of;
      date = new Date(of * dayMs).toISOString().slice(0, -'00:00:00.000Z'.length);
    }
    const rest = ms - of * dayMs;
    const hour = two(Math.floor(rest / 3_600_000));
    const minute = two(Math.floor(rest / 60_000) % 60);
    const second = two(Math.floor(rest / 1_000) % 60);
    return `${date}${hour}:${minute}:${second}.${String(rest % 1_000).padStart(3, '0')}`;
  };
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));
