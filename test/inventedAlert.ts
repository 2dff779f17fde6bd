import type { AlertItem, AlertsPage } from '../lib/alerts/schema';
import { secondsAgo } from './inventedWard';

/** Returns a HIGH alert about the SpO2 of patient 1 that no one has acknowledged, or what `change` makes of it. */
export function inventedAlert(id: number, change: Partial<AlertItem> = {}): AlertItem {
  return {
    id,
    version: 1,
    patientId: 1,
    deviceId: null,
    deviceName: null,
    unitId: 1,
    patient: { familyName: 'Sample1', givenName: 'Sam', mrn: 'A-1', unit: 'East', bed: '1' },
    parameter: 'spo2',
    rule: 'spo2.low',
    escalationStep: 0,
    escalation: {
      startedAt: secondsAgo(45),
      nextAt: null,
      next: null,
      asked: [],
      unheldRoles: [],
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
    sentence: 'SpO2 86 % for 1 min, limit 88 %',
    evidence: { ruleVersion: 1, limits: null, samples: [] },
    ...change,
  };
}

export function inventedAlerts(items: AlertItem[], change: Partial<AlertsPage> = {}): AlertsPage {
  return { items, total: items.length, version: '1', ...change };
}
