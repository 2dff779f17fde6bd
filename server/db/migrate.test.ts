import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql, type Kysely } from 'kysely';
import { alertEvent } from '../../lib/alerts/alertFacts';
import { readRuleState } from '../../lib/alerts/storedRuleState';
import { createTestDatabase, engines, type TestDatabase } from '../../test/database';
import { recordOf } from '../alerts/alertRows';
import { schemaStatements } from './migrate';
import { openStore, openStoreForCommand, type Store } from './open';
import type { Database } from './schema';

const note = 'The note says "level": high, "hop":1 and "is":"eased"';

const episode = {
  rule: 'spo2.low',
  level: 'high',
  startedAt: 1,
  count: 1,
  since: 1,
  endedAt: null,
  lowest: 86,
  highest: 87,
};
const timer = { phase: 'idle', since: 0, inLimitSince: null, clearSince: null };
const stream = { groups: [{ states: [timer], isCalm: true, episode }], oxygen: null };

const rows = {
  alerts: {
    id: 1,
    site_id: 1,
    patient_id: 1,
    parameter: 'spo2',
    rule: 'spo2.low',
    level: 'high',
    condition: 'active',
    started_at: 1,
    raised_at: 2,
    is_retrospective: 0,
    evidence: JSON.stringify({ ruleVersion: 1, limits: null, samples: [] }),
    facts: JSON.stringify({
      parameter: 'spo2',
      rule: 'spo2.low',
      level: 'high',
      conditionLevel: 'medium',
      condition: 'active',
      startedAt: 1,
      since: 1,
      endedAt: null,
      lowest: null,
      highest: null,
      episodes: 2,
      earlier: 1,
      latched: false,
      acknowledged: { by: 3, at: 5 },
      responsibility: { is: 'accepted', by: 3, at: 5 },
      audioPaused: null,
      outcome: { is: 'artefact', by: 3, at: 6, note },
      toldAt: 2,
      askedAt: 2,
      hops: 2,
      remindedAt: null,
      reminders: 0,
      closed: null,
    }),
  },
  watches: {
    patient_id: 7,
    device_id: 0,
    site_id: 1,
    memory: JSON.stringify({
      tracks: { oxygenation: stream, rate: stream, perfusion: stream },
      spot: {
        weight: {
          phase: 'told',
          level: 'medium',
          since: 4,
          isConfirmed: true,
          weights: [{ at: 4, value: 71 }],
          episode,
        },
      },
      technical: { reporting: episode },
      combo: { state: timer, withSpo2: true, withRate: false, episode: { ...episode, rule: 'combo' } },
      signalsFrom: 8,
      begunAt: { rate: 9 },
    }),
  },
};

const log = [
  { is: 'raised', rule: 'spo2.low', level: 'high', at: 2 },
  { is: 'asked', hop: 1, at: 3, to: { userIds: [3], wholeUnit: false, unheld: [], contact: null } },
  { is: 'worsened', rule: 'combo', from: 'low', to: 'medium', at: 4 },
  { is: 'eased', rule: 'combo', from: 'medium', to: 'low', at: 5 },
  { is: 'rejected', by: 3, reason: note, at: 6 },
];

/** The store numbers sites and units from 1, in this order. */
const sites = ['North', 'South'].map((name) => ({ name, time_zone: 'UTC', created_at: 1 }));
const units = [
  [1, 'ICU'],
  [2, 'ICU'],
  [1, 'Ward 1'],
].map(([site_id, name]) => ({ site_id, name, created_at: 1 }));
const patients = [
  { site_id: 1, mrn: 'in a unit', unit: 'ICU', state: 'active' },
  { site_id: 2, mrn: 'in the unit of that name of another site', unit: 'ICU', state: 'active' },
  { site_id: 1, mrn: 'in a unit in other letters', unit: 'ward 1', state: 'active' },
  { site_id: 1, mrn: 'in no unit', unit: null, state: 'active' },
  { site_id: 1, mrn: 'discharged from a deleted unit', unit: 'Closed', state: 'discharged' },
  { site_id: 1, mrn: 'discharged from it in other letters', unit: 'CLOSED', state: 'discharged' },
  { site_id: 2, mrn: 'in a unit without a row', unit: 'Closed', state: 'active' },
  { site_id: 1, mrn: 'in a bed that another one has', unit: 'icu', state: 'active' },
].map((row) => ({
  ...row,
  given_name: 'Sam',
  family_name: 'Sample',
  date_of_birth: '1950-03-07',
  sex: 'unknown',
  bed: row.unit === null ? null : '4',
  profile: 'continuous',
  spo2_scale: 1,
  version: 3,
  created_at: 5,
  updated_at: 9,
}));

const user = {
  id: 9,
  site_id: 1,
  email: 'nurse@example.org',
  username: 'nurse@example.org',
  fname: 'Robin',
  lname: 'Example',
  type: 'nurse',
  is_admin: 0,
  password_hash: '',
  created_at: 1,
};
const report = {
  id: 41,
  site_id: 1,
  patient_id: 1,
  reported_at: 3,
  recorded_at: 4,
  recorded_by: 9,
  answers: '[["cough","mild"]]',
  red_flags: '[]',
};

async function insert(db: Kysely<Database>, table: string, row: Record<string, unknown>): Promise<void> {
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  await sql`INSERT INTO ${sql.table(table)} (${names}) VALUES (${sql.join(Object.values(row))})`.execute(db);
}

describe.each(engines)('a store of schema version 1 on %s', (engine) => {
  let where: TestDatabase;
  let store: Store | null = null;

  const migrated = async (): Promise<Store['db']> => {
    store = await openStore(where);
    return store.db;
  };

  beforeEach(async () => {
    where = await createTestDatabase(engine);
    if (engine === 'sqlite') {
      writeFileSync(path.join(where.dataDir, 'wardlight.db'), '');
    }
    const db = await openStoreForCommand(where);
    for (const statement of schemaStatements(engine, 1)) {
      await sql.raw(statement).execute(db);
    }
    await sql`INSERT INTO schema_versions (version, applied_at) VALUES (1, CURRENT_TIMESTAMP)`.execute(db);
    await insert(db, 'alerts', rows.alerts);
    await insert(db, 'watches', rows.watches);
    for (const [table, added] of Object.entries({ sites, units, patients })) {
      for (const row of added) {
        await insert(db, table, row);
      }
    }
    await insert(db, 'users', user);
    await insert(db, 'symptom_reports', report);
    for (const event of log) {
      await insert(db, 'alert_events', { site_id: 1, alert_id: 1, at: event.at, event: JSON.stringify(event) });
    }
    await db.destroy();
  });

  afterEach(async () => {
    // Also after a failed assertion: an open store keeps jest from ending.
    await store?.close();
    store = null;
    await where.remove();
  });

  it('is brought to the newest version with its alerts, their logs and what the rules remember', async () => {
    const db = await migrated();
    const alert = await db.selectFrom('alerts').selectAll().executeTakeFirstOrThrow();
    expect(alert.priority).toBe('high');
    expect(recordOf(alert)?.alert).toMatchObject({
      priority: 'high',
      conditionPriority: 'medium',
      responsibility: { is: 'accepted', by: 3, at: 5, unitId: 1 },
      lastRaisedAt: 2,
      downgradedAt: null,
      unconfirmedUntil: null,
      escalation: {
        startedAt: 2,
        priority: 'high',
        step: 2,
        runsSince: null,
        leftMs: { high: null, medium: null, low: null },
        asked: [
          {
            priority: 'high',
            step: 1,
            at: 3,
            to: { roles: [], userIds: [3], wholeUnit: false, unheld: [], contact: null },
          },
        ],
        raises: [],
        ownerAskedAt: null,
        answerBy: null,
      },
      ruleRaisedAt: 2,
      outcome: { note },
    });
    const events = await db.selectFrom('alert_events').select('event').orderBy('id').execute();
    expect(events.map(({ event }) => alertEvent.parse(JSON.parse(event)))).toEqual([
      { is: 'raised', rule: 'spo2.low', priority: 'high', at: 2 },
      {
        is: 'asked',
        step: 1,
        at: 3,
        to: { roles: [], userIds: [3], wholeUnit: false, unheld: [], contact: null },
      },
      { is: 'upgraded', rule: 'news2.aggregate', from: 'low', to: 'medium', at: 4 },
      { is: 'downgraded', rule: 'news2.aggregate', from: 'medium', to: 'low', at: 5 },
      { is: 'rejected', by: 3, reason: note, at: 6 },
    ]);
    const { state } = await db.selectFrom('rule_states').select('state').executeTakeFirstOrThrow();
    expect(readRuleState(state).state).toMatchObject({
      spot: { weight: { phase: 'raised', priority: 'medium', weights: [{ at: 4, value: 71 }] } },
      technical: { reporting: { rule: 'spo2.low', priority: 'high' } },
      // It is rebuilt from the last alert about the score.
      news2: null,
      resetAt: { rate: 9 },
    });
  });

  it('is brought to the newest version also with an alert and a line of a log that are no JSON', async () => {
    const before = await openStoreForCommand(where);
    await insert(before, 'alerts', { ...rows.alerts, id: 2, patient_id: 8, facts: 'nothing' });
    await insert(before, 'alert_events', { site_id: 1, alert_id: 2, at: 1, event: 'nothing' });
    await before.destroy();
    const db = await migrated();
    const [first, second] = await db.selectFrom('alerts').select('facts').orderBy('id').execute();
    expect(JSON.parse(first?.facts ?? '')).toMatchObject({ escalation: { step: 2 } });
    expect(second).toEqual({ facts: 'nothing' });
  });

  it('knows afterwards what happened to each alert, and since when each patient was here', async () => {
    const before = await openStoreForCommand(where);
    await insert(before, 'alerts', { ...rows.alerts, id: 2, patient_id: 8, level: 'low', closed_at: 90 });
    const lines = [
      { is: 'raised', rule: 'spo2.low', level: 'low', at: 20 },
      { is: 'asked', hop: 0, at: 20, to: { userIds: [3], wholeUnit: false, unheld: [], contact: null } },
      { is: 'worsened', rule: 'combo', from: 'low', to: 'medium', at: 30 },
      { is: 'accepted', by: 3, at: 40 },
      { is: 'acceptance_withdrawn', by: 3, at: 41 },
      { is: 'accepted', by: 4, at: 50 },
      { is: 'acknowledged', by: 3, at: 60 },
      { is: 'acknowledgement_withdrawn', by: 3, at: 61 },
      { is: 'asked', hop: 2, at: 70, to: { userIds: [3], wholeUnit: false, unheld: [], contact: null } },
    ];
    for (const event of lines) {
      await insert(before, 'alert_events', { site_id: 1, alert_id: 2, at: event.at, event: JSON.stringify(event) });
    }
    await before.destroy();
    const db = await migrated();
    const untouched = { acknowledged_at: null, acknowledgements: 0, accepted_at: null, acceptances: 0 };
    await expect(db.selectFrom('alert_history').selectAll().orderBy('alert_id').execute()).resolves.toMatchObject([
      { alert_id: 1, raised_at: 2, patient_id: 1, priority: 'high', closed_at: null, highest_step: 1, ...untouched },
      {
        alert_id: 2,
        raised_at: 20,
        priority: 'medium',
        closed_at: 90,
        highest_step: 2,
        ...untouched,
        accepted_at: 50,
        acceptances: 1,
      },
    ]);
    const actors = await db.selectFrom('alert_actors').selectAll().orderBy('alert_id').orderBy('user_id').execute();
    expect(actors.map(({ alert_id, user_id }) => [alert_id, user_id])).toEqual([
      [1, 3],
      [2, 3],
      [2, 4],
    ]);
    const stays = await db.selectFrom('patient_stays').select(['patient_id', 'started_at', 'ended_at']).execute();
    expect(stays).toContainEqual({ patient_id: 1, started_at: 5, ended_at: null });
    expect(stays).toContainEqual({ patient_id: 5, started_at: 5, ended_at: 9 });
    const moves = await db.selectFrom('patient_moves').selectAll().where('patient_id', 'in', [1, 5]).execute();
    const nowhere = { from_unit_id: null, from_bed: null, to_unit_id: null, to_bed: null };
    expect(
      moves.map(({ id, site_id, recorded_at, ...move }) =>
        id > 0 && site_id === 1 && recorded_at === null ? move : null,
      ),
    ).toEqual([
      { ...nowhere, patient_id: 1, kind: 'admitted', moved_at: 5, moved_by: null, to_unit_id: 1, to_bed: '4' },
      { ...nowhere, patient_id: 5, kind: 'admitted', moved_at: 5, moved_by: null },
      {
        ...nowhere,
        patient_id: 5,
        kind: 'discharged',
        moved_at: 9,
        moved_by: null,
        from_unit_id: expect.any(Number) as number,
        from_bed: '4',
      },
    ]);
  });

  it('lets those devices send for any patient for 14 days that did so lately', async () => {
    const day = 86_400_000;
    const newest = 100 * day;
    const before = await openStoreForCommand(where);
    const sent: Record<string, [patient: number, receivedAt: number][]> = {
      'for several': [
        [1, newest],
        [2, newest],
      ],
      'for one, unassigned': [[3, newest - 29 * day]],
      'for its own': [[4, newest]],
      'long ago': [[5, newest - 30 * day]],
      never: [],
    };
    for (const [index, [name, values]] of Object.entries(sent).entries()) {
      await insert(before, 'devices', { id: index + 1, site_id: 1, name, token_hash: name, created_at: 1 });
      for (const [patient_id, received_at] of values) {
        const value = { kind: 1, site_id: 1, taken_at: 1, value: 97, quality: 0, offset_ms: 0 };
        await insert(before, 'latest_values', { ...value, device_id: index + 1, patient_id, received_at });
      }
    }
    await insert(before, 'device_assignments', {
      ...{ site_id: 1, device_id: 3, patient_id: 4, assigned_at: 1, assigned_by: 9 },
    });
    await before.destroy();
    const devices = await (await migrated()).selectFrom('devices').selectAll().orderBy('id').execute();
    const until = devices.flatMap(({ name, gateway_until: at }) => (at === null ? [] : [{ name, at }]));
    expect(until.map(({ name }) => name)).toEqual(['for several', 'for one, unassigned']);
    const days = until.map(({ at }) => Math.round((at - Date.now()) / day));
    expect(days).toEqual([14, 14]);
  });

  it('keeps the log of an alert append-only afterwards', async () => {
    const db = await migrated();
    for (const change of ['DELETE FROM alert_events', "UPDATE alert_events SET event = '{}'"]) {
      await expect(sql.raw(change).execute(db)).rejects.toThrow('the log of an alert is append-only');
    }
  });

  it('keeps every patient in their unit, also if it had no row', async () => {
    const db = await migrated();
    const places = await db
      .selectFrom('patients')
      .leftJoin('units', 'units.id', 'patients.unit_id')
      .select(['mrn', 'unit_id', 'units.site_id', 'units.name', 'units.retired_at', 'bed', 'patients.version'])
      .orderBy('patients.id')
      .execute();
    const inUse = { retired_at: null, bed: '4', version: 3 };
    const closed = { unit_id: places[4]?.unit_id, site_id: 1, retired_at: 9, bed: '4', version: 3 };
    expect(places).toEqual([
      { mrn: 'in a unit', unit_id: 1, site_id: 1, name: 'ICU', ...inUse },
      { mrn: 'in the unit of that name of another site', unit_id: 2, site_id: 2, name: 'ICU', ...inUse },
      { mrn: 'in a unit in other letters', unit_id: 3, site_id: 1, name: 'Ward 1', ...inUse },
      { mrn: 'in no unit', unit_id: null, site_id: null, name: null, retired_at: null, bed: null, version: 3 },
      { mrn: 'discharged from a deleted unit', name: expect.stringMatching(/^closed$/i) as string, ...closed },
      { mrn: 'discharged from it in other letters', name: places[4]?.name, ...closed },
      { mrn: 'in a unit without a row', unit_id: places[6]?.unit_id, site_id: 2, name: 'Closed', ...inUse },
      { mrn: 'in a bed that another one has', unit_id: 1, site_id: 1, name: 'ICU', ...inUse },
    ]);
    await expect(db.selectFrom('units').select('id').execute()).resolves.toHaveLength(5);
  });

  it('keeps what patients reported about symptoms, by whom, and goes on with the next id', async () => {
    const db = await migrated();
    const before = await db.selectFrom('symptom_reports').selectAll().orderBy('id').execute();
    expect(before).toMatchObject([
      { id: 41, recorded_by: 9, answers: '[["cough","mild"]]', source: 'staff', link_id: null, in_error_at: null },
    ]);
    const { id } = await db
      .insertInto('symptom_reports')
      .values({
        site_id: 1,
        patient_id: 1,
        reported_at: 6,
        recorded_at: 6,
        recorded_by: 9,
        answers: '[]',
        red_flags: '[]',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(id).toBe(42);
  });

  it('leaves two patients who shared a bed where they are, and takes no third one there', async () => {
    const db = await migrated();
    await expect(
      db.selectFrom('patients').select('mrn').where('shares_bed', '=', 1).orderBy('id').execute(),
    ).resolves.toEqual([{ mrn: 'in a bed that another one has' }]);
    await expect(
      db.updateTable('patients').set({ unit_id: 1, bed: '4' }).where('mrn', '=', 'in no unit').execute(),
    ).rejects.toThrow(/unique/i);
  });
});
