import { z } from 'zod';
import { patientRoles, unitRoles } from '../assignments/roles';
import { closings, outcomes, ownerQuestions, releases, type Alert, type AlertEvent, type Undo } from './alert';
import { contactAnswers, contacts, type Escalation, type Recipients } from './escalation';
import { defaultEscalationTimes } from './escalationTimes';
import { priorities } from './priority';
import { parameters } from './parameters';
import { timesShape } from './timesShape';

const priority = z.enum(priorities);
/** A user's id; a time in epoch milliseconds. */
const by = z.int();
const at = z.number();

const recipients = z.object({
  roles: z.array(z.enum([...patientRoles, ...unitRoles])),
  userIds: z.array(by),
  wholeUnit: z.boolean(),
  unheld: z.array(z.enum([...patientRoles, ...unitRoles])),
  contact: z.enum(contacts).nullable(),
  nobodyPresent: z.literal(true).optional(),
}) satisfies z.ZodType<Recipients>;

const escalation = z.object({
  startedAt: at,
  priority,
  step: z.int(),
  // Earlier releases did not keep them. With all of them no one is asked later than before.
  followed: z.array(priority).readonly().default(priorities),
  runsSince: at.nullable(),
  leftMs: z.record(z.enum(priorities), z.number().nullable()),
  asked: z.array(z.object({ priority, step: z.int(), at, to: recipients })).readonly(),
  // Earlier releases knew the defaults alone. What cannot be read is replaced by the site's times as they are now.
  times: timesShape.nullable().default(defaultEscalationTimes).catch(null),
  raises: z.array(at).readonly(),
  ownerAskedAt: at.nullable(),
  answerBy: at.nullable(),
  repeats: z.int().default(0),
  answered: z
    .object({ is: z.enum(contactAnswers), by, at, reason: z.string() })
    .nullable()
    .default(null),
  unitId: z.int().nullable().optional(),
  aheadMs: z.number().default(0),
  former: z
    .object({ at, unitId: z.int().nullable(), userIds: z.array(z.int()), wholeUnit: z.boolean() })
    .nullable()
    .default(null),
}) satisfies z.ZodType<Escalation>;

const acknowledged = z.object({ by, at }).nullable();
const responsibility = z
  .discriminatedUnion('is', [
    z.object({ is: z.literal('accepted'), by, at, unitId: z.int().nullable() }),
    z.object({ is: z.literal('rejected'), by, at, reason: z.string() }),
    z.object({ is: z.literal('released'), by, at, because: z.enum(releases) }),
  ])
  .nullable();
const reassigned = z.object({ by, to: by, at }).nullable();
const closed = z.object({ at, because: z.enum(closings) }).nullable();

const undo = z.object({
  is: z.enum(['acknowledged', 'accepted', 'taken']),
  by,
  at,
  before: z.object({
    priority,
    unconfirmedUntil: at.nullable(),
    latched: z.boolean(),
    acknowledged,
    responsibility,
    reassigned,
    remindedAt: at.nullable(),
    // Earlier releases did not take it back.
    reminders: z.int().default(0),
    escalation,
    closed,
  }),
}) satisfies z.ZodType<Undo>;

/** Parses an alert as the store keeps it, JSON. Earlier releases kept no version. */
export const alertFacts = z.object({
  version: z.int().default(1),
  parameter: z.enum(parameters),
  rule: z.string(),
  priority,
  conditionPriority: priority,
  condition: z.enum(['active', 'ended']),
  startedAt: at,
  since: at,
  endedAt: at.nullable(),
  unconfirmedUntil: at.nullable(),
  isWithdrawn: z.boolean().default(false),
  lowest: z.number().nullable(),
  highest: z.number().nullable(),
  episodes: z.int(),
  earlier: z.int(),
  latched: z.boolean(),
  acknowledged,
  responsibility,
  notSeenSince: at.nullable().default(null),
  reassigned: reassigned.default(null),
  audioPaused: z.object({ by, from: at.default(0), until: at }).nullable(),
  outcome: z.object({ is: z.enum(outcomes), by, at, note: z.string() }).nullable(),
  ruleRaisedAt: at,
  lastRaisedAt: at,
  downgradedAt: at.nullable(),
  escalation,
  remindedAt: at.nullable(),
  reminders: z.int(),
  closed,
  undo: undo.nullable().default(null),
}) satisfies z.ZodType<Alert>;

/** Parses a line of an alert's log as the store keeps it, JSON. */
export const alertEvent = z.discriminatedUnion('is', [
  z.object({ is: z.literal('raised'), at, rule: z.string(), priority }),
  z.object({ is: z.literal('raised_again'), at, rule: z.string(), priority, episodes: z.int() }),
  z.object({ is: z.literal('resumed'), at }),
  z.object({ is: z.literal('upgraded'), at, rule: z.string(), from: priority, to: priority }),
  z.object({ is: z.literal('downgraded'), at, rule: z.string(), from: priority, to: priority }),
  z.object({
    ...{ is: z.literal('ended'), at, lowest: z.number().nullable(), highest: z.number().nullable() },
    reason: z.string().optional(),
  }),
  z.object({ is: z.literal('withdrawn'), at }),
  z.object({ is: z.literal('retrospective'), at, rule: z.string(), priority }),
  z.object({ is: z.literal('asked'), at, step: z.int(), to: recipients }),
  z.object({ is: z.literal('owner_asked'), at, user: by, because: z.enum(ownerQuestions) }),
  z.object({ is: z.literal('owner_missing'), at, user: by, since: at }),
  z.object({ is: z.literal('owner_back'), at, user: by }),
  z.object({ is: z.literal('moved'), at }),
  z.object({ is: z.literal('contact_answered'), at, by, answer: z.enum(contactAnswers), reason: z.string() }),
  z.object({ is: z.literal('reminded'), at, reminder: z.int() }),
  z.object({ is: z.literal('acknowledged'), at, by }),
  z.object({ is: z.literal('accepted'), at, by, comment: z.string().optional() }),
  z.object({ is: z.literal('rejected'), at, by, reason: z.string() }),
  z.object({ is: z.literal('acknowledgement_withdrawn'), at, by }),
  z.object({ is: z.literal('acceptance_withdrawn'), at, by }),
  z.object({ is: z.literal('reassigned'), at, by, user: by }),
  z.object({
    is: z.literal('released'),
    at,
    user: by,
    because: z.enum(releases),
    acknowledgement: z.literal(true).optional(),
  }),
  z.object({ is: z.literal('audio_paused'), at, by, until: at }),
  z.object({ is: z.literal('resolved'), at, by, outcome: z.enum(outcomes), note: z.string() }),
  z.object({ is: z.literal('closed'), at, because: z.enum(closings), reason: z.string().optional() }),
]) satisfies z.ZodType<AlertEvent>;
