import type { EpochMs } from '../time/epochMs';
import type { Harm } from './harms';
import type { ReportKind } from './reportKinds';
import { statusesAfter, type ReportStatus } from './reportStatuses';
import type { ReportChange, ReportEntry } from './schema';
import type { ServiceSeverity } from './serviceSeverities';

/** What of a report changes. Epoch milliseconds. */
export interface ReportFacts {
  status: ReportStatus;
  severity: ServiceSeverity;
  kind: ReportKind;
  harmPhysical: Harm | null;
  harmPsychological: Harm | null;
  assigneeId: number | null;
  externalReference: string | null;
  isQuarantined: boolean | null;
  /** Since when it alarms as S1; null: it never did. */
  alarmAt: EpochMs | null;
  /** When that was over; null: it is not, or it never did. */
  alarmEndedAt: EpochMs | null;
}

/** What a manager wants to be different; what is left out stays. */
export type WantedChange = Omit<ReportChange, 'version' | 'authorId' | 'comment'>;

/** A line for the history, without who and when. */
export type ReportLine = Pick<ReportEntry, 'is' | 'from' | 'to'>;

/** Returns whether a report alarms now. */
export function isAlarming({ alarmAt, alarmEndedAt }: Pick<ReportFacts, 'alarmAt' | 'alarmEndedAt'>): boolean {
  return alarmAt !== null && alarmEndedAt === null;
}

/**
 * Takes a report and what a manager wants of it, and returns it afterwards with the lines of its history; or why not:
 * `status` cannot follow the present one, or `alarm`: no one has confirmed that S1 alarms the unit now. A severity that
 * becomes S1 alarms; a status that changes, or a severity below S1, ends that.
 */
export function changeOf(
  before: ReportFacts,
  wanted: WantedChange,
  now: EpochMs,
): { after: ReportFacts; lines: ReportLine[] } | 'status' | 'alarm' {
  const { status = before.status, severity = before.severity, kind = before.kind } = wanted;
  if (status !== before.status && !statusesAfter(before.status).includes(status)) {
    return 'status';
  }
  const isRaised = severity === 'S1' && before.severity !== 'S1';
  if (isRaised && wanted.alarmsUnit !== true) {
    return 'alarm';
  }
  const isOver = isAlarming(before) && (status !== before.status || severity !== 'S1');
  const changed: ReportFacts = {
    status,
    severity,
    kind,
    harmPhysical: wanted.harm === undefined ? before.harmPhysical : wanted.harm.physical,
    harmPsychological: wanted.harm === undefined ? before.harmPsychological : wanted.harm.psychological,
    assigneeId: wanted.assigneeId === undefined ? before.assigneeId : wanted.assigneeId,
    externalReference: wanted.externalReference === undefined ? before.externalReference : wanted.externalReference,
    isQuarantined: wanted.isQuarantined === undefined ? before.isQuarantined : wanted.isQuarantined,
    alarmAt: isRaised ? now : before.alarmAt,
    alarmEndedAt: isRaised ? null : isOver ? now : before.alarmEndedAt,
  };
  return { after: changed, lines: linesOf(before, changed) };
}

/** Returns what differs, in the order of the history. */
export function linesOf(before: ReportFacts, after: ReportFacts): ReportLine[] {
  const line = (is: ReportLine['is'], from: string | number | boolean | null, to: typeof from): ReportLine[] =>
    from === to ? [] : [{ is, from: from === null ? null : String(from), to: to === null ? null : String(to) }];
  const alarmOf = (facts: ReportFacts): string => (isAlarming(facts) ? 'on' : 'off');
  return [
    ...line('status', before.status, after.status),
    ...line('severity', before.severity, after.severity),
    ...line('kind', before.kind, after.kind),
    ...line('harmPhysical', before.harmPhysical, after.harmPhysical),
    ...line('harmPsychological', before.harmPsychological, after.harmPsychological),
    ...line('assignee', before.assigneeId, after.assigneeId),
    ...line('externalReference', before.externalReference, after.externalReference),
    ...line('isQuarantined', before.isQuarantined, after.isQuarantined),
    ...line('alarm', alarmOf(before), alarmOf(after)),
  ];
}
