import { closeAdministratively, isOpen, takeEpisode, type AlertEvent, type Told } from '../../lib/alerts/alert';
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
export interface Telling {
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
export function tell<Of extends Subject>(
  subject: Of,
  parameter: Parameter,
  told: Told,
  evidence: () => Evidence,
  telling: Telling,
): Of {
  const { siteId, patientId, deviceId, records } = subject;
  const before = records[parameter];
  const isNew = before === undefined || told.events.some(({ is }) => is === 'raised');
  const rests = told.events.some(begins) ? evidence() : null;
  const record: AlertRecord = {
    ...(isNew ? { id: telling.nextId(), siteId, patientId, deviceId, raisedAt: telling.now } : before),
    alert: told.alert,
    evidence: rests ?? before?.evidence ?? evidence(),
  };
  const asked = escalate(told.alert, planOf(subject, record), telling.now);
  const after = asked === null ? record : { ...record, alert: asked.alert };
  telling.writes.records.set(after.id, after);
  for (const event of [...told.events, ...(asked?.events ?? [])]) {
    telling.writes.events.push({ record: after, event: keptEvent(event, subject, record, rests, telling) });
  }
  return { ...subject, records: { ...records, [parameter]: after } };
}

const begins = ({ is }: AlertEvent): boolean => is === 'raised' || is === 'raised_again' || is === 'worsened';

/**
 * Whoever is asked is named as they are at this moment; a condition that begins, or gets worse, says what it rests on.
 */
function keptEvent(
  event: AlertEvent,
  subject: Subject,
  record: AlertRecord,
  rests: Evidence | null,
  telling: Telling,
): KeptEvent {
  if (event.is === 'asked') {
    const step = planOf(subject, record)[event.step];
    return { ...event, to: telling.recipientsOf(subject, step ?? { afterMs: 0, roles: [] }) };
  }
  return rests !== null && begins(event) ? { ...event, evidence: rests } : event;
}

/**
 * Takes what the rules say of a parameter's condition now, and tells what follows from it; nothing new is told of a
 * subject on hold.
 */
export function tellEpisode<Of extends Subject>(
  subject: Of,
  parameter: Parameter,
  episode: Episode | null,
  { isHeld, evidence }: { isHeld: boolean; evidence: () => Evidence },
  telling: Telling,
): Of {
  const told = takeEpisode(subject.records[parameter]?.alert ?? null, parameter, episode, telling.now, { isHeld });
  return told === null ? subject : tell(subject, parameter, told, evidence, telling);
}

/** What is judged by the clock, or by a score, rests on no single values. */
export const noSamples = (): Evidence => ({ ruleVersion, limits: null, samples: [] });

/**
 * The same for what is judged by the clock, of which no value is the cause: `active` are the rules that are told at
 * this moment.
 */
export function tellActive<Of extends Subject>(
  subject: Of,
  parameter: Parameter,
  active: readonly Active[],
  { isHeld, evidence = noSamples }: { isHeld: boolean; evidence?: () => Evidence },
  telling: Telling,
): Of {
  const before = subject.technical[parameter] ?? null;
  const episode = nextEpisode(before, active, telling.now, null);
  if (episode === null) {
    return subject;
  }
  const after =
    episode === before ? subject : { ...subject, technical: { ...subject.technical, [parameter]: episode } };
  return tellEpisode(after, parameter, episode, { isHeld, evidence }, telling);
}

/** Nobody is asked any more about what `parameters` name: the patient has left, or the device. */
export function closeAll<Of extends Subject>(
  subject: Of,
  parameters: readonly Parameter[],
  reason: string,
  telling: Telling,
): Of {
  let after = subject;
  for (const parameter of parameters) {
    const record = after.records[parameter];
    const told = record === undefined ? 'alert_closed' : closeAdministratively(record.alert, reason, telling.now);
    if (record !== undefined && typeof told !== 'string') {
      after = tell(after, parameter, told, () => record.evidence, telling);
    }
  }
  return after;
}

/** What is due for a subject's open alerts at this moment: the next steps, and reminders. */
export function escalateAll<Of extends Subject>(subject: Of, telling: Telling): Of {
  let after = subject;
  for (const record of Object.values(subject.records)) {
    const told = isOpen(record.alert) ? escalate(record.alert, planOf(subject, record), telling.now) : null;
    if (told !== null) {
      after = tell(after, record.alert.parameter, told, () => record.evidence, telling);
    }
  }
  return after;
}

function planOf({ profile }: Subject, { alert }: AlertRecord): readonly EscalationStep[] {
  return escalationPlans[profile][alert.priority];
}
