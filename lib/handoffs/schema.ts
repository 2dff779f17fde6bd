import { z } from 'zod';
import { outcomes } from '../alerts/alertFacts';
import { limitValues } from '../alerts/limitsSchema';
import { priorities } from '../alerts/priority';
import { patientRoles, unitRoles, type AssignmentRole } from '../assignments/roles';
import { unitParam } from '../api/idParam';
import { line } from '../line';
import { noteTypes, type NoteType } from '../notes/noteTypes';
import { profiles, sexes } from '../patients/schema';
import { plainText } from '../plainText';
import { calendarDate, instant } from '../time/schema';
import { vitalKinds } from '../vitals/kinds';
import { longestSummary } from './longestSummary';
import { handoffStates, severities, type Severity } from './severities';

const roles: readonly [AssignmentRole, ...AssignmentRole[]] = [...patientRoles, ...unitRoles];
const severity = z.enum(Object.keys(severities) as [Severity, ...Severity[]]);
const version = z.int().positive();
const rowId = z.int().positive();
/** As many patients as one nurse or a whole small unit hands on at once. */
const maxAtOnce = 50;

const person = z.object({ id: z.int(), name: z.string() });

/** Whom a handoff or an action is for: one user, or who has a role. */
const addressee = z.union([z.strictObject({ userId: rowId }), z.strictObject({ role: z.enum(roles) })]);
export type Addressee = z.infer<typeof addressee>;
const namedAddressee = z.union([z.object({ userId: z.int(), name: z.string() }), z.object({ role: z.enum(roles) })]);
export type NamedAddressee = z.infer<typeof namedAddressee>;

/** If ..., then ... */
const contingency = z.strictObject({ condition: line(300), action: line(300) });
const newAction = z.strictObject({ text: line(300), owner: addressee.nullable(), dueAt: instant.nullable() });

/** The user of the page: another one may have signed in in this browser meanwhile. */
const authorId = rowId;

/** The texts of a handoff. An incomplete one is possible: it is stored while it is typed. */
export const handoffChange = z.strictObject({
  version,
  authorId,
  severity: severity.nullable(),
  summary: z.string().max(longestSummary).regex(plainText, 'holds a control character'),
  contingencies: z.array(contingency).max(20),
  /** Its own actions that are not done; those of handoffs before stay open by themselves. */
  actions: z.array(newAction).max(30),
  receiver: addressee,
  /** The text that was taken over from the handoff before was confirmed. */
  isReviewed: z.boolean(),
});
export type HandoffChange = z.output<typeof handoffChange>;

export const newHandoffs = z.strictObject({
  patientIds: z.array(rowId).min(1).max(maxAtOnce),
  authorId,
});

/** The handoffs of one step, each in the version that its user saw. */
const seen = z
  .array(z.strictObject({ id: rowId, version }))
  .min(1)
  .max(maxAtOnce)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'names a handoff twice');
export const giveBody = z.strictObject({ ids: seen, authorId });
export const receiveBody = z.strictObject({
  ids: seen,
  authorId,
  readBack: z.string().trim().min(1, 'is empty').max(1_000).regex(plainText, 'holds a control character'),
});
export const returnBody = z.strictObject({ version, authorId, question: line(500) });
export const withdrawBody = z.strictObject({ version, authorId });
export const actionDoneBody = z.strictObject({ isDone: z.boolean(), authorId });

const handoffAction = z.object({
  id: z.int(),
  text: z.string(),
  owner: namedAddressee.nullable(),
  dueAt: instant.nullable(),
  doneAt: instant.nullable(),
  doneBy: person.nullable(),
});
export type HandoffAction = z.infer<typeof handoffAction>;

/** What the product knows of a patient, as of `asOf`: in a draft of now, else as it was when it was given. */
export const handoffFacts = z.object({
  asOf: instant,
  patient: z.object({
    mrn: z.string(),
    givenName: z.string(),
    familyName: z.string(),
    /** Handoffs of before there were trial patients do not have it. */
    isTrial: z.boolean().default(false),
    dateOfBirth: calendarDate,
    sex: z.enum(sexes),
    unit: z.string().nullable(),
    bed: z.string().nullable(),
  }),
  /** Null: not recorded. */
  codeStatus: z.string().nullable(),
  allergies: z.string().nullable(),
  spo2: z.object({ scale: z.union([z.literal(1), z.literal(2)]), low: z.number(), high: z.number() }),
  /** The last valid value of each kind, and when it was measured by the server's clock. */
  values: z.array(z.object({ kind: z.enum(vitalKinds), value: z.number(), asOf: instant })),
  /** Of the minutes of the last 12 h. */
  spreads: z.array(
    z.object({
      kind: z.enum(vitalKinds),
      min: z.number(),
      median: z.number(),
      max: z.number(),
      /** How many of the 720 minutes had a value. */
      minutes: z.int(),
    }),
  ),
  /** Since when the alerts are: the start of the shift. Open ones from before are in it too. */
  since: instant,
  alertCount: z.int(),
  /** The newest, open ones first. */
  alerts: z.array(
    z.object({
      id: z.int(),
      priority: z.enum(priorities),
      sentence: z.string(),
      raisedAt: instant,
      /** Null: it is open. */
      closedAt: instant.nullable(),
      owner: z.string().nullable(),
      outcome: z.enum(outcomes).nullable(),
    }),
  ),
  /** Limits of the patient's own. */
  limits: z.array(z.object({ rule: z.string(), values: limitValues, setBy: z.string(), setAt: instant })),
  standbyUntil: instant.nullable(),
  comfortCareUntil: instant.nullable(),
  /** Actions of handoffs before that are not done. */
  tasks: z.array(handoffAction),
  /** Signed notes of others that the writer has not read, newest first. */
  notes: z.array(
    z.object({
      id: z.int(),
      type: z.enum(Object.keys(noteTypes) as [NoteType, ...NoteType[]]),
      author: z.string(),
      eventTime: instant,
    }),
  ),
});
export type HandoffFacts = z.infer<typeof handoffFacts>;

export const handoff = z.object({
  id: z.int(),
  patientId: z.int(),
  version: z.int(),
  state: z.enum(handoffStates),
  severity: severity.nullable(),
  summary: z.string(),
  contingencies: z.array(z.object({ condition: z.string(), action: z.string() })),
  actions: z.array(handoffAction),
  receiver: namedAddressee,
  /** Its text comes from this handoff; null: it was typed. */
  carriedFrom: z.object({ id: z.int(), givenAt: instant.nullable() }).nullable(),
  reviewedAt: instant.nullable(),
  changedBy: person,
  changedAt: instant,
  giver: person.nullable(),
  givenAt: instant.nullable(),
  receivedBy: person.nullable(),
  receivedAt: instant.nullable(),
  readBack: z.string().nullable(),
  /** What the receiver asked when they returned it. */
  question: z.string().nullable(),
  returnedBy: person.nullable(),
  /** Null in lists that do not ask for them. */
  facts: handoffFacts.nullable(),
});
export type Handoff = z.infer<typeof handoff>;

/** Why one of several handoffs was refused. */
const refusal = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
});
/** The result of each: one of the two is null. */
export const startedHandoffs = z.object({
  items: z.array(z.object({ patientId: z.int(), handoff: handoff.nullable(), error: refusal.nullable() })),
});
export const handoffResults = z.object({
  items: z.array(z.object({ id: z.int(), handoff: handoff.nullable(), error: refusal.nullable() })),
});
export type HandoffResult = z.infer<typeof handoffResults>['items'][number];

/** A patient's handoffs, the newest first, and every action of theirs that is not done. */
export const patientHandoffs = z.object({ items: z.array(handoff), openActions: z.array(handoffAction) });
export type PatientHandoffs = z.infer<typeof patientHandoffs>;

/** What a user has to do: their open actions, the first due first, and how many handoffs wait for them. */
export const ownHandoffs = z.object({
  actions: z.array(handoffAction.extend({ patientId: z.int() })),
  waiting: z.int(),
});
export type OwnHandoffs = z.infer<typeof ownHandoffs>;

export const handoffsQuery = z.strictObject({
  unit: unitParam.optional(),
  /** With what was known when each was given, for paper. */
  facts: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
});

/** A ward's patients, unstable first, each with the handoff that is written, the given one and the last received. */
export const handoffsResponse = z.object({
  items: z.array(
    z.object({
      patient: handoffFacts.shape.patient.extend({ id: z.int(), profile: z.enum(profiles) }),
      severity: severity.nullable(),
      writing: handoff.nullable(),
      given: handoff.nullable(),
      received: handoff.nullable(),
      openActions: z.array(handoffAction),
    }),
  ),
  total: z.int(),
  units: z.array(z.object({ id: z.int(), name: z.string() })),
});
export type WardHandoff = z.infer<typeof handoffsResponse>['items'][number];
