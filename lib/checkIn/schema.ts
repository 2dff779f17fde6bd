import { z } from 'zod';
import { symptomAnswersBy, redFlag, sinceYesterday, breathlessness } from '../symptoms/schema';
import { instant } from '../time/schema';
import { measured } from '../vitals/measured';

/** Whose phone a link is for: the patient's, or that of a person who looks after them. */
export const checkInFor = ['patient', 'proxy'] as const;

/** What a link opens with. Any text is looked for, so that a cut-off link gets the answer of a guess. */
const opened = {
  secret: z.string().min(1).max(200),
  yearOfBirth: z.int().min(1_000).max(9_999),
};

/** By the clock of the phone when it sent the call: how wrong that clock is follows from it. */
const sentAt = instant;
/** Made by the page for each new check-in or request: the same one again, after a lost response, adds nothing. */
const clientId = z.uuid();

const limit = z.object({ is: z.enum(['below', 'atMost', 'atLeast']), value: z.number() });
/** The readings that can be RED. Their hints and limits are those of spot checks at home (clinical.md section 2.5). */
export const redReadings = ['spo2', 'pulseRate', 'respiratoryRate'] as const;
export type RedReading = (typeof redReadings)[number];

export const openCheckInBody = z.strictObject(opened);

/** What a link shows: nothing else of the patient, no name, no number and no value. */
export const openedCheckIn = z.object({
  initials: z.string(),
  siteName: z.string(),
  for: z.enum(checkInFor),
  /** Null: an administrator has removed it since the link was made. */
  emergencyNumber: z.string().nullable(),
  outOfHoursText: z.string().nullable(),
  timeZone: z.string(),
  /** The site's times of day: "08:00". */
  dueTimes: z.array(z.string()),
  /** The check-in that is due now or next. */
  nextDueAt: instant,
  expiresAt: instant,
  scale: z.union([z.literal(1), z.literal(2)]),
  isUnder16: z.boolean(),
  /** A reading beyond one of its limits is RED: the page says at once whom to call (`isBeyondAny`). */
  red: z.object({ spo2: z.array(limit), pulseRate: z.array(limit), respiratoryRate: z.array(limit) }),
  lastReportAt: instant.nullable(),
});
export type OpenedCheckIn = z.infer<typeof openedCheckIn>;

/** The readings that a patient may type in, by kind in the unit of the kind. */
export const checkInReadings = z.strictObject({
  spo2: measured('spo2'),
  pulseRate: measured('pulseRate'),
  temperature: measured('temperature'),
  weight: measured('weight'),
  respiratoryRate: measured('respiratoryRate'),
});
export type CheckInReadings = z.output<typeof checkInReadings>;

/** A check-in as it is sent. It may not be empty: an empty one would look like "nothing is wrong". */
export const newCheckIn = z
  .strictObject({
    ...opened,
    clientId,
    sentAt,
    /** By the clock of the phone; a check-in may have been kept there for up to a day. */
    reportedAt: instant,
    answers: symptomAnswersBy.default({}),
    breathlessness: breathlessness.nullable().default(null),
    redFlags: z.array(redFlag).max(20).default([]),
    sinceYesterday: sinceYesterday.nullable().default(null),
    readings: checkInReadings.default({}),
  })
  .refine(
    ({ answers, breathlessness: breath, redFlags, sinceYesterday: since, readings }) =>
      Object.keys(answers).length + redFlags.length + Object.keys(readings).length > 0 ||
      breath !== null ||
      since !== null,
    { message: 'says nothing', path: ['answers'] },
  );
export type NewCheckIn = z.output<typeof newCheckIn>;

/**
 * How many more wrong years of birth the link takes, if this one was wrong and help was passed on all the same. Null:
 * it is right, or the link is locked and says nothing of it.
 */
const yearTriesLeft = z.int().nullable();

export const sentCheckIn = z.object({
  /** Those that were ticked and those that follow from the answers. */
  redFlags: z.array(redFlag),
  redReadings: z.array(z.enum(redReadings)),
  /** What to do at once if there is either, else null. */
  advice: z.string().nullable(),
  /** Null: only that the patient needs help was passed on, because the link is locked or the year is wrong. */
  nextDueAt: instant.nullable(),
  yearTriesLeft,
});
export type SentCheckIn = z.infer<typeof sentCheckIn>;

export const newCallRequest = z.strictObject({ ...opened, clientId, sentAt });
export type NewCallRequest = z.output<typeof newCallRequest>;

export const callRequested = z.object({ requestedAt: instant, yearTriesLeft });
export type CallRequested = z.infer<typeof callRequested>;
