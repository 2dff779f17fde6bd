import { z } from 'zod';
import { patientRoles, unitRoles } from '../assignments/roles';
import { defaultEscalationTimes } from './escalationTimes';
import { parameters } from './parameters';
import { priorities } from './priority';
import { timesShape } from './timesShape';

/** The contacts that a unit can arrange outside of Wardlight. */
export const contacts = ['rapid_response', 'emergency_protocol'] as const;

/** Whether help outside was called. */
export const contactAnswers = ['called', 'not_needed'] as const;

/** What came of an alert, as the person who resolves it says (clinical.md section 4). */
export const outcomes = [
  'intervention',
  'no_action_needed',
  'artefact',
  'sensor_fixed',
  'known_accepted',
  'transferred',
] as const;

/** Why an acceptance ended (clinical.md section 0, E6, and 00, A1), or that its holder gave it back. */
export const releases = [
  'rejected',
  'disabled',
  'signed_out',
  'out_of_reach',
  'moved',
  'previous_shift',
  'handed_over',
] as const;

/** Why the user who accepted is asked again (E3, E4, E5). */
export const ownerQuestions = ['upgraded', 'repeated', 'lasting'] as const;

/** Why it asks no one any more. `retrospective`: the condition was over when its values arrived, so it never asked. */
export const closings = ['ended', 'acknowledged', 'resolved', 'administrative', 'retrospective'] as const;

const priority = z.enum(priorities);
/** A user's id; a time in epoch milliseconds. */
const by = z.int();
const at = z.number();

export const recipients = z.object({
  /** The roles of the step. */
  roles: z.array(z.enum([...patientRoles, ...unitRoles])),
  userIds: z.array(by),
  wholeUnit: z.boolean(),
  /** The roles of the step without a holder. If all are, the whole unit is asked, with that reason. */
  unheld: z.array(z.enum([...patientRoles, ...unitRoles])),
  contact: z.enum(contacts).nullable(),
  /** None of them was there when they were asked (clinical.md section 00, A1). */
  nobodyPresent: z.literal(true).optional(),
});

export const escalation = z.object({
  /** When the episode was first raised. */
  startedAt: at,
  /** The priority whose plan the step belongs to. */
  priority,
  /** How many steps of that plan have been asked. */
  step: z.int(),
  // Earlier releases did not keep them. With all of them no one is asked later than before.
  /** The priorities that the episode has had: what was due by the plan of a milder one stays due (E2). */
  followed: z.array(priority).readonly().default(priorities),
  /** Since when the clock runs; null while it waits. */
  runsSince: at.nullable(),
  /**
   * How much time was left at `runsSince` until the next step of each priority's plan, in milliseconds; null if it has
   * none. The time at a priority counts for the milder plans as well: so a patient who gets worse for a moment is
   * never asked for later.
   */
  leftMs: z.record(z.enum(priorities), z.number().nullable()),
  /** What was asked within the episode, each step once, with the last time; the last one asked at the end. */
  asked: z.array(z.object({ priority, step: z.int(), at, to: recipients })).readonly(),
  // Earlier releases knew the defaults alone. What cannot be read is replaced by the site's times as they are now.
  /**
   * The times that the episode follows: of each interval the shortest that held while it lasted. So a site that moves
   * its times delays no step of an open alert. Null: no step has been asked yet.
   */
  times: timesShape.nullable().default(defaultEscalationTimes).catch(null),
  /** The HIGH raises of the last 30 min that have moved no step yet (E4); also those of the alert before. */
  raises: z.array(at).readonly(),
  /** When the user who accepted was last asked again (E3 to E5). */
  ownerAskedAt: at.nullable(),
  /** Until when that user has to accept again; null: no answer is awaited. */
  answerBy: at.nullable(),
  /** The rule that the user who accepted knows of, and when a worse one last asked them (A1). */
  knownRule: z.object({ rule: z.string(), isAsystole: z.boolean(), askedAt: at.optional() }).optional(),
  /** How often it asked again after the last step of its plan. */
  repeats: z.int().default(0),
  /** What somebody said to a call for help outside, which holds that step for a while; null: nothing. */
  answered: z
    .object({ is: z.enum(contactAnswers), by, at, reason: z.string() })
    .nullable()
    .default(null),
  /** The unit whose people are asked; null: the patient has none. Undefined: no one was asked yet. */
  unitId: z.int().nullable().optional(),
  /** How much time had run before a move that the steps after step 1 still have to make up for, in milliseconds. */
  aheadMs: z.number().default(0),
  /** Whom the unit before a move had asked: they are asked until somebody who is there takes their place. */
  former: z
    .object({ at, unitId: z.int().nullable(), userIds: z.array(z.int()), wholeUnit: z.boolean() })
    .nullable()
    .default(null),
});

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

/** The facts that an acknowledgement or an acceptance changes. */
export const undoable = z.object({
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
});

const undo = z.object({
  is: z.enum(['acknowledged', 'accepted', 'taken']),
  by,
  at,
  before: undoable,
});

/**
 * Parses an alert as the store keeps it, JSON. Earlier releases kept no version. `startedAt`, `since` and `endedAt` are
 * times of measuring, all others are times of the server's clock.
 */
export const alertFacts = z.object({
  /**
   * Grows with priority, condition, acknowledgement, owner and outcome, and with each raise or upgrade (`withVersion`):
   * an action that was meant for an earlier version is refused (screens.md section 12).
   */
  version: z.int().default(1),
  parameter: z.enum(parameters),
  rule: z.string(),
  /**
   * The priority that is shown. An alert stays HIGH until someone acknowledges it, even if the condition becomes
   * milder.
   */
  priority,
  /** The priority of the condition as it is now, or as it was last. */
  conditionPriority: priority,
  condition: z.enum(['active', 'ended']),
  startedAt: at,
  /** When the last condition began. */
  since: at,
  endedAt: at.nullable(),
  /**
   * Until when a first reading waits for a second one (`Episode`), or what came late stays silent because the unit has
   * just heard of another; null: neither.
   */
  unconfirmedUntil: at.nullable(),
  /** It ended because late or corrected values showed that the condition never was. */
  isWithdrawn: z.boolean().default(false),
  /** The extremes of the last episode after its end; null if the rule evaluates no value. */
  lowest: z.number().nullable(),
  highest: z.number().nullable(),
  /** The change of its limit that ended it, if it is HIGH and no one has seen it (section 00, A9), and who made it. */
  limitMoved: z.object({ from: z.number(), to: z.number(), by: by.nullable() }).optional(),
  /**
   * How many conditions began within this alert; `earlier` counts those of episodes that ended more than 5 min before.
   */
  episodes: z.int(),
  earlier: z.int(),
  /** Stays open until someone acknowledges it, although the condition has ended. */
  latched: z.boolean(),
  acknowledged,
  responsibility,
  /**
   * Since when the user who accepted it has not been heard of, or has left their screen locked (clinical.md section 00,
   * A1); null: they are there, or no one has accepted it.
   */
  notSeenSince: at.nullable().default(null),
  /** The user who was last asked by another one to accept it, and has not; null: no one. */
  reassigned: reassigned.default(null),
  /** From when on an alert of sources that disagree sounds: once in 30 min (clinical.md section 00, A6). */
  soundsFrom: at.nullable().default(null),
  audioPaused: z.object({ by, from: at.default(0), until: at }).nullable(),
  /** Which of two oximeters counts, with its name, and which one yields (clinical.md section 00, A6). */
  settled: z.object({ by, at, counts: z.int(), yields: z.int(), source: z.string(), until: at }).optional(),
  outcome: z.object({ is: z.enum(outcomes), by, at, note: z.string() }).nullable(),
  /** When `rule` was raised, upgraded or downgraded to. */
  ruleRaisedAt: at,
  /** When it was raised or upgraded last (clinical.md section 0, E8). */
  lastRaisedAt: at,
  /** When it was downgraded last; null: never. */
  downgradedAt: at.nullable(),
  escalation,
  /**
   * Its raises of the 30 min before the last one, of the alert before as well, with what their values were worth
   * (`Signal`), and the artefacts among them (clinical.md section 00, A11).
   */
  bouts: z
    .array(z.object({ at, of: z.int(), poor: z.int(), is: z.enum(['short', 'long', 'artefact']) }))
    .readonly()
    .default([]),
  /** When it began to sound again although it was acknowledged, and how often since this user did. */
  remindedAt: at.nullable(),
  reminders: z.int(),
  closed,
  /** What its user can still take back, as long as nothing else happens to the alert. */
  undo: undo.nullable().default(null),
});

/**
 * Returns the schema of a line of an alert's log, as the store keeps it or as responses show it: its times, users and
 * people, and what a line has beside its time if no user wrote it (`itself`).
 */
export function logLine<
  At extends z.ZodType,
  By extends z.ZodType,
  To extends z.ZodType,
  Itself extends Readonly<Record<string, z.ZodType>>,
>({ at, by, to, itself }: { at: At; by: By; to: To; itself: Itself }) {
  return z.discriminatedUnion('is', [
    z.object({ is: z.literal('raised'), at, ...itself, rule: z.string(), priority }),
    z.object({ is: z.literal('raised_again'), at, ...itself, rule: z.string(), priority, episodes: z.int() }),
    /** Late values show that the condition had not ended. */
    z.object({ is: z.literal('resumed'), at, ...itself }),
    z.object({ is: z.literal('upgraded'), at, ...itself, rule: z.string(), from: priority, to: priority }),
    z.object({ is: z.literal('downgraded'), at, ...itself, rule: z.string(), from: priority, to: priority }),
    /** `reason`: no value has ended it, but that its patient or its rule has gone. */
    z.object({
      ...{ is: z.literal('ended'), at, ...itself, lowest: z.number().nullable(), highest: z.number().nullable() },
      reason: z.string().optional(),
    }),
    /** Late values show that the condition never was. */
    z.object({ is: z.literal('withdrawn'), at, ...itself }),
    /** Values that arrived too late to sound show a condition; a further line: more of it. */
    z.object({ is: z.literal('retrospective'), at, ...itself, rule: z.string(), priority }),
    z.object({ is: z.literal('asked'), at, ...itself, step: z.int(), to }),
    /** The user who accepted is asked to accept again. */
    z.object({ is: z.literal('owner_asked'), at, ...itself, user: by, because: z.enum(ownerQuestions) }),
    /** The user who accepted is not there, or is back: they keep it, and others are asked meanwhile. */
    z.object({ is: z.literal('owner_missing'), at, ...itself, user: by, since: at }),
    z.object({ is: z.literal('owner_back'), at, ...itself, user: by }),
    /** The patient has come to another unit, whose people are asked from now on. */
    z.object({ is: z.literal('moved'), at, ...itself }),
    /** Help outside was called, or is not needed. */
    z.object({ is: z.literal('contact_answered'), at, by, answer: z.enum(contactAnswers), reason: z.string() }),
    z.object({ is: z.literal('reminded'), at, ...itself, reminder: z.int() }),
    z.object({ is: z.literal('acknowledged'), at, by }),
    z.object({ is: z.literal('accepted'), at, by, comment: z.string().optional() }),
    z.object({ is: z.literal('rejected'), at, by, reason: z.string() }),
    /** Its user took it back. */
    z.object({ is: z.literal('acknowledgement_withdrawn'), at, by }),
    z.object({ is: z.literal('acceptance_withdrawn'), at, by }),
    /** `by` asks `user` to accept it. */
    z.object({ is: z.literal('reassigned'), at, by, user: by }),
    /** The acceptance of `user` has ended; `acknowledgement`: they had only acknowledged it. */
    z.object({
      ...{ is: z.literal('released'), at, ...itself, user: by, because: z.enum(releases) },
      acknowledgement: z.literal(true).optional(),
    }),
    z.object({ is: z.literal('audio_paused'), at, by, until: at }),
    /** The device that counts from now on, by its name; null: all count again. */
    z.object({ is: z.literal('settled'), at, by, source: z.string().nullable(), until: at, reason: z.string() }),
    /** All count again, because its time is over or that device is not certain any more. */
    z.object({ is: z.literal('unsettled'), at, ...itself }),
    z.object({ is: z.literal('resolved'), at, by, outcome: z.enum(outcomes), note: z.string() }),
    z.object({ is: z.literal('closed'), at, ...itself, because: z.enum(closings), reason: z.string().optional() }),
  ]);
}

/** Parses a line of an alert's log as the store keeps it, JSON. */
export const alertEvent = logLine({ at, by, to: recipients, itself: {} });
