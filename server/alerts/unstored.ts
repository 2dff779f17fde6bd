import type { AlertWrites } from './alertWrites';
import type { RuleStates } from './ruleStates';

/** What was judged while nothing could be stored. A crash loses it: devices send what it came from again. */
export interface Unstored {
  /** The states over the committed ones. */
  states: RuleStates;
  /** The states whose alerts are on the screens. */
  shown: RuleStates;
  /** What waits for the store: a row for each subject and alert at most, and the lines of their logs. */
  writes: AlertWrites;
  /** The store's last refusal, by `performance.now`; null: it was not asked yet. */
  refused: { error: unknown; at: number } | null;
}

/** Returns what is written about the subjects that are not in doubt. */
export function withoutDoubtful(
  { records, events, ruleStates, ...others }: AlertWrites,
  isDoubtful: (subject: { patientId: number | null }) => boolean,
): AlertWrites {
  return {
    ...others,
    records: new Map([...records].filter(([, record]) => !isDoubtful(record))),
    events: events.filter(({ record }) => !isDoubtful(record)),
    ruleStates: new Map([...ruleStates].filter(([, state]) => !isDoubtful(state))),
  };
}
