import type { z } from 'zod';
import type { AlertEvent } from './alert';
import {
  alertEventsResponse,
  alertItem,
  alertsResponse,
  alertsQuery,
  loggedEvent,
  pauseAudioBody,
  reassignBody,
  rejectBody,
  resolveBody,
  takeBody,
  undoBody,
  versionBody,
  type AlertItem,
  type LoggedEvent,
} from './schema';

/** The fields that a schema complains about. */
function faults(schema: z.ZodType, input: unknown): string[] {
  const parsed = schema.safeParse(input);
  return parsed.success ? [] : [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))];
}

const at = '2026-05-01T10:00:00.000Z';
const by = { id: 7, name: 'Nora Nurse' };

const item: AlertItem = {
  id: 1,
  version: 3,
  patientId: 4,
  deviceId: null,
  deviceName: null,
  unitId: 2,
  patient: {
    familyName: 'Sample',
    givenName: 'Sam',
    isTrial: false,
    mrn: 'A1',
    unit: 'West',
    bed: null,
    profile: 'continuous',
  },
  parameter: 'spo2',
  rule: 'spo2.low',
  escalationStep: 1,
  escalation: { startedAt: at, nextAt: at, next: null, asked: [], unheldRoles: [], answerBy: null },
  episodes: 1,
  priority: 'high',
  condition: 'active',
  latched: false,
  startedAt: at,
  endedAt: null,
  raisedAt: at,
  lastRaisedAt: at,
  acknowledged: { by, at },
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
  undo: { eventId: 12, until: at },
  sentence: 'SpO2 86 % for 4 min, limit 88',
  headline: 'SpO2 86 % for 4 min',
  values: {},
  evidence: {
    ruleVersion: 1,
    limits: { raise: [{ is: 'below', value: 88 }], clear: [{ is: 'atLeast', value: 90 }] },
    samples: [{ kind: 'spo2', value: 86, takenAt: at, quality: 'good', source: 'bedside 4' }],
  },
};

describe('an alert in an answer', () => {
  it.each([
    ['an escalation step that is a priority', { escalationStep: 'high' }, 'escalationStep'],
    ['a priority that is an escalation step', { priority: 1 }, 'priority'],
    ['a parameter without a rule', { parameter: 'glucose' }, 'parameter'],
    ['an instant in milliseconds', { startedAt: 0 }, 'startedAt'],
    ['the user who acknowledged it as a number', { acknowledged: { by: 7, at } }, 'acknowledged.by'],
    ['no evidence', { evidence: null }, 'evidence'],
    ['no version', { version: undefined }, 'version'],
    ['a patient without a name', { patient: { ...item.patient, familyName: undefined } }, 'patient.familyName'],
  ])('is refused with %s', (_, change, field) => {
    expect(faults(alertItem, { ...item, ...change })).toEqual([field]);
  });

  it('passes as it is, about a device as well', () => {
    expect(alertItem.parse(item)).toEqual(item);
    const device = {
      ...item,
      patientId: null,
      deviceId: 3,
      deviceName: 'gateway',
      unitId: null,
      patient: null,
      parameter: 'gateway',
      escalationStep: 0,
    };
    expect(faults(alertItem, { ...device, evidence: { ruleVersion: 1, limits: null, samples: [] } })).toEqual([]);
  });

  it('is a page with its version, or nothing if nothing is newer', () => {
    expect(faults(alertsResponse, { items: [item], total: 1, version: '12' })).toEqual([]);
    expect(alertsResponse.parse({ unchanged: true, version: '12' })).toEqual({ unchanged: true, version: '12' });
  });
});

describe('a question for alerts', () => {
  it.each([
    ['a state that is not listed', { state: 'latched' }, 'state'],
    ['a patient who is no row id', { patientId: '0' }, 'patientId'],
    ['a page before the first', { page: '0' }, 'page'],
    ['more than 500 on a page', { pageSize: '501' }, 'pageSize'],
    ['a word that it does not know', { priority: 'high' }, ''],
  ])('is refused with %s', (_, query, field) => {
    expect(faults(alertsQuery, query)).toEqual([field]);
  });

  it('asks for the open ones of the site by default', () => {
    expect(alertsQuery.parse({})).toEqual({ state: 'open', page: 1, pageSize: 25 });
    expect(alertsQuery.parse({ state: 'closed', patientId: '4', page: '2', pageSize: '500', after: '12' })).toEqual({
      state: 'closed',
      patientId: 4,
      page: 2,
      pageSize: 500,
      after: '12',
    });
  });
});

describe('what somebody does with an alert', () => {
  const version = 3;
  const one = { id: 7, version };

  it.each<[string, z.ZodType, unknown, string]>([
    ['a rejection without a reason', rejectBody, { version }, 'reason'],
    ['a rejection with a reason of spaces', rejectBody, { version, reason: '  ' }, 'reason'],
    ['a pause of 0 s', pauseAudioBody, { version, seconds: 0 }, 'seconds'],
    ['a pause of 121 s', pauseAudioBody, { version, seconds: 121 }, 'seconds'],
    ['a pause of half a second', pauseAudioBody, { version, seconds: 0.5 }, 'seconds'],
    ['a pause without an end', pauseAudioBody, { version }, 'seconds'],
    ['an outcome that is not listed', resolveBody, { version, outcome: 'fine' }, 'outcome'],
    ['no outcome', resolveBody, { version, note: 'fine' }, 'outcome'],
    ['a note of 1,001 characters', resolveBody, { version, outcome: 'artefact', note: 'x'.repeat(1_001) }, 'note'],
    ['a NUL in a note', resolveBody, { version, outcome: 'artefact', note: 'a\0b' }, 'note'],
    ['no version of the alert', versionBody, {}, 'version'],
    ['a version before the first', versionBody, { version: 0 }, 'version'],
    ['no alert to take', takeBody, { alerts: [] }, 'alerts'],
    ['an alert that is to be taken twice', takeBody, { alerts: [one, { ...one, version: 4 }] }, 'alerts'],
    ['an alert to take without its version', takeBody, { alerts: [{ id: 7 }] }, 'alerts.0.version'],
    ['a comment of spaces', takeBody, { alerts: [one], comment: ' ' }, 'comment'],
    ['no event to take back', undoBody, {}, 'eventId'],
    ['no user to ask', reassignBody, { version }, 'userId'],
    ['half a character in a note', resolveBody, { version, outcome: 'artefact', note: 'a\ud800b' }, 'note'],
  ])('is refused with %s', (_, schema, body, field) => {
    expect(faults(schema, body)).toEqual([field]);
  });

  it('passes at its edges', () => {
    expect(takeBody.parse({ alerts: [one] })).toEqual({ alerts: [one], takeOver: false });
    expect(pauseAudioBody.parse({ version, seconds: 1 })).toEqual({ version, seconds: 1 });
    expect(pauseAudioBody.parse({ version, seconds: 120 })).toEqual({ version, seconds: 120 });
    expect(rejectBody.parse({ version, reason: ' in theatre ' })).toEqual({ version, reason: 'in theatre' });
    expect(resolveBody.parse({ version, outcome: 'artefact' })).toEqual({ version, outcome: 'artefact', note: '' });
    expect(resolveBody.parse({ version, outcome: 'sensor_fixed', note: ' new probe,\nleft hand ' })).toEqual({
      version,
      outcome: 'sensor_fixed',
      note: 'new probe,\nleft hand',
    });
    expect(faults(resolveBody, { version, outcome: 'artefact', note: ` ${'x'.repeat(1_000)} ` })).toEqual([]);
  });
});

describe('the log of an alert', () => {
  const to = { roles: ['nurse'], users: [by], wholeUnit: false, unheld: ['buddy'], contact: null };

  it.each([
    ['an action without a user', { is: 'acknowledged', at, by: null }, 'by'],
    ['a person behind what happens by itself', { is: 'resumed', at, by }, 'by'],
    ['a step that does not say whom it reached', { is: 'asked', at, by: null, step: 0 }, 'to'],
    [
      'a role that does not exist',
      { is: 'asked', at, by: null, step: 0, to: { ...to, unheld: ['porter'] } },
      'to.unheld.0',
    ],
    ['a word that no alert says', { is: 'deleted', at, by }, 'is'],
  ])('is refused with %s', (_, line, field) => {
    expect(faults(loggedEvent, line)).toEqual([field]);
  });

  it('names who was asked and who acted; lines of the system have no name', () => {
    const items = [
      { is: 'raised', at, by: null, rule: 'spo2.low', priority: 'high' },
      { is: 'asked', at, by: null, step: 0, to },
      { is: 'rejected', at, by, reason: 'in theatre' },
      { is: 'closed', at, by: null, because: 'administrative', reason: 'discharged' },
    ];
    expect(alertEventsResponse.parse({ items })).toEqual({ items });
  });

  it('knows every line that an alert can have', () => {
    type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
    const same: Same<AlertEvent['is'], LoggedEvent['is']> = true;
    expect(same).toBe(true);
  });
});
