import { z } from 'zod';
import { limitValues } from '../alerts/limitsSchema';
import { line } from '../line';
import { news2ExemptFor } from '../patients/news2ExemptFor';
import { instant } from '../time/schema';
import { isPartialDate } from './isPartialDate';

/** The sections that people write. */
export const writtenSections = [
  'codeStatus',
  'allergies',
  'oxygen',
  'conditions',
  'medications',
  'contacts',
  'team',
  'identifiers',
] as const;
export type WrittenSection = (typeof writtenSections)[number];

export const identifierTypes = ['nationalId', 'passport', 'other'] as const;
export const contactRoles = ['patient', 'nextOfKin', 'generalPractitioner', 'other'] as const;
export const teamRoles = ['responsibleClinician', 'teamMember'] as const;
export const codeStatuses = ['full', 'noCpr', 'limited'] as const;
export const allergySeverities = ['mild', 'moderate', 'severe', 'unknown'] as const;
/** What makes a pulse oximeter read wrong (clinical.md section 8): with dark skin it may read too high. */
export const cautions = ['skinTone', 'nailPolish', 'coldHands'] as const;
export const oxygenDevices = [
  'roomAir',
  'nasalCannula',
  'simpleMask',
  'venturiMask',
  'reservoirMask',
  'highFlow',
  'nonInvasive',
  'invasive',
  'other',
] as const;

const partialDate = z.string().max(10).refine(isPartialDate, 'is not a date, a month or a year such as 2019-03');
const isPhone = (text: string): boolean => /^[+\d][\d\s()/.-]{2,}$/.test(text);

/** Returns a number within bounds, in words that a form can show at its field. */
const numberFrom = (min: number, max: number): z.ZodNumber => {
  const fault = `is not a number from ${min} to ${max}`;
  return z.number(fault).min(min, fault).max(max, fault);
};

/** Returns the values of the sections that people write. `text`: one line of so many characters at most. */
const writtenValues = (text: (max: number) => z.ZodType<string, string>) => ({
  /** Beside the MRN, which is the patient's own field. `assigner`: who issued it. */
  identifiers: z.strictObject({
    type: z.enum(identifierTypes),
    value: text(60),
    assigner: text(100).nullable(),
  }),
  /** `relation`: to the patient, "daughter". */
  contacts: z.strictObject({
    role: z.enum(contactRoles),
    name: text(100).nullable(),
    relation: text(60).nullable(),
    phone: text(40).refine(isPhone, 'is not a phone number'),
    note: text(300).nullable(),
  }),
  /** `userId`: a user of the site, whose name is stored then in the place of the one that was sent. */
  team: z.strictObject({
    role: z.enum(teamRoles),
    userId: z.int().positive().nullable(),
    name: text(100),
  }),
  /** `limits`: which treatments are not wanted; needed with `limited`, and never with `full`. */
  codeStatus: z
    .strictObject({ status: z.enum(codeStatuses), limits: text(300).nullable() })
    .refine(({ status, limits }) => status !== 'limited' || limits !== null, {
      path: ['limits'],
      message: 'has to say which treatments are limited',
    })
    .refine(({ status, limits }) => status !== 'full' || limits === null, {
      path: ['limits'],
      message: 'has to be empty with full treatment',
    }),
  /** `none`: asked, and no allergy is known. Without a current entry no one has asked. */
  allergies: z.discriminatedUnion('is', [
    z.strictObject({
      is: z.literal('allergy'),
      substance: text(100),
      reaction: text(200).nullable(),
      severity: z.enum(allergySeverities),
    }),
    z.strictObject({ is: z.literal('none') }),
  ]),
  /** A condition, or a caution about measuring SpO2. `since`: a day, a month or a year. */
  conditions: z.discriminatedUnion('is', [
    z.strictObject({
      is: z.literal('condition'),
      name: text(150),
      since: partialDate.nullable(),
      note: text(300).nullable(),
    }),
    z.strictObject({ is: z.literal('caution'), caution: z.enum(cautions), note: text(300).nullable() }),
  ]),
  /** `none`: asked, and the patient takes nothing. */
  medications: z.discriminatedUnion('is', [
    z.strictObject({
      is: z.literal('medication'),
      name: text(150),
      dose: text(60),
      frequency: text(80),
      note: text(300).nullable(),
    }),
    z.strictObject({ is: z.literal('none') }),
  ]),
  /**
   * What was ordered: flow in L/min, FiO2 in %. The target is that of the section `spo2`. What the patient gets is the
   * measured oxygen flow, by which the score goes.
   */
  oxygen: z
    .strictObject({
      device: z.enum(oxygenDevices),
      flow: numberFrom(0.1, 80).nullable(),
      fiO2: numberFrom(21, 100).nullable(),
      note: text(300).nullable(),
    })
    .refine(({ device, flow }) => device !== 'roomAir' || flow === null, {
      path: ['flow'],
      message: 'has to be empty with room air',
    })
    .refine(({ device, fiO2 }) => device !== 'roomAir' || fiO2 === null, {
      path: ['fiO2'],
      message: 'has to be empty with room air',
    }),
});

/** As people send them. */
export const newValues = writtenValues(line);
/** As they are stored and shown. */
export const storedValues = writtenValues(() => z.string());

/** Scale and target of SpO2 in %. `isConfirmed`: a physician has set them; if not, they are the default. */
export const spo2Value = z.object({
  scale: z.union([z.literal(1), z.literal(2)]),
  low: z.number(),
  high: z.number(),
  isConfirmed: z.boolean(),
});

/** Why NEWS2 does not apply. */
export const news2Value = z.object({ because: z.enum(news2ExemptFor) });

/** A device that the patient wears, or wore until the end of the entry. */
export const deviceValue = z.object({ deviceId: z.int(), name: z.string() });

/** Alert limits of the patient's own. Empty: those of the site hold again. */
export const limitsValue = z.object({
  rule: z.string(),
  scale: z.union([z.literal(1), z.literal(2)]).nullable(),
  values: limitValues,
  reviewAt: instant.nullable(),
});

/** A time without new alerts, or comfort care; `until`: unless it ended before. */
export const standbyValue = z.object({ is: z.enum(['standby', 'comfortCare']), until: instant });

/** A unit by its name of today. */
const place = z.object({ unit: z.string(), bed: z.string().nullable() });
export const stayKinds = ['admitted', 'moved', 'discharged'] as const;
export type StayKind = (typeof stayKinds)[number];
/** `from` and `to` are null if the patient had no unit there, is not here, or the place was not recorded. */
export const stayValue = z.object({ is: z.enum(stayKinds), from: place.nullable(), to: place.nullable() });
