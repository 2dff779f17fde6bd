import { z } from 'zod';
import { idParam } from '../../lib/api/idParam';
import { line } from '../../lib/line';
import { optionOf, readArgs } from './readArgs';

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
const options = { site: text, name: text, 'expected-every': text, days: text, 'any-patient': text } as const;

/** A number of units as whole milliseconds within bounds, null without the option. */
const duration = (unitMs: number, least: number, most: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform((amount) => Math.round(Number(amount) * unitMs))
    .pipe(z.number().min(least).max(most))
    .optional()
    .transform((ms) => ms ?? null);
const expectedEvery = duration(1_000, 100, 7 * dayMs);
const days = duration(dayMs, 1_000, 3_650 * dayMs);
const anyPatient = duration(dayMs, 1_000, 90 * dayMs);

/** Returns the device that the arguments of `device:add` describe. Throws UsageError. */
export function parseDeviceOptions(args: readonly string[]): DeviceOptions {
  const texts = readArgs(args, options, { takesWords: false }).values;
  const every = texts['expected-every'];
  return {
    siteId: optionOf(idParam, texts.site, '--site must be the number of a site'),
    name: optionOf(line(60), texts.name, '--name must be one line of at most 60 characters'),
    expectedEveryMs: optionOf(expectedEvery, every, '--expected-every must be a number of seconds from 0.1 to a week'),
    lastsMs: optionOf(days, texts.days, '--days must be a number above 0 and at most 3650'),
    anyPatientMs: optionOf(
      anyPatient,
      texts['any-patient'],
      '--any-patient must be a number of days above 0 and at most 90',
    ),
  };
}
