import type { AlertItem, AlertsPage } from '../lib/alerts/schema';
import { secondsAgo } from './inventedWard';

/** Returns a HIGH alert about the SpO2 of patient 1 that no one has acknowledged, or what `change` makes of it. */
export function inventedAlert(id: number, change: Partial<AlertItem> = {}): AlertItem {
  const { patientId = 1, sentence = 'SpO2 86 % < 88 for 1 min, was 94 at 14:30' } = change;
  return {
    id,
    version: 1,
    patientId,
    deviceId: null,
    deviceName: null,
    unitId: 1,
    // As `inventedPatient` has them.
    patient:
      patientId === null
        ? null
        : {
            familyName: `Sample${patientId}`,
            givenName: 'Sam',
            isTrial: false,
            mrn: `A-${patientId}`,
            unit: 'East',
            bed: String(patientId),
            profile: 'continuous',
          },
    parameter: 'spo2',
    rule: 'spo2.low',
    escalationStep: 0,
    escalation: {
      startedAt: secondsAgo(45),
      nextAt: null,
      next: null,
      asked: [],
      unheldRoles: [],
      answered: null,
      answerBy: null,
    },
    episodes: 1,
    priority: 'high',
    condition: 'active',
    latched: false,
    startedAt: secondsAgo(60),
    endedAt: null,
    raisedAt: secondsAgo(45),
    lastRaisedAt: secondsAgo(45),
    acknowledged: null,
    accepted: null,
    reassigned: null,
    rejected: null,
    released: null,
    audioPausedUntil: null,
    remindedAt: null,
    outcome: null,
    resolved: null,
    closedAt: null,
    closedBecause: null,
    undo: null,
    headline: sentence.split(', ')[0] ?? '',
    sentence,
    values: {},
    evidence: { ruleVersion: 1, limits: null, samples: [] },
    ...change,
  };
}

export function inventedAlerts(items: AlertItem[], change: Partial<AlertsPage> = {}): AlertsPage {
  return { items, total: items.length, version: '1', ...change };
}
