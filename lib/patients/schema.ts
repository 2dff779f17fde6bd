import { z } from 'zod';
import { parameters } from '../alerts/parameters';
import { comfortCareResponse, standbyResponse } from '../alerts/pausesSchema';
import { priorities } from '../alerts/priority';
import { unitParam } from '../api/idParam';
import { rowIds } from '../api/rowIds';
import { deviceAlarm } from '../deviceAlarms/schema';
import { line } from '../line';
import { calendarDate, instant } from '../time/schema';
import { news2ExemptFor } from './news2ExemptFor';
import { symptomSummary } from '../symptoms/summarySchema';
import { news2Response } from '../vitals/news2Schema';
import { latestValues } from '../vitals/schema';
import { bedIdForm, patientSorts, patientStates } from './listing';
import { defaultPageSize, maxPageSize } from '../api/pageSize';

export const sexes = ['female', 'male', 'other', 'unknown'] as const;
export const profiles = ['continuous', 'home'] as const;

const location = z.object({ unit: line(60, 'is needed with a bed'), bed: line(30, 'is needed with a unit') });

export const longestMrn = 64;

const identity = {
  // What joins letters in a name is invisible in a number.
  mrn: line(longestMrn).refine((mrn) => !/[\u200C\u200D]/.test(mrn), 'holds an invisible character'),
  /** Empty: the person has one name. */
  givenName: line(100, null),
  familyName: line(100),
  dateOfBirth: calendarDate.refine((day) => day >= '1900', 'lies before 1900'),
};

/** An open alert of a patient, as far as a list marks it. */
const patientAlert = z.object({
  id: z.int(),
  parameter: z.enum(parameters),
  priority: z.enum(priorities),
  /** The side of the limits on which its values are; null: it has no value, or that is not known. */
  side: z.enum(['low', 'high']).nullable(),
  calm: z
    .object({ above: z.number().nullable(), below: z.number().nullable() })
    .optional()
    .describe('A value between these is beyond no limit. Only if the alert is about a value of now.'),
  condition: z.enum(['active', 'ended']),
  acknowledged: z.boolean(),
  /** The initials of the user who accepted it; null: no one has. */
  owner: z.string().nullable(),
  /** When its episode was first raised. */
  raisedAt: instant,
  /** Until when a first reading waits for a second one, which may be in the past; null: it does not wait. */
  confirmBy: instant.nullable(),
});
export type PatientAlert = z.infer<typeof patientAlert>;

/** A patient as every response shows one. `version` goes up with each change and guards against lost updates. */
export const patient = z.object({
  id: z.int(),
  mrn: z.string(),
  givenName: z.string(),
  familyName: z.string(),
  dateOfBirth: calendarDate,
  sex: z.enum(sexes),
  location: z.object({ unit: z.string(), bed: z.string() }).nullable(),
  profile: z.enum(profiles),
  spo2Scale: z.union([z.literal(1), z.literal(2)]),
  /** Why NEWS2 does not apply; null: it does, unless the patient is under 16. */
  news2ExemptFor: z.enum(news2ExemptFor).nullable(),
  /** An invented patient for the trial of a gateway: every screen says so beside the name. */
  isTrial: z.boolean(),
  state: z.enum(patientStates),
  version: z.int(),
  latest: latestValues,
  /** The newest report of symptoms; null: there is none. */
  symptoms: symptomSummary.nullable(),
  /** What devices themselves report as alarms, the newest first. */
  deviceAlarms: z.array(deviceAlarm),
  /** The gateway by which values of the patient come, while it sends nothing, and since when. */
  silentGateway: z.object({ name: z.string(), since: instant }).optional(),
  /** The open alerts, the most urgent first (clinical.md section 0, E8). */
  alerts: z.array(patientAlert),
  /** Until when no new alert is raised for the patient; null: they are not in standby. */
  standby: standbyResponse.pick({ until: true }).nullable(),
  /** Until when HIGH limits may be off, unless it is confirmed again. */
  comfortCare: comfortCareResponse.pick({ until: true }).nullable(),
});
export type Patient = z.infer<typeof patient>;

/** Pairs of patients who are likely one (`likely_duplicate`). */
export const likelyDuplicates = z.object({ items: z.array(z.array(patient)) });

/**
 * One patient with the person and the reason of each pause of alerts, and NEWS2 as it was at that moment; NEWS2 is null
 * for patients to whom it does not apply: under 16, or marked so.
 */
export const patientResponse = patient.extend({
  standby: standbyResponse.nullable(),
  comfortCare: comfortCareResponse.nullable(),
  news2: news2Response.nullable(),
});
export type PatientResponse = z.infer<typeof patientResponse>;

export const newPatient = z.strictObject({
  ...identity,
  sex: z.enum(sexes).default('unknown'),
  location: location.nullable().default(null),
  profile: z.enum(profiles).default('continuous'),
  spo2Scale: z.union([z.literal(1), z.literal(2)]).default(1),
  /** Cannot be changed later, so that no real patient ever has values of a trial. */
  isTrial: z.boolean().default(false),
  /** The ids of likely duplicates that were shown: it is another person than each of them. */
  confirm: z.array(z.int().positive()).max(1_000).optional(),
});
export type NewPatient = z.infer<typeof newPatient>;

export const patientPatch = z.strictObject({
  version: z.int().positive(),
  mrn: identity.mrn.optional(),
  givenName: identity.givenName.optional(),
  familyName: identity.familyName.optional(),
  dateOfBirth: identity.dateOfBirth.optional(),
  sex: z.enum(sexes).optional(),
  location: location.nullable().optional(),
  profile: z.enum(profiles).optional(),
  state: z.enum(patientStates).optional(),
  /** When the move or the discharge was, if it is entered later. */
  since: instant.optional(),
});
export type PatientPatch = z.infer<typeof patientPatch>;

/** Two patients whose beds are swapped, as they were seen. */
export const swapBedsBody = z.strictObject({
  patients: z
    .array(z.strictObject({ id: z.int().positive(), version: z.int().positive() }))
    .length(2, 'does not name two patients')
    .refine(([first, second]) => first?.id !== second?.id, 'names one patient twice'),
  /** When it was, if it is entered later. */
  since: instant.optional(),
});
export type SwapBeds = z.infer<typeof swapBedsBody>;
export const swapBedsResponse = z.object({ items: z.array(patient) });

export const bedParam = z.string().regex(bedIdForm, 'is not the id of a bed');

const listing = {
  state: z.enum(patientStates).default('active'),
  bed: bedParam.optional(),
  /** `-alert`: patients with open alerts first, the most urgent one first, then all others by their place. */
  sort: z.enum(patientSorts).default('familyName'),
  /** The version of the response that the caller has: if nothing is newer, the response is `unchanged`. */
  after: z.string().max(60).optional(),
};

/** A flag in an address. */
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

export const patientsQuery = z.strictObject({
  ...listing,
  unit: unitParam.optional(),
  /** Only the patients whose nurse or buddy the user is in the current shift. */
  mine: flag,
  /** Only the patients who have an open alert, or whose SpO2 does not arrive and who are not in standby. */
  attention: flag,
  /** Only these patients within reach, all on one page: whatever the other filters say. */
  ids: rowIds.optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(maxPageSize).default(defaultPageSize),
});
export type PatientsQuery = z.infer<typeof patientsQuery>;

/** The same as a body, with a text that may contain a name and therefore is never in an address. */
export const patientsSearch = z.strictObject({
  ...listing,
  unit: z.int().positive().optional(),
  mine: z.boolean().default(false),
  attention: z.boolean().default(false),
  text: z.string().max(200),
  page: z.int().min(1).max(1_000_000).default(1),
  pageSize: z.int().min(1).max(maxPageSize).default(defaultPageSize),
});
export type PatientsSearch = z.infer<typeof patientsSearch>;

export const patientsPage = z.object({
  items: z.array(patient),
  total: z.int(),
  version: z.string(),
  /** The units with active patients of the site, and that in the query, for the filter. */
  units: z.array(z.object({ id: z.int(), name: z.string() })),
  /** The beds with active patients of the unit in the query; empty if it names no unit. */
  beds: z.array(z.object({ id: bedParam, name: z.string() })),
});
export type PatientsPage = z.infer<typeof patientsPage>;

export const unchanged = z.object({ unchanged: z.literal(true), version: z.string() });
export const patientsResponse = z.union([patientsPage, unchanged]);
