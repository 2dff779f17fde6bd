import { idParam } from '../../lib/api/idParam';
import { line } from '../../lib/line';
import { readArgs } from './readArgs';
import { UsageError } from './UsageError';

/** A device as the command line describes it. Durations are in milliseconds. */
export interface DeviceOptions {
  siteId: number;
  name: string;
  /** Null: the kind of value decides. */
  expectedEveryMs: number | null;
  /** How long its token lasts; null: until it is revoked. */
  lastsMs: number | null;
  /** How long it may send for any patient of the site; null: it may not. */
  anyPatientMs: number | null;
}

const dayMs = 86_400_000;

const text = { type: 'string' } as const;
const options = {
  site: text,
  name: text,
  'expected-every': text,
  days: text,
  'any-patient': text,
  help: { type: 'boolean', short: 'h' },
} as const;

/** Returns the device that the arguments of `device:add` describe, or 'help'. Throws UsageError. */
export function parseDeviceOptions(args: readonly string[]): DeviceOptions | 'help' {
  const texts = readArgs(args, options, { takesWords: false }).values;
  if (texts.help === true) {
    return 'help';
  }
  const site = idParam.safeParse(texts.site);
  const name = line(60).safeParse(texts.name);
  const expectedEveryMs = duration(texts['expected-every'], 1_000, { least: 100, most: 7 * dayMs });
  const lastsMs = duration(texts.days, dayMs, { least: 1_000, most: 3_650 * dayMs });
  const anyPatientMs = duration(texts['any-patient'], dayMs, { least: 1_000, most: 90 * dayMs });
  if (!site.success) {
    throw new UsageError('--site must be the number of a site');
  }
  if (!name.success) {
    throw new UsageError('--name must be one line of at most 60 characters');
  }
  if (expectedEveryMs === undefined) {
    throw new UsageError('--expected-every must be a number of seconds from 0.1 to a week');
  }
  if (lastsMs === undefined) {
    throw new UsageError('--days must be a number above 0 and at most 3650');
  }
  if (anyPatientMs === undefined) {
    throw new UsageError('--any-patient must be a number of days above 0 and at most 90');
  }
  return { siteId: site.data, name: name.data, expectedEveryMs, lastsMs, anyPatientMs };
}

/** Returns a duration in milliseconds, null without the option, undefined if it is no number within the bounds. */
function duration(
  text: string | undefined,
  unitMs: number,
  { least, most }: { least: number; most: number },
): number | null | undefined {
  if (text === undefined) {
    return null;
  }
  const ms = /^\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * unitMs) : NaN;
  return ms >= least && ms <= most ? ms : undefined;
}
