import { z } from 'zod';
import { rowIds } from '../api/rowIds';
import { instant } from '../time/schema';
import { consciousnessLevels, isVitalKind, vitalKinds, type VitalKind } from './kinds';
import { sparkPattern } from './spark';

export const qualities = ['good', 'questionable', 'invalid'] as const;
export type Quality = (typeof qualities)[number];

/** The most samples that one ingest call may carry. */
export const maxSamplesPerCall = 5_000;
/** The most points per kind in one chart response, and the number if the query names none. */
export const maxPoints = 2_000;
export const defaultPoints = 1_000;

/** A value on the wire: a number in the kind's unit, or a letter for consciousness. */
const value = z.union([z.number(), z.enum(consciousnessLevels)]);

/**
 * One sample as a device sends it. Ingest validates each on its own, so that a bad one never rejects the good ones.
 * `takenAt` is an instant; ingest parses it itself, because hundreds of samples of a call share one text.
 */
export const ingestSample = z.object({
  mrn: z.string().min(1).max(64).optional(),
  patientId: z.int().positive().optional(),
  kind: z.enum(vitalKinds),
  value,
  takenAt: z.string().max(40),
  quality: z.enum(qualities).optional(),
  /** Of the patient, as the second identifier: a gateway has to send it. */
  dateOfBirth: z.string().max(40).optional(),
});
export type IngestSample = z.infer<typeof ingestSample>;

/** How full the battery of the sending device is, in percent, and how long it will last, in minutes: either or both. */
export const wireBattery = z.object(
  {
    percent: z
      .number('is not a number from 0 to 100')
      .min(0, 'is not a number from 0 to 100')
      .max(100, 'is not a number from 0 to 100')
      .nullish(),
    minutesLeft: z.number('is not a number from 0 on').min(0, 'is not a number from 0 on').nullish(),
  },
  'is not an object',
);

/**
 * The body of the ingest call. Its battery and its samples are parsed separately (`wireBattery`, `ingestSample`), the
 * samples one by one.
 */
export const ingestBody = z.object({
  sentAt: instant.optional(),
  battery: z
    .unknown()
    .optional()
    .describe(
      '{ percent?: 0 to 100, minutesLeft?: 0 on } of the sending device; a wrong one is left out and costs no sample',
    ),
  isRecording: z.literal(true).optional().catch(undefined).describe('Not measured now: what comes late is no news.'),
  samples: z.array(
    z
      .unknown()
      .describe(
        '{ mrn or patientId, dateOfBirth?, kind, value, takenAt, quality? }; at most 5,000, each evaluated alone',
      ),
  ),
});

export const rejectionCodes = [
  'malformed_sample',
  'unknown_patient',
  'other_site_patient',
  'discharged_patient',
  'not_its_patient',
  'unknown_kind',
  'impossible_value',
  'unparsable_time',
  'time_in_future',
  'identity_conflict',
  'no_identifier',
  'unknown_bed',
  'empty_bed',
  'bed_changing',
  'training',
  'clock_wrong',
  'unknown_unit',
  'unknown_text',
  'wrong_code',
  'too_many_sources',
] as const;
export type RejectionCode = (typeof rejectionCodes)[number];

export const ingestResponse = z.object({
  accepted: z.int(),
  duplicates: z.int(),
  corrections: z.int(),
  rejected: z.array(z.object({ index: z.int(), code: z.enum(rejectionCodes), message: z.string() })),
  batteryFault: z.string().optional().describe('Why the battery was left out, where one was sent that cannot be read'),
});
export type IngestResponse = z.infer<typeof ingestResponse>;

const isUncertain = z.literal(true).optional();
/** A value that was measured, apart from the newest one when that says "no signal". */
const lastValid = z.object({ value: z.number(), takenAt: instant, asOf: instant, isUncertain });

/** The newest sample of one kind. `asOf` is the instant its age counts from; an invalid one has no value to show. */
export const latestValue = z.object({
  value: z.number(),
  unit: z.string(),
  takenAt: instant,
  receivedAt: instant,
  asOf: instant,
  ageUnknown: z.literal(true).optional().describe('The clock of the device is not known, so neither is the age.'),
  quality: z.enum(qualities),
  source: z.string(),
  isAssigned: z.literal(true).optional().describe('It is of the monitor that is assigned to the patient now.'),
  isByBed: z.literal(true).optional().describe('No number of the patient came with it: it is theirs by the bed.'),
  notStored: z.literal(true).optional().describe('It is shown and evaluated, but the server could not store it.'),
  /** Only if the assigned device has no value now: this one is another device's, or was typed in. */
  isSubstitute: z.literal(true).optional(),
  /** Only while another source has a value too: the one that differs most. */
  other: z
    .object({
      value: z.number(),
      asOf: instant,
      isUncertain,
      expectedEveryMs: z.number().positive(),
      source: z.string(),
    })
    .optional(),
  expectedEveryMs: z.number().positive(),
  lastValid: lastValid.nullable(),
});
export type LatestValue = z.infer<typeof latestValue>;

export const latestValues = z.partialRecord(z.enum(vitalKinds), latestValue);
export type LatestValues = z.infer<typeof latestValues>;

export const vitalsQuery = z.strictObject({
  kind: z
    .string()
    .max(200)
    .default('spo2,heartRate')
    .transform((text, context): VitalKind[] => {
      const names = [...new Set(text.split(','))];
      const unknown = names.filter((name) => !isVitalKind(name));
      if (unknown.length > 0) {
        context.addIssue({ code: 'custom', message: `does not know: ${unknown.join(', ').slice(0, 60)}` });
      }
      return names.filter(isVitalKind);
    }),
  from: instant.optional(),
  to: instant.optional(),
  points: z.coerce.number().int().min(2).max(maxPoints).default(defaultPoints),
});

export const rawPoint = z.object({
  takenAt: instant,
  value: z.number(),
  quality: z.enum(qualities),
  isManual: z.literal(true).optional().describe('It was typed in.'),
  isByPatient: z.literal(true).optional().describe('The patient typed it in, at a check-in.'),
  receivedAt: instant.optional().describe('Only if it arrived more than 60 s after it was measured.'),
  sentAs: instant.optional().describe('By the clock of the device, if that is more than 10 s from ours.'),
});
export const bucketPoint = z.object({
  takenAt: instant,
  min: z.number(),
  max: z.number(),
  last: z.number(),
  count: z.int(),
  /** How many of the counted samples were questionable. */
  questionable: z.int(),
});

/**
 * One kind's course in a window: samples as they came (`bucketMs` 0), or the extremes of each bucket. Buckets are
 * first, because nearly every chart asks for more time than raw samples are sent for: zod tries the first on all points
 * before the second, and a wrong first makes a thousand issues.
 */
export const vitalSeries = z.union([
  z.object({
    kind: z.enum(vitalKinds),
    unit: z.string(),
    bucketMs: z.int().positive(),
    points: z.array(bucketPoint),
    /** The buckets that contain samples without a signal, and how many. */
    noSignal: z.array(z.object({ takenAt: instant, count: z.int() })),
  }),
  z.object({ kind: z.enum(vitalKinds), unit: z.string(), bucketMs: z.literal(0), points: z.array(rawPoint) }),
]);
export type VitalSeries = z.infer<typeof vitalSeries>;

export const vitalsResponse = z.object({
  patientId: z.int(),
  from: instant,
  to: instant,
  truncated: z.boolean(),
  series: z.array(vitalSeries),
});
export type VitalsResponse = z.infer<typeof vitalsResponse>;

export const sparksQuery = z.strictObject({ ids: rowIds });

const spark = z
  .string()
  .regex(sparkPattern)
  .optional()
  .describe('60 minutes, oldest first: 97, 91-97, 91-97?, x or nothing');

/** The last hour of one patient; a kind without a minute is omitted. */
export const patientSparks = z.object({ id: z.int(), spo2: spark, heartRate: spark, pulseRate: spark });

/**
 * The last hour of some patients, minute by minute (`formatSparkMinute`). `from` is the start of the first minute of
 * all of them; ids that are no patient of the site are omitted.
 */
export const sparksResponse = z.object({
  from: instant,
  items: z.array(patientSparks),
});
export type SparksResponse = z.infer<typeof sparksResponse>;
