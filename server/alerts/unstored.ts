import { mergeWrites, noWrites, type AlertWrites } from './alertWrites';
import type { RuleStates } from './ruleStates';

/** What was judged while nothing could be stored. A crash loses it: devices send what it came from again. */
export interface Unstored {
  /** The states over the committed ones. */
  states: RuleStates;
  /** The states whose alerts are on the screens. */
  shown: RuleStates;
  /** What waits for the store: the last row of each subject and alert, and the lines of their logs. */
  writes: AlertWrites;
  /** A transaction with what waited has begun. */
  isStoring: boolean;
  /** The store's last refusal, by `performance.now`; null: it was not asked yet. */
  refused: { error: unknown; at: number } | null;
}

/** A patient or a device. Rows of the store have 0 instead of null. */
interface Ids {
  patientId: number | null;
  deviceId: number | null;
}

/** Returns what is written about some subjects. */
export function writesAbout(
  { records, events, ruleStates }: AlertWrites,
  isWanted: (subject: Ids) => boolean,
): AlertWrites {
  return {
    ...noWrites(),
    records: new Map([...records].filter(([, record]) => isWanted(record))),
    events: events.filter(({ record }) => isWanted(record)),
    ruleStates: new Map([...ruleStates].filter(([, state]) => isWanted(state))),
  };
}

/** Returns the marks of rows that cannot be read: those rows say nothing of their subject. */
export function marksOf({ unreadable }: AlertWrites): AlertWrites {
  return { ...noWrites(), unreadable };
}

/** Puts what the store did not take before what was judged since. */
export function waitOn(unstored: Unstored, writes: AlertWrites): void {
  mergeWrites(writes, unstored.writes);
  unstored.writes = writes;
}

/** Returns whether something is about the same subject. */
export function isOf(subject: Ids): (other: Ids) => boolean {
  return ({ patientId, deviceId }) =>
    (patientId ?? 0) === (subject.patientId ?? 0) && (deviceId ?? 0) === (subject.deviceId ?? 0);
}
