import { z } from 'zod';
import { line } from '../line';
import { instant } from '../time/schema';
import { vitalKinds } from '../vitals/kinds';
import { redFlags, symptomAnswers, symptoms, type RedFlag, type Symptom } from './symptoms';

export const symptom = z.enum(Object.keys(symptoms) as [Symptom, ...Symptom[]]);
export const redFlag = z.enum(Object.keys(redFlags) as [RedFlag, ...RedFlag[]]);

/** Symptoms by name; a missing one was not asked. */
export const symptomAnswersBy = z.partialRecord(symptom, z.enum(symptomAnswers));
export const sinceYesterday = z.enum(['worse', 'same', 'better']);

/** How breathless a patient is at this moment, from 0 (not at all) to 10 (the worst that they can imagine). */
export const breathlessness = z.int().min(0).max(10);

/** A patient's report at one moment, as it is sent. It may not be empty: an empty one would look like "no symptoms". */
export const newSymptomReport = z
  .strictObject({
    /** When the patient said so; the default is now. */
    reportedAt: instant.optional(),
    answers: symptomAnswersBy.default({}),
    breathlessness: breathlessness.nullable().default(null),
    /**
     * The mMRC scale of lasting breathlessness, asked weekly; it never drives an acute alert (clinical.md section 6).
     */
    mmrc: z.int().min(0).max(4).nullable().default(null),
    redFlags: z.array(redFlag).max(20).default([]),
    sinceYesterday: sinceYesterday.nullable().default(null),
  })
  .refine(
    (report) =>
      Object.keys(report.answers).length + report.redFlags.length > 0 ||
      report.breathlessness !== null ||
      report.mmrc !== null ||
      report.sinceYesterday !== null,
    { message: 'says nothing', path: ['answers'] },
  );
export type NewSymptomReport = z.output<typeof newSymptomReport>;

export const reportSources = ['staff', 'patient', 'proxy'] as const;
const person = z.object({ id: z.int(), name: z.string() });
const inError = z.object({ at: instant, by: person, reason: z.string() });

export const symptomReport = z.object({
  id: z.int(),
  patientId: z.int(),
  reportedAt: instant,
  recordedAt: instant,
  /** Who said it: staff wrote it down, or the patient or a person who looks after them sent it from home. */
  source: z.enum(reportSources),
  /** The user who wrote it down; null: it came by a link. */
  recordedBy: person.nullable(),
  answers: symptomAnswersBy,
  breathlessness: breathlessness.nullable(),
  mmrc: z.int().nullable(),
  /** Those that were ticked and those that follow from the answers. */
  redFlags: z.array(redFlag),
  sinceYesterday: sinceYesterday.nullable(),
  /** What was measured with it and typed in at home, by kind. */
  readings: z.partialRecord(z.enum(vitalKinds), z.number()),
  /** It is not true of this patient at this time: it stays on record, and no rule counts it any more. */
  inError: inError.nullable(),
  /** What to do at once if there is a red flag, else null. */
  advice: z.string().nullable(),
});
export type SymptomReport = z.infer<typeof symptomReport>;

export const symptomReportsQuery = z.strictObject({
  from: instant.optional(),
  to: instant.optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(500).default(25),
});

/** A report whose row is damaged: what it says is unknown, which is not "no symptoms". */
export const unreadableReport = z.object({
  id: z.int(),
  patientId: z.int(),
  /** Null: its time cannot be read either. */
  reportedAt: instant.nullable(),
  recordedAt: instant.nullable(),
  inError: inError.extend({ at: instant.nullable() }).nullable(),
  isUnreadable: z.literal(true),
});
export const listedReport = z.union([symptomReport, unreadableReport]);
export type ListedReport = z.infer<typeof listedReport>;
export type UnreadableReport = z.infer<typeof unreadableReport>;

export const symptomReportsResponse = z.object({ items: z.array(listedReport), total: z.int() });

/** Why a report was entered in error. */
export const symptomsInErrorBody = z.strictObject({ reason: line(500) });
