import { z } from 'zod';
import { patientRoles, unitRoles } from '../assignments/roles';
import { line } from '../line';
import { plainText } from '../plainText';
import { userTypes } from '../session/userTypes';
import { defaultPageSize, maxPageSize } from '../api/pageSize';
import { rowIds } from '../api/rowIds';
import { patient, unchanged } from '../patients/schema';
import { instant } from '../time/schema';
import { vitalKinds } from '../vitals/kinds';
import { latestValues, qualities } from '../vitals/schema';
import { longestPauseMs } from './actions';
import { closings, contactAnswers, contacts, logLine, outcomes, recipients, releases } from './alertFacts';
import { evidence } from './evidence';
import { priorities } from './priority';
import { parameters } from './parameters';
import { reason } from './reason';

const rowId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'is not a row id')
  .transform(Number);

const maxNoteLength = 1_000;

/** A user's own words, on several lines if they like; it may be empty. */
const note = z
  .string()
  .max(maxNoteLength * 4)
  .transform((text) => text.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .max(maxNoteLength, `is longer than ${maxNoteLength} characters`)
      .regex(plainText, 'holds a control character'),
  );

const person = z.object({ id: z.int(), name: z.string() });
const byAt = z.object({ by: person, at: instant });

/**
 * What an alert was raised by, for people. It does not change when the rules, the limits or the patient's devices
 * change.
 */
export const alertEvidence = z.object({
  ruleVersion: evidence.shape.ruleVersion,
  /**
   * The patient's limits at that time: any of `raise` violates, all of `clear` end. Null if the rule evaluates no
   * value.
   */
  limits: evidence.shape.limits,
  /**
   * The last values before the alert was raised, the newest first. `takenAt` is by our clock, `source` the device's
   * name, or `manual`.
   */
  samples: z.array(
    z.object({
      kind: z.enum(vitalKinds),
      value: z.number(),
      takenAt: instant,
      quality: z.enum(qualities),
      source: z.string(),
    }),
  ),
});

const assignmentRole = z.enum([...patientRoles, ...unitRoles]);

/** The people whom a step asked; `wholeUnit`: everyone on duty in the site, if the patient has no unit. */
const asked = recipients.omit({ userIds: true }).extend({ users: z.array(person) });

/** How far an alert has been escalated within its episode. */
const escalation = z.object({
  /** When the episode was first raised. */
  startedAt: instant,
  /**
   * When the next step is due; null while the clock waits: a user has accepted the alert, or its condition has
   * ended.
   */
  nextAt: instant.nullable(),
  /** Whom the next step asks; null: no step is left. */
  next: z
    .object({ roles: z.array(assignmentRole), wholeUnit: z.boolean(), contact: z.enum(contacts).nullable() })
    .nullable(),
  /** The steps that were asked, each with the last time, the last one at the end. */
  asked: z.array(asked.extend({ step: z.int().min(0), at: instant })),
  /** The roles that no one held when their step was asked. */
  unheldRoles: z.array(assignmentRole),
  /** What somebody said to the last call for help outside. */
  answered: byAt.extend({ is: z.enum(contactAnswers), reason: z.string() }).nullable(),
  /** Until when the user who accepted has to accept again; in the past: the next step is asked meanwhile. */
  answerBy: instant.nullable(),
});
export type EscalationItem = z.infer<typeof escalation>;

/** An alert about one parameter of a patient or of a device, as every response shows one. */
export const alertItem = z.object({
  id: z.int(),
  /**
   * Grows with priority, condition, acknowledgement, owner and outcome, and with each raise or upgrade. Every action
   * carries the one that its user saw.
   */
  version: z.int().min(1),
  /** One of the two is null. */
  patientId: z.int().nullable(),
  deviceId: z.int().nullable(),
  deviceName: z.string().nullable(),
  /** The patient's unit now; null without a unit, and for a device. */
  unitId: z.int().nullable(),
  /** The patient as of now, whatever list the page has loaded; null for a device, and for technicians. */
  patient: z
    .object({
      familyName: z.string(),
      givenName: z.string(),
      isTrial: patient.shape.isTrial,
      mrn: z.string(),
      unit: z.string().nullable(),
      bed: z.string().nullable(),
      profile: patient.shape.profile,
    })
    .nullable(),
  parameter: z.enum(parameters),
  /** The most urgent rule of its episode, which explains its priority. */
  rule: z.string(),
  /**
   * How far it has been escalated (clinical.md section 4): the number of steps of its plan that have been asked. 0:
   * none yet; a LOW alert of the ward stays at 0. `priority` says how urgent it is.
   */
  escalationStep: z.int().min(0),
  escalation,
  /** How often the condition began within this alert. */
  episodes: z.int().min(1),
  priority: z.enum(priorities),
  condition: z.enum(['active', 'ended']),
  /** Stays open until someone acknowledges it, although the condition has ended. */
  latched: z.boolean(),
  /** When the first condition began by the values, and when the last one ended; null while it lasts. */
  startedAt: instant,
  endedAt: instant.nullable(),
  /** When its episode was first raised; for a retrospective alert (`closedBecause`) when its values arrived. */
  raisedAt: instant,
  /** When it was raised or upgraded last. */
  lastRaisedAt: instant,
  acknowledged: byAt.nullable(),
  /** The user who is responsible. `notSeenSince`: they are not there, and others are asked meanwhile. */
  accepted: byAt.extend({ notSeenSince: instant.optional() }).nullable(),
  /** The user whom another one asked to accept it, and who has not; `accepted` keeps it until then. */
  reassigned: byAt.extend({ to: person }).nullable(),
  /** The user who was asked and cannot come; null again when the next step is asked. */
  rejected: byAt.extend({ reason: z.string() }).nullable(),
  /** The user whose acceptance ended without a successor, when they had accepted, and why it ended. */
  released: byAt.extend({ because: z.enum(releases) }).nullable(),
  /** May lie in the past. */
  audioPausedUntil: instant.nullable(),
  /** The oximeters that a person can let count now, the others not; missing: there is nothing to settle. */
  sources: z.array(z.object({ id: z.int(), name: z.string() })).optional(),
  /** When it began to sound again although it was acknowledged. */
  remindedAt: instant.nullable(),
  /** The outcome, and the user who recorded it. */
  outcome: z.enum(outcomes).nullable(),
  resolved: byAt.extend({ note: z.string() }).nullable(),
  closedAt: instant.nullable(),
  closedBecause: z.enum(closings).nullable(),
  notStored: z.literal(true).optional().describe('It is shown, but it or its last change is not stored yet.'),
  /** What the caller can take back (`undoAlertAction`), and until when; null: nothing. */
  undo: z.object({ eventId: z.int(), until: instant }).nullable(),
  /** What it is about in words, at the time of this response; without the patient's name. */
  sentence: z.string(),
  /** The first part of the sentence, in bold on a card. */
  headline: z.string(),
  isRecovering: z.literal(true).optional().describe('The value is back within the limit; it ends if that stays so.'),
  /**
   * The patient's newest values that it is about, as they were when the sentence was made: one row says one number.
   * Empty for a closed alert, and for technicians.
   */
  values: latestValues,
  evidence: alertEvidence,
});
export type AlertItem = z.infer<typeof alertItem>;

/** `open`: every alert that is not closed, latched and unseen ones included. */
export const alertStates = ['open', 'closed'] as const;

export const alertsQuery = z.strictObject({
  state: z.enum(alertStates).default('open'),
  patientId: rowId.optional(),
  /** These alerts, open or closed, as far as the caller may see them; state, patient and page do not count then. */
  ids: rowIds.optional(),
  /** The version that the caller has: if nothing is newer, the response is `unchanged`. */
  after: z.string().max(60).optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(maxPageSize).default(defaultPageSize),
});
export type AlertsQuery = z.infer<typeof alertsQuery>;

export const alertsPage = z.object({ items: z.array(alertItem), total: z.int(), version: z.string() });
export type AlertsPage = z.infer<typeof alertsPage>;
export const alertsResponse = z.union([alertsPage, unchanged]);

/** The version of the alert that the user saw. */
const version = z.int().min(1);

export const versionBody = z.strictObject({ version });

/** Whether help outside was called; the reason is for "not needed". */
export const contactBody = z
  .strictObject({ version, answer: z.enum(contactAnswers), reason: note.default('') })
  .refine(({ answer, reason }) => answer === 'called' || reason !== '', { path: ['reason'], error: 'is empty' });

export const rejectBody = z.strictObject({ version, reason: line(300) });

/** More alerts than one patient can have. */
const maxTaken = 50;

export const takeBody = z.strictObject({
  alerts: z
    .array(z.strictObject({ id: z.int().min(1), version }))
    .min(1)
    .max(maxTaken)
    .refine((alerts) => new Set(alerts.map(({ id }) => id)).size === alerts.length, 'names an alert twice'),
  comment: line(300).optional(),
  /** Also alerts that another user has accepted. */
  takeOver: z.boolean().default(false),
});

export const takeResponse = z.object({ items: z.array(alertItem) });

export const undoBody = z.strictObject({ eventId: z.int().min(1) });

export const reassignBody = z.strictObject({ version, userId: z.int().min(1) });

/** The users on duty who can be asked to accept an alert, with what they do in the patient's unit in this shift. */
export const alertCandidates = z.object({
  items: z.array(person.extend({ type: z.enum(userTypes), roles: z.array(assignmentRole) })),
});

export const pauseAudioBody = z.strictObject({
  version,
  seconds: z
    .int()
    .min(1)
    .max(longestPauseMs / 1_000),
});

export const resolveBody = z.strictObject({ version, outcome: z.enum(outcomes), note: note.default('') });

/** `deviceId` is one of the alert's `sources`; 0: all count again. */
export const settleSourceBody = z.strictObject({ version, deviceId: z.int().min(0), reason });

/** A line of an alert's log; `by` is null for what no user did. */
export const loggedEvent = logLine({ at: instant, by: person, to: asked, itself: { by: z.null() } });
export type LoggedEvent = z.infer<typeof loggedEvent>;

/** The whole log of an alert, the oldest line first. */
export const alertEventsResponse = z.object({ items: z.array(loggedEvent) });

/**
 * Why an action on an alert was refused with 409: the alert as it is now, and the last thing that a user did to it;
 * null: no user did anything.
 */
export const alertConflict = z.object({ alert: alertItem, lastAct: loggedEvent.nullable() });
export type AlertConflict = z.infer<typeof alertConflict>;
