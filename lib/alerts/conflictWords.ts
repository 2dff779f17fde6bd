import type { AlertConflict, LoggedEvent } from './schema';

/** What a user did to an alert, in the past tense after their name. */
const pastWords = {
  acknowledged: 'acknowledged it',
  accepted: 'took it',
  rejected: 'cannot come',
  acknowledgement_withdrawn: 'took the acknowledgement back',
  acceptance_withdrawn: 'gave it back',
  reassigned: 'asked another user to take it',
  audio_paused: 'paused its sound',
  settled: 'settled which source counts',
  resolved: 'recorded an outcome',
} as const satisfies Partial<Record<LoggedEvent['is'], string>>;

/** Returns why an action on an alert was refused: what it is now, and who was first. Without the patient's name. */
export function conflictWords(
  code: 'alert_changed' | 'alert_closed' | 'accepted_by_somebody_else',
  { alert, lastAct }: AlertConflict,
): string {
  if (code === 'accepted_by_somebody_else') {
    return `${alert.accepted?.by.name ?? 'Another user'} has this alert.`;
  }
  const who = actWords(lastAct);
  if (code === 'alert_closed' || alert.closedAt !== null) {
    return who === null ? 'This alert is closed.' : `This alert is closed. ${who}.`;
  }
  const since = Math.max(Date.parse(alert.lastRaisedAt), Date.parse(alert.endedAt ?? alert.lastRaisedAt));
  const isNewest = lastAct !== null && Date.parse(lastAct.at) >= since;
  const state = alert.condition === 'ended' ? 'It has ended' : `It has ${alert.priority} priority and lasts`;
  return `This alert has changed. ${isNewest && who !== null ? who : state}.`;
}

function actWords(act: LoggedEvent | null): string | null {
  const words = Object.entries(pastWords).find(([is]) => is === act?.is)?.[1];
  return act?.by === undefined || act.by === null || words === undefined ? null : `${act.by.name} ${words}`;
}
