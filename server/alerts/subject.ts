import { closeAdministratively } from '../../lib/alerts/actions';
import { isOpen, type AlertEvent, type AlertChange } from '../../lib/alerts/alert';
import { takeEpisode } from '../../lib/alerts/takeEpisode';
import { nextEpisode, type Active, type Episode } from '../../lib/alerts/episode';
import type { EscalationStep, Recipients } from '../../lib/alerts/escalation';
import type { Evidence } from '../../lib/alerts/evidence';
import type { Parameter } from '../../lib/alerts/parameters';
import { escalate } from '../../lib/alerts/escalate';
import { plansOf } from '../../lib/alerts/plansOf';
import { ruleVersion } from '../../lib/alerts/ruleVersion';
import type { EpochMs } from '../../lib/time/epochMs';
import type { AlertRecord, AlertWrites, KeptEvent } from './alertWrites';

/** What alerts are about: a patient, or a device that serves several. Immutable. */
export interface Subject {
  siteId: number;
  patientId: number | null;
  deviceId: number | null;
  profile: 'continuous' | 'home';
  /** The last alert of each parameter, open or closed. */
  records: Readonly<Partial<Record<Parameter, AlertRecord>>>;
  /** The episodes that the clock evaluates, by parameter: silence, equipment, symptoms. */
  technical: Readonly<Partial<Record<Parameter, Episode>>>;
  /** The stored parts of it: the same objects until they change. */
  kept: readonly unknown[];
}

/** What a change of an alert needs from outside. */
export interface ChangeContext {
  writes: AlertWrites;
  now: EpochMs;
  /** Returns the id of a new alert, because its log is written with it. */
  nextId: () => number;
  recipientsOf: (subject: Subject, step: EscalationStep) => Recipients;
}

/**
 * Applies a change to the alert of a subject's parameter, adds it to the writes, and returns the subject. Steps of
 * escalation that are due are asked at once. `evidence` runs if the alert has new evidence.
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
 * Returns the line as it is stored: with the people whom a step asks now, or with the evidence of a condition that
 * begins or is upgraded.
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

/** Applies the present episode of a parameter. Nothing new is raised for a subject in standby. */
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

/** Returns evidence without samples: the clock and the score evaluate no single value. */
export const noSamples = (): Evidence => ({ ruleVersion, limits: null, samples: [] });

/** Applies the rules that are `active` by the clock at this moment, which no single value causes. */
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

/** Closes the alerts of `parameters`, because the patient or the device has left. */
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

/** Applies what is due for a subject's open alerts: the next steps, and reminders. */
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
  return plansOf(profile, alert.parameter)[alert.priority];
}
