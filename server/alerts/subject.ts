import { endAdministratively, noteOwner, release } from '../../lib/alerts/actions';
import { isOpen, ownerOf, type Alert, type AlertEvent, type AlertChange, type Release } from '../../lib/alerts/alert';
import { takeEpisode } from '../../lib/alerts/takeEpisode';
import { nextEpisode, type Active, type Episode } from '../../lib/alerts/episode';
import type { Evidence } from '../../lib/alerts/evidence';
import { nextOccasion } from '../../lib/alerts/occasion';
import type { Parameter } from '../../lib/alerts/parameters';
import { escalate, type SiteEscalation } from '../../lib/alerts/escalate';
import { ruleVersion } from '../../lib/alerts/ruleVersion';
import { withVersion } from '../../lib/alerts/withVersion';
import { withWorst } from '../../lib/alerts/withWorst';
import type { EpochMs } from '../../lib/time/epochMs';
import type { AlertRecord, AlertWrites, KeptEvent } from './alertWrites';
import { isAsystole } from './rankOf';

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

/** What says whom a subject is about, and where. */
export type SubjectIds = Pick<Subject, 'siteId' | 'patientId' | 'deviceId'>;

/** What a change of an alert needs from outside. */
export interface ChangeContext {
  writes: AlertWrites;
  now: EpochMs;
  /** Returns the id of a new alert, because its log is written with it. */
  nextId: () => number;
  /** Returns what the escalation of a subject's alert needs from outside. */
  siteOf: (subject: Subject, parameter: Parameter) => Omit<SiteEscalation, 'isAsystole'>;
  /** Returns why the acceptance or acknowledgement of an alert ends now; null: it lasts, or there is none. */
  releaseOf: (subject: Subject, alert: Alert) => Release | null;
  /** Returns until when what came late makes no sound in the unit of a subject (A7); null: it may. */
  quietUntil: (subject: Subject) => EpochMs | null;
  /** Returns since when a user has not been seen; null: they are there. */
  absentSince: (userId: number) => EpochMs | null;
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
  const begun = change.events.some(begins) ? evidence() : undefined;
  const after = escalated(subject, change, context, begun);
  return applyEscalated(subject, parameter, after, () => begun ?? evidence(), context);
}

/** Returns a change with the steps of escalation that are due. `by`: the evidence of a raise by this change. */
export function escalated(subject: Subject, change: AlertChange, context: ChangeContext, by?: Evidence): AlertChange {
  const { rule, parameter, priority } = change.alert;
  const of = context.siteOf(subject, parameter);
  const site: SiteEscalation = {
    ...of,
    // A MEDIUM alert without a patient waits for its steps, also if no one is there (section 00, A2).
    isPresent: (to) => (subject.patientId === null && priority !== 'high') || of.isPresent(to),
    isAsystole: isAsystole(rule, by ?? subject.records[parameter]?.evidence),
  };
  const after = escalate(change, site, context.now);
  // A step that is asked later, or after a move, makes none silent that sounds.
  const isRaised = after.events.some(({ is }) => is === 'raised' || is === 'raised_again' || is === 'upgraded');
  return after.alert.parameter === 'outOfReach' && isRaised && after.events.some(({ is }) => is === 'asked')
    ? { ...after, alert: { ...after.alert, unconfirmedUntil: context.quietUntil(subject) } }
    : after;
}

function applyEscalated<Of extends Subject>(
  subject: Of,
  parameter: Parameter,
  change: AlertChange,
  evidence: () => Evidence,
  context: ChangeContext,
): Of {
  const { siteId, patientId, deviceId, records } = subject;
  const before = records[parameter];
  const isNew = before === undefined || change.events.some(({ is }) => is === 'raised');
  const { alert, events } = withVersion(before === undefined || isNew ? null : before.alert, change);
  const rests = events.some(begins) ? evidence() : null;
  const known = before === undefined || isNew ? null : { alert: before.alert, worst: before.evidence.worst };
  const kept = withWorst(known, alert, rests ?? before?.evidence ?? evidence(), rests !== null);
  const record: AlertRecord = {
    ...(isNew ? { id: context.nextId(), siteId, patientId, deviceId } : before),
    // A later episode in an alert that is still listed has its own time.
    raisedAt: alert.escalation.startedAt,
    alert,
    evidence: kept,
  };
  context.writes.records.set(record.id, record);
  for (const event of events) {
    const line: KeptEvent = rests !== null && begins(event) ? { ...event, evidence: rests } : event;
    context.writes.events.push({ record, event: line });
  }
  return { ...subject, records: { ...records, [parameter]: record } };
}

const begins = ({ is }: AlertEvent): boolean => ['raised', 'raised_again', 'upgraded', 'retrospective'].includes(is);

/**
 * Applies the present episode of a parameter. Nothing new is raised for a subject in standby (`isHeld`). `evidence`: of
 * a raise; the clock and the score evaluate no single value.
 */
export function applyEpisode<Of extends Subject>(
  subject: Of,
  parameter: Parameter,
  episode: Episode | null,
  context: ChangeContext,
  { isHeld = false, evidence = noSamples }: { isHeld?: boolean; evidence?: () => Evidence } = {},
): Of {
  const change = takeEpisode(subject.records[parameter]?.alert ?? null, parameter, episode, context.now, { isHeld });
  return change === null ? subject : applyChange(subject, parameter, change, evidence, context);
}

export const noSamples = (): Evidence => ({ ruleVersion, limits: null, samples: [] });

/** Keeps and applies the episode of a parameter that the clock evaluates; null: there was none yet. */
export function applyTechnical<Of extends Subject>(
  subject: Of,
  parameter: Parameter,
  episode: Episode | null,
  context: ChangeContext,
  how: { isHeld?: boolean } = {},
): Of {
  if (episode === null) {
    return subject;
  }
  const { technical } = subject;
  const isKept = episode === technical[parameter];
  const after = isKept ? subject : { ...subject, technical: { ...technical, [parameter]: episode } };
  return applyEpisode(after, parameter, episode, context, how);
}

/** Applies the rules that are `active` by the clock at this moment, which no single value causes; null: it is not. */
export function applyActive<Of extends Subject>(
  subject: Of,
  parameter: Parameter,
  active: readonly (Active | null)[],
  context: ChangeContext,
  how: { isHeld?: boolean } = {},
): Of {
  const known = active.filter((one) => one !== null);
  const episode = nextEpisode(subject.technical[parameter] ?? null, known, context.now, null);
  return applyTechnical(subject, parameter, episode, context, how);
}

/** Applies something that people do, such as a renewal: done again while it lasts it is raised again. */
export function applyOccasion<Of extends Subject>(
  subject: Of,
  parameter: Parameter,
  active: Active | null,
  context: ChangeContext,
): Of {
  const episode = nextOccasion(subject.technical[parameter] ?? null, active, context.now);
  return applyTechnical(subject, parameter, episode, context);
}

/** Ends the alerts of `parameters`, because the patient or the device has left. */
export function closeAll<Of extends Subject>(
  subject: Of,
  parameters: readonly Parameter[],
  reason: string,
  context: ChangeContext,
): Of {
  let after = subject;
  for (const parameter of parameters) {
    const record = after.records[parameter];
    const change = record === undefined ? null : endAdministratively(record.alert, reason, context.now);
    if (record !== undefined && change !== null) {
      after = applyChange(after, parameter, change, () => record.evidence, context);
    }
  }
  return after;
}

/** Applies what is due for a subject's open alerts: the end of an acceptance, the next steps, and reminders. */
export function escalateAll<Of extends Subject>(subject: Of, context: ChangeContext): Of {
  let after = subject;
  for (const record of Object.values(subject.records)) {
    const unchanged: AlertChange = { alert: record.alert, events: [] };
    const because = isOpen(record.alert) ? context.releaseOf(subject, record.alert) : null;
    const owner = ownerOf(record.alert);
    const happened =
      because === null
        ? noteOwner(record.alert, owner === null ? null : context.absentSince(owner), context.now)
        : release(record.alert, because, context.now);
    const change = isOpen(record.alert) ? escalated(subject, happened ?? unchanged, context) : unchanged;
    if (change !== unchanged) {
      after = applyEscalated(after, record.alert.parameter, change, () => record.evidence, context);
    }
  }
  return after;
}
