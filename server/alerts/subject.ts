import { closeAdministratively, isOpen, takeEpisode, type AlertEvent, type AlertChange } from '../../lib/alerts/alert';
import { nextEpisode, type Active, type Episode } from '../../lib/alerts/episode';
import { escalationPlans, type EscalationStep, type Recipients } from '../../lib/alerts/escalation';
import type { Evidence } from '../../lib/alerts/evidence';
import type { Parameter } from '../../lib/alerts/parameters';
import { escalate } from '../../lib/alerts/escalate';
import { ruleVersion } from '../../lib/alerts/ruleVersion';
import type { AlertRecord, AlertWrites, KeptEvent } from './alertWrites';

/** Whom alerts are about: a patient, or a device that serves several. Immutable. */
export interface Subject {
  siteId: number;
  patientId: number | null;
  deviceId: number | null;
  profile: 'continuous' | 'home';
  /** The last alert of each parameter, open or closed. */
  records: Readonly<Partial<Record<Parameter, AlertRecord>>>;
  /** What the clock tells, by parameter: silence, equipment, symptoms. */
  technical: Readonly<Partial<Record<Parameter, Episode>>>;
  /** The parts of it that the store has: the same objects as long as nothing of them changed. */
  kept: readonly unknown[];
}

/** What telling an alert needs from outside. */
export interface ChangeContext {
  writes: AlertWrites;
  now: number;
  /** Numbers of alerts are given here, because an alert's log is written in the same breath. */
  nextId: () => number;
  recipientsOf: (subject: Subject, step: EscalationStep) => Recipients;
}

/**
 * Takes what happened to the alert of a subject's parameter, keeps it for writing and returns the subject with it.
 * Whoever is to be asked by now is asked at once. `evidence` is called when the alert rests on something new.
 */
export function applyChange<Of extends Subject>(
  subject: Of,
  parameter: Parameter,
  change: AlertChange,
  evidence: () => Evidence,
  context: ChangeContext,
): Of {
  const { siteId, patientId, deviceId, records } = subject;
  const before = records[parameter];
  const isNew = before === undefined || change.events.some(({ is }) => is === 'raised');
  const rests = change.events.some(begins) ? evidence() : null;
  const record: AlertRecord = {
    ...(isNew ? { id: context.nextId(), siteId, patientId, deviceId, raisedAt: context.now } : before),
    alert: change.alert,
    evidence: rests ?? before?.evidence ?? evidence(),
  };
  const asked = escalate(change.alert, planOf(subject, record), context.now);
  const after = asked === null ? record : { ...record, alert: asked.alert };
  context.writes.records.set(after.id, after);
  for (const event of [...change.events, ...(asked?.events ?? [])]) {
    context.writes.events.push({ record: after, event: keptEvent(event, subject, record, rests, context) });
  }
  return { ...subject, records: { ...records, [parameter]: after } };
}

const begins = ({ is }: AlertEvent): boolean => is === 'raised' || is === 'raised_again' || is === 'upgraded';

/**
 * Whoever is asked is named as they are at this moment; a condition that begins, or gets worse, says what it rests on.
 */
function keptEvent(
  event: AlertEvent,
  subject: Subject,
  record: AlertRecord,
  rests: Evidence | null,
  context: ChangeContext,
): KeptEvent {
  if (event.is === 'asked') {
    const step = planOf(subject, record)[event.step];
    return { ...event, to: context.recipientsOf(subject, step ?? { afterMs: 0, roles: [] }) };
  }
  return rests !== null && begins(event) ? { ...event, evidence: rests } : event;
}

/**
 * Takes what the rules say of a parameter's condition now, and tells what follows from it; nothing new is told of a
 * subject on hold.
 */
export function applyEpisode<Of extends Subject>(
  subject: Of,
  parameter: Parameter,
  episode: Episode | null,
  { isHeld, evidence }: { isHeld: boolean; evidence: () => Evidence },
  context: ChangeContext,
): Of {
  const change = takeEpisode(subject.records[parameter]?.alert ?? null, parameter, episode, context.now, { isHeld });
  return change === null ? subject : applyChange(subject, parameter, change, evidence, context);
}

/** What is judged by the clock, or by a score, rests on no single values. */
export const noSamples = (): Evidence => ({ ruleVersion, limits: null, samples: [] });

/**
 * The same for what is judged by the clock, of which no value is the cause: `active` are the rules that are told at
 * this moment.
 */
export function applyActive<Of extends Subject>(
  subject: Of,
  parameter: Parameter,
  active: readonly Active[],
  { isHeld, evidence = noSamples }: { isHeld: boolean; evidence?: () => Evidence },
  context: ChangeContext,
): Of {
  const before = subject.technical[parameter] ?? null;
  const episode = nextEpisode(before, active, context.now, null);
  if (episode === null) {
    return subject;
  }
  const after =
    episode === before ? subject : { ...subject, technical: { ...subject.technical, [parameter]: episode } };
  return applyEpisode(after, parameter, episode, { isHeld, evidence }, context);
}

/** Nobody is asked any more about what `parameters` name: the patient has left, or the device. */
export function closeAll<Of extends Subject>(
  subject: Of,
  parameters: readonly Parameter[],
  reason: string,
  context: ChangeContext,
): Of {
  let after = subject;
  for (const parameter of parameters) {
    const record = after.records[parameter];
    const change = record === undefined ? 'alert_closed' : closeAdministratively(record.alert, reason, context.now);
    if (record !== undefined && typeof change !== 'string') {
      after = applyChange(after, parameter, change, () => record.evidence, context);
    }
  }
  return after;
}

/** What is due for a subject's open alerts at this moment: the next steps, and reminders. */
export function escalateAll<Of extends Subject>(subject: Of, context: ChangeContext): Of {
  let after = subject;
  for (const record of Object.values(subject.records)) {
    const change = isOpen(record.alert) ? escalate(record.alert, planOf(subject, record), context.now) : null;
    if (change !== null) {
      after = applyChange(after, record.alert.parameter, change, () => record.evidence, context);
    }
  }
  return after;
}

function planOf({ profile }: Subject, { alert }: AlertRecord): readonly EscalationStep[] {
  return escalationPlans[profile][alert.priority];
}
