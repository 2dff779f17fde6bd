import fc from 'fast-check';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { Patient, PatientResponse } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { initialsOf } from '../../lib/users/initialsOf';
import { kinds } from '../../lib/vitals/kinds';
import { apiEngines, createTestDatabase, type Engine, engines, type TestDatabase } from '../../test/database';
import { refuseCommits } from '../../test/refuseCommits';
import { refuseWrites } from '../../test/refuseWrites';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import type { Database } from '../db/schema';
import { jobsOf } from '../jobs';
import type { Server } from '../server';
import type { Sample } from '../vitals/sample';
import { type Beat, createHeartbeat } from './heartbeat';
import { heartbeatPatients } from './heartbeatPatient';
import { PeopleAndSites } from './peopleAndSites';
import { presentAlerts } from './queries';

describe.each(apiEngines)('a damaged store of the alarm path on %s', (engine) => {
  const year = 365 * 24 * 3_600_000;

  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let device: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    // A server of its own: each start counts what is damaged.
    test = await startTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone();
    device = await test.addDevice(site);
    patient = await test.addPatient(site);
    test.advance(3_600_000);
    nurse = await test.signIn(site, 'nurse');
  });
  afterAll(() => test.stop());

  /** Sends a value a second, and lets the time pass. */
  async function feed(value: number, seconds: number, token = device.token): Promise<void> {
    for (let sent = 0; sent < seconds; sent += 10) {
      const samples = Array.from({ length: Math.min(10, seconds - sent) }, (_, place) => ({
        patientId: patient,
        kind: 'spo2',
        value,
        takenAt: toInstant(test.now() + place * 1_000),
        quality: 'good',
      }));
      test.advance(samples.length * 1_000);
      const answer = await test.ingest(token, samples, { sentAt: toInstant(test.now()) });
      expect(answer.json()).toMatchObject({ accepted: samples.length });
      await test.server.alerts.evaluateClock();
    }
  }
  const open = async (): Promise<AlertItem[]> => {
    // An unused screen locks itself.
    nurse = await test.signIn(site, 'nurse');
    return (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>().items;
  };
  const only = async (): Promise<AlertItem> => {
    const [first, ...others] = await open();
    expect(others).toEqual([]);
    if (first === undefined) {
      throw new Error('No alert is open');
    }
    return first;
  };
  const log = async (id: number): Promise<string[]> =>
    (await nurse.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items.map(({ is }) => is);
  const metrics = (): Promise<string> => test.server.metrics.registry.metrics();
  async function restart(): Promise<void> {
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await test.server.alerts.evaluateClock();
  }
  const damageState = async (state: string): Promise<void> => {
    await test.store.db.updateTable('rule_states').set({ state }).where('patient_id', '=', patient).execute();
  };

  it('with any text as a rule state starts, says whose was rebuilt, and an open alert goes on as it was', async () => {
    await feed(84, 20);
    const { id } = await only();
    await fc.assert(
      fc.asyncProperty(fc.json(), async (state) => {
        await damageState(state);
        await restart();
        await feed(84, 5);
        const lines = await log(id);
        await expect(only()).resolves.toMatchObject({ id, rule: 'spo2.low', condition: 'active', episodes: 1 });
        expect(lines.filter((line) => line !== 'asked')).toEqual(['raised']);
        await expect(metrics()).resolves.toContain(
          `wardlight_rule_states_rebuilt_total{subject="patient ${patient}"} 1`,
        );
        expect(test.logLines).toContainEqual(
          expect.objectContaining({ patientId: patient, msg: 'a rule state could not be read and was rebuilt' }),
        );
      }),
      { numRuns: 3, examples: [['null'], ['{"streams":{"oxygenation":{"feeds":1}}}']] },
    );
    await feed(97, 40);
    await expect(only()).resolves.toMatchObject({ id, condition: 'ended', latched: true });
    expect((await log(id)).filter((line) => line === 'ended')).toHaveLength(1);
  });

  it('rebuilds what the clock evaluates from open alerts: a silence neither ends nor rings again', async () => {
    await feed(97, 10);
    test.advance(400_000);
    await test.server.alerts.evaluateClock();
    const { id } = await only();
    await damageState('not even JSON');
    await restart();
    await test.server.alerts.evaluateClock();
    await expect(only()).resolves.toMatchObject({ id, parameter: 'reporting', condition: 'active' });
    expect((await log(id)).filter((line) => line !== 'asked')).toEqual(['raised']);
    await feed(97, 10);
    await expect(open()).resolves.toEqual([]);
  });

  it.each(['{"parameter":"spo2"}', 'nothing'])(
    'shows an alert that cannot be read (%s) as HIGH with its patient, and keeps its row',
    async (facts) => {
      await feed(84, 20);
      const before = await only();
      await test.store.db.updateTable('alerts').set({ facts }).where('id', '=', before.id).execute();
      await restart();
      const items = await open();
      const shown = items.find(({ parameter }) => parameter === 'record');
      expect(shown).toMatchObject({
        patientId: patient,
        rule: 'record.unreadable',
        priority: 'high',
        condition: 'active',
        escalationStep: 1,
      });
      expect(shown?.sentence).toMatch(/^Alert could not be read, /);
      // Its condition lasts, so it is raised again, in an alert of its own.
      const again = items.find(({ parameter }) => parameter === 'spo2');
      expect(again).toMatchObject({ rule: 'spo2.low', condition: 'active' });
      expect(again?.id).not.toBe(before.id);
      const row = await test.store.db
        .selectFrom('alerts')
        .select(['facts', 'closed_at'])
        .where('id', '=', before.id)
        .executeTakeFirstOrThrow();
      expect(row).toEqual({ facts, closed_at: null });
      await expect(metrics()).resolves.toMatch(/wardlight_unreadable_rows_total\{what="alert"\} [1-9]/);

      await nurse.call('POST', `/api/v2/alerts/${shown?.id}/resolve`, {
        version: shown?.version,
        outcome: 'no_action_needed',
      });
      expect((await open()).map(({ parameter }) => parameter)).toEqual(['spo2']);
      await restart();
      expect((await open()).map(({ parameter }) => parameter)).toEqual(['spo2']);
    },
  );

  it('shows a closed alert that cannot be read in the list of closed ones', async () => {
    await feed(84, 20);
    const { id, version } = await only();
    await nurse.call('POST', `/api/v2/alerts/${id}/acknowledge`, { version });
    await feed(97, 40);
    await expect(open()).resolves.toEqual([]);
    await test.store.db.updateTable('alerts').set({ facts: '[]' }).where('id', '=', id).execute();
    await restart();
    const closed = await nurse.call('GET', `/api/v2/alerts?patientId=${patient}&state=closed`);
    expect(closed.json<AlertsPage>().items).toMatchObject([{ id, rule: 'record.unreadable' }]);
    await expect(open()).resolves.toEqual([]);
  });

  it('goes on with an alert whose evidence cannot be read, and keeps what the row has', async () => {
    await feed(84, 20);
    const { id, version } = await only();
    await test.store.db.updateTable('alerts').set({ evidence: '{"old":1}' }).where('id', '=', id).execute();
    await restart();
    await nurse.call('POST', `/api/v2/alerts/${id}/acknowledge`, { version });
    await feed(84, 5);
    await expect(only()).resolves.toMatchObject({ id, rule: 'spo2.low', evidence: { samples: [] } });
    const row = await test.store.db.selectFrom('alerts').select('evidence').where('id', '=', id).executeTakeFirst();
    expect(row).toEqual({ evidence: '{"old":1}' });
    await expect(metrics()).resolves.toContain('wardlight_unreadable_rows_total{what="evidence"} 1');
  });

  it('starts with limits and late minutes that cannot be read: the defaults hold', async () => {
    await test.store.db
      .insertInto('alert_limits')
      .values({
        site_id: site,
        patient_id: patient,
        rule: 'spo2.low',
        scale: null,
        limit_values: '{"low":"eighty"}',
        reason: 'a reason',
        review_at: null,
        set_at: test.now(),
        set_by: nurse.userId,
      })
      .execute();
    await test.store.db
      .insertInto('retrospective_queue')
      .values({ patient_id: patient, from_minute: 2, until_minute: 1, since: 0, touched_at: 0, touches: 1 })
      .execute();
    await restart();
    await feed(87, 20);
    await expect(only()).resolves.toMatchObject({ rule: 'spo2.low' });
    await test.server.alerts.evaluateRetrospective();
    await expect(test.store.db.selectFrom('retrospective_queue').selectAll().execute()).resolves.toEqual([]);
    const text = await metrics();
    expect(text).toMatch(/wardlight_unreadable_rows_total\{what="limits"\} [1-9]/);
    expect(text).toContain('wardlight_unreadable_rows_total{what="retrospective"} 1');
    expect((await nurse.call('GET', `/api/v2/patients/${patient}/limits`)).statusCode).toBe(200);
  });

  const damages: (readonly [string, (at: number) => number | string, number])[] = [
    ['comes from the future', (at) => at + 10 * year, 1],
    ['has no time', () => -1, 1],
    ['is neither a renewal nor none', (at) => at, 7],
  ];
  if (engine === 'sqlite') {
    // PostgreSQL takes no text in their columns.
    damages.push(['has a text as its time', () => 'soon', 1]);
  }
  describe.each(damages)('a pause that %s', (_, timeOf, isRenewal) => {
    const wrong = (at: number) => sql<number>`${timeOf(at)}`;

    const url = (rest = ''): string => `/api/v2/patients/${patient}${rest}`;
    const expectRaised = async (): Promise<void> => {
      await restart();
      await feed(84, 20);
      await expect(only()).resolves.toMatchObject({ rule: 'spo2.low', priority: 'high', condition: 'active' });
      const shown = (await nurse.call('GET', url())).json<PatientResponse>();
      expect([shown.standby, shown.comfortCare]).toEqual([null, null]);
    };

    it('stops no start and holds back no alarm as a standby, and what a person does next counts', async () => {
      await feed(97, 10);
      expect((await nurse.call('POST', url('/standby'), { reason: 'a scan', minutes: 60 })).statusCode).toBe(201);
      await test.store.db
        .updateTable('standbys')
        .set({ until: wrong(test.now() + 3_600_000), is_renewal: sql<1>`${isRenewal}` })
        .where('patient_id', '=', patient)
        .execute();
      await expectRaised();
      expect((await nurse.call('POST', url('/standby'), { reason: 'a scan', minutes: 10 })).statusCode).toBe(201);
      expect((await nurse.call('POST', url('/standby/end'))).statusCode).toBe(200);
      await expect(metrics()).resolves.toMatch(/wardlight_unreadable_rows_total\{what="pause"\} [1-9]/);
    });

    it('stops no start and holds back no alarm as a comfort care', async () => {
      const physician = await test.signIn(site, 'physician');
      await feed(97, 10);
      const ordered = await physician.call('PUT', url('/comfort-care'), { reason: 'agreed with family' });
      expect(ordered.statusCode).toBe(200);
      await test.store.db
        .updateTable('comfort_cares')
        .set({ confirmed_at: wrong(test.now() - (isRenewal === 7 ? 25 * 3_600_000 : 0)) })
        .where('patient_id', '=', patient)
        .execute();
      await expectRaised();
    });
  });

  it('leaves out a stored value of an unknown kind, and evaluates the patient by the others', async () => {
    await feed(97, 10);
    test.advance(120_000);
    await test.server.rollups.catchUp(test.server.recorder.inFlight);
    const known = await test.store.db
      .selectFrom('latest_values')
      .selectAll()
      .where('patient_id', '=', patient)
      .executeTakeFirstOrThrow();
    await test.store.db
      .insertInto('latest_values')
      .values({ ...known, kind: 99 })
      .execute();
    await restart();
    await expect(metrics()).resolves.toMatch(/wardlight_unknown_kinds_total [1-9]/);
    await feed(84, 20);
    await expect(only()).resolves.toMatchObject({ rule: 'spo2.low' });
    expect((await nurse.call('GET', `/api/v2/patients/${patient}`)).statusCode).toBe(200);
  });
});

describe.each(engines)('what is measured while nothing can be stored, on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patientId: number;
  let deviceId: number;
  let token: string;
  let sent: { takenAt: string; value: number }[];
  /** How far the clock of the device is ahead, in milliseconds. */
  let ahead: number;
  let heal: () => Promise<void>;
  /** What ends the refusals that a test has put into the store. */
  let drops: string[];
  /** A store that has refused is asked once a second, by a clock that `passSecond` moves on, in milliseconds. */
  let passedMs = 0;

  // A server of its own: its store takes no writes for a time.
  beforeAll(async () => {
    test = await startTestServer(engine);
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    site = await test.addSiteAlone();
    nurse = await test.signIn(site, 'nurse');
    patientId = await test.addPatient(site);
    ({ id: deviceId, token } = await test.addDevice(site));
    sent = [];
    ahead = 0;
    heal = () => Promise.resolve();
    drops = [];
    const elapsed = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => elapsed() + passedMs);
  });
  afterEach(async () => {
    await heal();
    heal = () => Promise.resolve();
    for (const drop of drops) {
      await sql.raw(drop).execute(test.store.db);
    }
    await recover();
  });

  const send = (samples: typeof sent) =>
    test.ingest(
      token,
      samples.map((sample) => ({ patientId, kind: 'spo2', ...sample })),
    );
  /** Measures and sends a value every `step` seconds, which the device keeps until it is acknowledged. */
  const measure = async (value: number, seconds: number, step = 1): Promise<number[]> => {
    const answers: number[] = [];
    for (let second = 0; second < seconds; second += step) {
      test.advance(step * 1_000);
      sent.push({ takenAt: toInstant(test.now() + ahead), value });
      const { statusCode } = await send(sent);
      answers.push(statusCode);
      sent = statusCode === 200 ? [] : sent;
      await test.server.alerts.evaluateClock();
    }
    return [...new Set(answers)];
  };
  /** Two minutes at 80 % of another patient, as the recorder hands them over. */
  const samplesOf = (of: number): Sample[] =>
    Array.from({ length: 120 }, (_, second) => ({
      minute: Math.floor((test.now() - (120 - second) * 1_000) / 60_000),
      patientId: of,
      kind: kinds.spo2.code,
      takenAt: test.now() - (120 - second) * 1_000,
      deviceId,
      siteId: site,
      value: 80,
      quality: 0,
      receivedAt: test.now(),
      offsetMs: 0,
    }));
  const stopStoring = async (): Promise<void> => {
    heal = await refuseWrites(test);
  };
  const passSecond = (): void => {
    passedMs += 1_000;
  };
  /** Lets the store take writes again, and waits for the next evaluation by the clock that stores. */
  const recover = async (): Promise<void> => {
    await heal();
    heal = () => Promise.resolve();
    do {
      passSecond();
      await test.server.alerts.evaluateClock();
    } while (test.server.alerts.hasUnstored());
  };
  const openAlerts = async (): Promise<AlertItem[]> =>
    (await nurse.call('GET', '/api/v2/alerts')).json<{ items: AlertItem[] }>().items;
  const ofSpo2 = async (): Promise<AlertItem[]> => (await openAlerts()).filter(({ parameter }) => parameter === 'spo2');
  const shown = async (): Promise<Patient['latest']['spo2']> =>
    (await nurse.call('GET', `/api/v2/patients/${patientId}`)).json<Patient>().latest.spo2;
  const storedEvents = async (): Promise<string[]> => {
    const rows = await test.store.db
      .selectFrom('alert_events')
      .innerJoin('alerts', 'alerts.id', 'alert_events.alert_id')
      .select(['alert_events.event', 'alerts.parameter', 'alerts.id'])
      .where('alerts.patient_id', '=', patientId)
      .where('alerts.parameter', '=', 'spo2')
      .orderBy('alert_events.id')
      .execute();
    return rows.map(({ event, id }) => `${id} ${(JSON.parse(event) as { is: string }).is}`);
  };

  it('is refused, and shown and judged all the same, marked as not stored', async () => {
    await measure(97, 5);
    await stopStoring();
    await expect(measure(80, 90, 5)).resolves.toEqual([503]);
    await expect(shown()).resolves.toMatchObject({ value: 80, asOf: toInstant(test.now()), notStored: true });
    await expect(ofSpo2()).resolves.toMatchObject([{ condition: 'active', priority: 'high', notStored: true }]);
    await expect(storedEvents()).resolves.toEqual([]);
  });

  it('has its alert on record afterwards, once, and what is sent again raises nothing', async () => {
    await measure(97, 5);
    await stopStoring();
    await measure(80, 90, 5);
    const [before] = await ofSpo2();
    await recover();
    const stored = await storedEvents();
    expect(stored.filter((line) => line === `${before?.id} raised`)).toHaveLength(1);
    await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id, raisedAt: before?.raisedAt }]);
    expect((await ofSpo2())[0]).not.toHaveProperty('notStored');

    await expect(measure(80, 1)).resolves.toEqual([200]);
    await test.server.alerts.evaluateRetrospective();
    test.advance(180_000);
    await test.server.alerts.evaluateRetrospective();
    await expect(storedEvents()).resolves.toEqual(stored);
    await expect(shown()).resolves.not.toHaveProperty('notStored');
    await test.restart();
    await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id }]);
  });

  it('escalates by the clock, and keeps an alert that has ended and that no one has seen', async () => {
    await measure(97, 5);
    await stopStoring();
    await measure(80, 60, 5);
    await measure(97, 240, 8);
    const before = await ofSpo2();
    expect(before).toMatchObject([{ condition: 'ended', latched: true }]);
    expect(before[0]?.escalationStep).toBeGreaterThan(0);
    await recover();
    await expect(ofSpo2()).resolves.toMatchObject([{ id: before[0]?.id, condition: 'ended', latched: true }]);
    await test.restart();
    await expect(ofSpo2()).resolves.toMatchObject([{ id: before[0]?.id, condition: 'ended', latched: true }]);
  });

  it('can be acknowledged once it is stored, and not before', async () => {
    await stopStoring();
    await measure(80, 60, 5);
    const acknowledge = async () => {
      const [alert] = await ofSpo2();
      return await nurse.call('POST', `/api/v2/alerts/${alert?.id}/acknowledge`, { version: alert?.version });
    };
    expect((await acknowledge()).statusCode).toBe(503);
    await recover();
    expect((await acknowledge()).statusCode).toBe(200);
  });

  it('is judged again if it is unknown what the store has', async () => {
    await stopStoring();
    await measure(80, 60, 5);
    test.server.alerts.doubt([patientId]);
    await recover();
    await expect(ofSpo2()).resolves.toEqual([]);
    await measure(80, 1);
    await expect(ofSpo2()).resolves.toMatchObject([{ condition: 'active' }]);
    const stored = await storedEvents();
    expect(stored.filter((line) => line.endsWith(' raised'))).toHaveLength(1);
  });

  it('is not lost by a restart: it is sent and judged again', async () => {
    await stopStoring();
    await measure(80, 60, 5);
    await heal();
    heal = () => Promise.resolve();
    await test.restart();
    await measure(80, 1);
    await expect(ofSpo2()).resolves.toMatchObject([{ condition: 'active' }]);
  });

  it('is not on record before it is sent again', async () => {
    await measure(97, 5);
    await stopStoring();
    await measure(80, 5);
    await recover();
    // The minute of the stored values is closed, and with it the newest value is written.
    test.advance(180_000);
    await test.server.rollups.catchUp(test.server.recorder.inFlight);
    await test.restart();
    await expect(shown()).resolves.toMatchObject({ value: 97 });
  });

  it('is no act: what a person types in is refused, and not shown', async () => {
    await measure(97, 5);
    await stopStoring();
    const typed = { takenAt: toInstant(test.now()), readings: { spo2: 80 } };
    expect((await nurse.call('POST', `/api/v2/patients/${patientId}/readings`, typed)).statusCode).toBe(503);
    await measure(96, 1);
    await expect(shown()).resolves.toMatchObject({ value: 96 });
    await expect(shown()).resolves.not.toHaveProperty('other');
  });

  it('has the times of before, and goes on, when the clock of the server is set at its end', async () => {
    await measure(97, 5);
    await stopStoring();
    await measure(80, 60, 5);
    await measure(97, 60, 4);
    const [before] = await ofSpo2();
    expect(before).toMatchObject({ condition: 'ended', latched: true });
    const hours = 2 * 3_600_000;
    test.setWallClock(hours);
    await heal();
    heal = () => Promise.resolve();
    // Tried once a second until what was judged is stored.
    const check = async (): Promise<boolean> =>
      await test.server.clockWatch.check().then(
        () => true,
        () => false,
      );
    while (!(await check())) {
      await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id }]);
      passSecond();
    }
    const raisedAt = toInstant(Date.parse(before?.raisedAt ?? '') + hours);
    await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id, raisedAt, condition: 'ended', latched: true }]);
  });

  it('is judged by the time of measuring, also if the clock of its device is set back', async () => {
    ahead = 600_000;
    await measure(97, 30);
    await stopStoring();
    ahead = 0;
    sent = [];
    await measure(80, 60, 5);
    await expect(shown()).resolves.toMatchObject({ value: 80, notStored: true });
    await expect(ofSpo2()).resolves.toMatchObject([{ condition: 'active' }]);
  });

  it('is kept for all others if one patient’s part can never be stored', async () => {
    const other = await test.addPatient(site);
    await measure(97, 5);
    const refuse =
      engine === 'sqlite'
        ? sql.raw(`CREATE TRIGGER refuse BEFORE INSERT ON alerts WHEN NEW.patient_id = ${other}
            BEGIN SELECT RAISE(ABORT, 'never'); END`)
        : sql.raw(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.patient_id = ${other} THEN RAISE EXCEPTION 'never'; END IF; RETURN NEW; END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await refuse.execute(test.store.db);
    drops = engine === 'sqlite' ? ['DROP TRIGGER refuse'] : ['DROP FUNCTION refuse CASCADE'];
    await stopStoring();
    await measure(80, 60, 5);
    const [before] = await ofSpo2();
    test.server.alerts.judgeUnstored(samplesOf(other));
    expect((await ofSpo2()).map(({ patientId: of }) => of).sort()).toEqual([patientId, other].sort());
    await recover();
    await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id, patientId }]);
    await test.restart();
    await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id, patientId }]);
  });

  if (engine === 'postgres') {
    it('waits on if the store goes away while the parts are stored one by one', async () => {
      const other = await test.addPatient(site);
      await measure(97, 5);
      const { db } = test.store;
      const refuse = (fullFor: number) =>
        sql.raw(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.patient_id = ${other} THEN RAISE EXCEPTION 'never'; END IF;
          IF NEW.patient_id = ${fullFor} THEN
            PERFORM nextval('refused');
            RAISE EXCEPTION 'full' USING ERRCODE = '53100';
          END IF;
          RETURN NEW; END $$`);
      await sql`CREATE SEQUENCE refused`.execute(db);
      await refuse(patientId).execute(db);
      await sql`CREATE TRIGGER refuse BEFORE INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION refuse()`.execute(db);
      drops = ['DROP FUNCTION refuse CASCADE', 'DROP SEQUENCE refused'];
      await stopStoring();
      // Its part comes first, so that all together fail by it.
      test.server.alerts.judgeUnstored(samplesOf(other));
      await measure(80, 60, 5);
      const before = (await ofSpo2()).find(({ patientId: of }) => of === patientId);
      await heal();
      heal = () => Promise.resolve();
      const isRefused = async (): Promise<boolean> => {
        await test.server.alerts.evaluateClock();
        const { rows } = await sql<{ is_called: boolean }>`SELECT is_called FROM refused`.execute(db);
        return rows[0]?.is_called === true;
      };
      while (!(await isRefused())) {
        passSecond();
      }
      await refuse(0).execute(db);
      await recover();
      await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id, raisedAt: before?.raisedAt, patientId }]);
      await test.restart();
      await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id, raisedAt: before?.raisedAt, patientId }]);
    });
  }

  it('is neither shown nor judged if the fault is the server’s own', async () => {
    await measure(97, 5);
    const allowCommits = await refuseCommits(test.store);
    await expect(measure(80, 60, 5)).resolves.toEqual([500]);
    await expect(shown()).resolves.toMatchObject({ value: 97 });
    await expect(ofSpo2()).resolves.toEqual([]);
    await allowCommits();
  });

  if (engine === 'postgres') {
    it('is judged also if PostgreSQL cannot be reached, or takes no samples alone', async () => {
      await measure(97, 5);
      const { store } = test;
      if (store.engine === 'sqlite') {
        throw new Error('This is about PostgreSQL');
      }
      const away = jest.spyOn(store.pool, 'connect').mockImplementation(() => {
        throw Object.assign(new Error('away'), { code: 'EHOSTUNREACH' });
      });
      await expect(measure(80, 60, 5)).resolves.toEqual([503]);
      await expect(shown()).resolves.toMatchObject({ value: 80, notStored: true });
      const [before] = await ofSpo2();
      expect(before).toMatchObject({ condition: 'active', notStored: true });
      away.mockRestore();
      await sql`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END $$`.execute(store.db);
      await sql`CREATE TRIGGER full_disk BEFORE INSERT ON samples FOR EACH STATEMENT
      EXECUTE FUNCTION full_disk()`.execute(store.db);
      drops = ['DROP FUNCTION full_disk CASCADE'];
      await recover();
      await expect(measure(80, 30, 5)).resolves.toEqual([503]);
      await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id, condition: 'active' }]);
      await measure(97, 200, 8);
      await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id, condition: 'ended' }]);
    });
  }

  it('has an id that no other alert has, if it is lost', async () => {
    const other = await test.addPatient(site);
    await stopStoring();
    await measure(80, 60, 5);
    const [lost] = await ofSpo2();
    await heal();
    heal = () => Promise.resolve();
    await test.restart();
    patientId = other;
    sent = [];
    await measure(80, 60, 5);
    const ids = (await ofSpo2()).map(({ id }) => id);
    expect(ids).toHaveLength(1);
    expect(ids).not.toContain(lost?.id);
  });

  it('is listed also while nothing can be read, with people by their initials', async () => {
    await measure(80, 60, 5);
    const [alert] = await ofSpo2();
    await nurse.call('POST', `/api/v2/alerts/${alert?.id}/acknowledge`, { version: alert?.version });
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: new pg.Pool({ port: 1 }) }) });
    const away = { ...test.server, store: { ...test.store, db } };
    const user = {
      id: nurse.userId,
      type: 'nurse',
      site: { emergencyNumber: null, rapidResponseNumber: null },
    } as const;
    const ofAlert = test.server.alerts.listOpen(site).filter(({ id }) => id === alert?.id);
    const items = await presentAlerts(away, ofAlert, user, test.now());
    const [listed] = await presentAlerts(test.server, ofAlert, user, test.now());
    expect(listed?.acknowledged?.by).toMatchObject({ id: nurse.userId });
    expect(items).toMatchObject([
      { id: alert?.id, acknowledged: { by: { name: initialsOf(listed?.acknowledged?.by.name ?? '') } }, undo: null },
    ]);
    await db.destroy();
  });

  it('leaves the alarm path at work: every heartbeat is heard, before, meanwhile and after', async () => {
    const beat = createHeartbeat(test.server);
    const round = async (): Promise<boolean> => {
      const { isComplete } = await beat();
      test.advance(30_000);
      await test.server.alerts.evaluateClock();
      return isComplete;
    };
    // Once it serves, the server waits less for a locked file.
    await measure(97, 1);
    await round();
    await round();
    await stopStoring();
    const beats = [await round(), await round(), await round(), await round()];
    await recover();
    expect([...beats, await round(), await round()]).toEqual([true, true, true, true, true, true]);
  });
});

describe('hungTick', () => {
  const second = 1_000;
  let test: TestServer;
  let site: number;
  let patient: number;
  let device: { id: number; token: string };
  let nurse: Caller;
  let where: TestDatabase;

  async function start(engine: Engine): Promise<void> {
    where = await createTestDatabase(engine, true);
    const variables: Record<string, string> = {};
    if (where.databaseUrl !== null) {
      const url = new URL(where.databaseUrl);
      // The time of the tests passes at once, also for a query that has just begun.
      url.searchParams.set('query_timeout', String(24 * 3_600 * second));
      variables.DATABASE_URL = url.toString();
    }
    // A server of its own: its store hangs.
    test = await startTestServer(engine, variables);
    await test.app.ready();
    site = await test.addSite();
    await test.startRules(site);
    device = await test.addDevice(site);
    patient = await test.addPatient(site);
    nurse = await test.signIn(site, 'nurse');
    // Only what gives up: the driver and the server itself go on by their own clocks.
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
    });
  }
  async function stop(): Promise<void> {
    jest.useRealTimers();
    await test.stop();
    await where.remove();
  }

  const send = (value: number) => {
    const takenAt = toInstant(test.now());
    return test.ingest(device.token, [{ patientId: patient, kind: 'spo2', value, takenAt, quality: 'good' }], {
      sentAt: takenAt,
    });
  };
  /** Runs the tick's job once, and resolves with whether it succeeded. */
  const tick = (): Promise<boolean> => {
    const job = jobsOf(test.server, { tick: () => Promise.resolve() }).find(
      ({ name }) => name === 'alerts by the clock',
    );
    return (
      job?.run(new AbortController().signal).then(
        () => true,
        () => false,
      ) ?? Promise.resolve(false)
    );
  };
  const pass = async (ms: number): Promise<void> => {
    test.advance(ms);
    await jest.advanceTimersByTimeAsync(ms);
  };
  /** Locks the table of alerts while `work` runs. The end of its connection ends the lock, also if `work` fails. */
  const lockAlerts = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
    const client = new pg.Client({ connectionString: String(test.server.env.databaseUrl) });
    await client.connect();
    try {
      await client.query('BEGIN; LOCK TABLE alerts IN ACCESS EXCLUSIVE MODE');
      await work(client);
      await client.query('COMMIT');
    } finally {
      await client.end();
    }
  };
  const isReady = async (): Promise<boolean> => (await test.app.inject('/readyz')).statusCode === 200;
  const open = async (): Promise<AlertItem[]> =>
    (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>().items;
  const logOf = async (id: number): Promise<string[]> =>
    (await nurse.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items.map(({ is }) => is);

  describe.each(apiEngines)('an evaluation by the clock that hangs, on %s', (engine) => {
    beforeEach(() => start(engine));
    afterEach(stop);

    it('is given up after 10 s: the page says so meanwhile, and the next one that can run heals it', async () => {
      await send(97);
      expect([await tick(), await isReady()]).toEqual([true, true]);
      // Something in the store's queue never ends.
      const stuck = test.store.writeQueue(() => new Promise(() => undefined)).catch(() => 'given up');
      const hung = tick();
      const lost = send(97);
      await pass(11 * second);
      await expect(hung).resolves.toBe(false);
      await expect(isReady()).resolves.toBe(false);
      const next = tick();
      await pass(9 * second);
      await expect(stuck).resolves.toBe('given up');
      await expect(next).resolves.toBe(true);
      expect((await lost).statusCode).toBe(200);
      // As its job does each second.
      await test.server.storage.check();
      await expect(isReady()).resolves.toBe(true);
    });

    it('holds back no other one if it hangs before it comes to the queue', async () => {
      const read = jest
        .spyOn(PeopleAndSites.prototype, 'readPeopleAgain')
        .mockReturnValueOnce(new Promise(() => undefined));
      const hung = tick();
      await pass(10 * second);
      await expect(hung).resolves.toBe(false);
      await expect(tick()).resolves.toBe(true);
      read.mockRestore();
    });
  });

  describe('an evaluation by the clock that ends late, on postgres alone', () => {
    beforeEach(() => start('postgres'));
    afterEach(stop);

    it('changes nothing any more: the alert is raised once, by the one that came after it', async () => {
      await send(97);
      // Silence is due, and the store does not answer.
      await lockAlerts(async (client) => {
        test.advance(70 * second);
        const hung = tick();
        const isWaiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'alerts'::regclass`;
        while ((await client.query(isWaiting)).rows.length === 0) {
          // Asked until the tick has come to the lock.
        }
        await pass(20 * second);
        await expect(hung).resolves.toBe(false);
        expect(test.server.alerts.listOpen(site)).toEqual([]);
      });
      // Until the transaction that was given up has ended, a row of it may be locked.
      while (!(await tick())) {
        await pass(second);
      }
      const items = await open();
      expect(items.map(({ parameter }) => parameter)).toEqual(['reporting']);
      expect((await logOf(items[0]?.id ?? 0)).filter((is) => is === 'raised')).toEqual(['raised']);
      const rows = await test.store.db.selectFrom('alerts').select('id').where('patient_id', '=', patient).execute();
      expect(rows).toHaveLength(1);
      expect(test.server.alerts.listOpen(site).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    });
  });

  describe('a lock that nothing ends, on postgres alone', () => {
    beforeEach(async () => {
      await start('postgres');
      jest.useRealTimers();
    });
    afterEach(stop);

    it('takes no connection for ever: all that wait for it are refused, and the pool answers meanwhile', async () => {
      const { db } = test.store;
      await lockAlerts(async () => {
        const waiting = Array.from({ length: 8 }, () =>
          db
            .selectFrom('alerts')
            .select('id')
            .execute()
            .catch((error: unknown) => error),
        );
        await expect(Promise.all(waiting)).resolves.toEqual(
          waiting.map(() => expect.objectContaining({ code: '57014' }) as unknown),
        );
        await expect(test.store.checkWritable()).resolves.toBeUndefined();
        const list = await nurse.call('GET', '/api/v2/patients');
        expect(list.statusCode).toBe(200);
      });
      await expect(db.selectFrom('alerts').select('id').execute()).resolves.toEqual([]);
    });
  });
});

describe('heartbeat', () => {
  let test: TestServer;

  /** A beat and the 30 s after it, at whose end the clock is evaluated. */
  async function round(beat: () => Promise<Beat>, evaluate = test.server.alerts.evaluateClock): Promise<Beat> {
    const result = await beat();
    test.advance(30_000);
    await evaluate();
    return result;
  }

  describe.each(apiEngines)('the heartbeat on %s', (engine) => {
    // A server of its own: its alarm path is watched, and its heartbeats are counted.
    beforeAll(async () => {
      test = await startTestServer(engine);
    });
    beforeEach(async () => {
      // Whatever beat before is long silent.
      test.advance(600_000);
      await test.server.alerts.evaluateClock();
    });
    afterAll(() => test.stop());

    it('goes through ingest, rule and event, and through a silence that the clock notices, every 30 s', async () => {
      const beat = createHeartbeat(test.server);
      const beats: boolean[] = [];
      for (let count = 0; count < 8; count += 1) {
        const { tookMs, isComplete } = await round(beat);
        expect(tookMs).toBeGreaterThan(0);
        beats.push(isComplete);
      }
      // Each of the two streams has to be silent once before.
      expect(beats).toEqual([false, false, true, true, true, true, true, true]);
    });

    it('is missed if the clock is not evaluated, and heard again after it is', async () => {
      const beat = createHeartbeat(test.server);
      const asleep = (): Promise<void> => Promise.resolve();
      await round(beat);
      await round(beat);
      await expect(round(beat)).resolves.toMatchObject({ isComplete: true });
      await expect(round(beat, asleep)).resolves.toMatchObject({ isComplete: true });
      await expect(round(beat, asleep)).rejects.toThrow('The silence of the heartbeat was not noticed');
      test.advance(30_000);
      await expect(round(beat, asleep)).rejects.toThrow('The silence of the heartbeat was not noticed');
      test.advance(30_000);
      await test.server.alerts.evaluateClock();
      const after: (boolean | 'missed')[] = [];
      for (let count = 0; count < 4; count += 1) {
        after.push(
          await round(beat).then(
            ({ isComplete }) => isComplete,
            () => 'missed' as const,
          ),
        );
      }
      expect(after.slice(-2)).toEqual([true, true]);
    });

    it('is heard after a start that follows the beat before it at once', async () => {
      const backups = { tick: () => Promise.resolve() };
      const job = jobsOf(test.server, backups).find(({ name }) => name === 'heartbeat');
      await createHeartbeat(test.server)();
      test.advance(job?.firstAfterMs ?? 0);
      await test.server.alerts.evaluateClock();
      await expect(createHeartbeat(test.server)()).resolves.toMatchObject({ isComplete: false });
    }, 20_000);

    it('is missed if the store takes nothing', async () => {
      const { recorder } = test.server;
      const beat = createHeartbeat({
        ...test.server,
        recorder: { ...recorder, record: () => Promise.reject(new Error('disk full')) },
      });
      await expect(beat()).rejects.toThrow('disk full');
    });

    it('is missed if no event comes', async () => {
      jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick', 'queueMicrotask', 'Date'] });
      const beat = createHeartbeat({
        ...test.server,
        alerts: { ...test.server.alerts, onChange: () => () => undefined },
      });
      const heard = beat().then(
        () => 'heard',
        (error: unknown) => String(error),
      );
      await jest.advanceTimersByTimeAsync(10_000);
      jest.useRealTimers();
      await expect(heard).resolves.toBe('Error: The heartbeat was not heard');
    });

    it('counts only complete beats, and only they keep the alarm path from being reported', async () => {
      const { server } = test;
      const backups = { tick: () => Promise.resolve() };
      const job = (of: Server) => jobsOf(of, backups).find(({ name }) => name === 'heartbeat');
      const own = job(server);
      const { signal } = new AbortController();
      server.alertPath.started();
      const ages: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        await own?.run(signal);
        ages.push(test.now() - server.alertPath.read().lastHeartbeatAt);
        test.advance(30_000);
        await server.alerts.evaluateClock();
        server.alertPath.ticked();
        expect(server.alertPath.stoppedSince()).toBeNull();
      }
      expect(ages).toEqual([0, 30_000, 0, 0, 0]);
      const metrics = (await test.app.inject('/metrics')).body;
      expect(metrics).toContain('\nwardlight_heartbeats_total 3\n');
      expect(metrics).toContain('\nwardlight_heartbeat_age_seconds 30\n');
    });
  });

  describe.each(apiEngines)('the heartbeat of a new server on %s', (engine) => {
    // A server for each: the clock is set, or all that heartbeats have left is counted.
    beforeEach(async () => {
      test = await startTestServer(engine);
    });
    afterEach(() => test.stop());

    it.each([-3_600_000, -90_000, 7_200_000])(
      'is complete again within 90 s after the wall clock was set by %i ms',
      async (step) => {
        const beat = createHeartbeat(test.server);
        for (let count = 0; count < 6; count += 1) {
          await round(beat);
        }
        test.setWallClock(step);
        await test.server.clockWatch.check();
        const after: (boolean | 'missed')[] = [];
        for (let count = 0; count < 10; count += 1) {
          after.push(
            await round(beat).then(
              ({ isComplete }) => isComplete,
              () => 'missed' as const,
            ),
          );
        }
        expect(after.slice(0, 3)).toContain(true);
        expect(after.slice(3)).toEqual(Array.from({ length: 7 }, () => true));
      },
    );

    it('is in no list, count, export or metric, and leaves nothing that grows', async () => {
      const site = await test.addSite();
      const beat = createHeartbeat(test.server);
      const rows = async (): Promise<Record<string, number>> => {
        const found: Record<string, number> = {};
        for (const table of ['samples', 'minutes', 'rule_states', 'latest_values', 'alerts', 'alert_events'] as const) {
          const { count } = await test.store.db
            .selectFrom(table)
            .select((select) => select.fn.countAll().as('count'))
            .where('site_id', '=', 0)
            .executeTakeFirstOrThrow();
          found[table] = Number(count);
        }
        return found;
      };
      const play = async (count: number): Promise<void> => {
        for (let beats = 0; beats < count; beats += 1) {
          await round(beat);
          await test.server.rollups.catchUp(test.server.recorder.inFlight);
        }
      };
      const expectNoMore = (after: Record<string, number>, before: Record<string, number>): void => {
        for (const [table, count] of Object.entries(after)) {
          expect([table, count]).toEqual([table, expect.any(Number)]);
          expect(count).toBeLessThanOrEqual((before[table] ?? 0) + 4);
        }
      };
      await play(20);
      const { alerts = NaN, alert_events = NaN } = await rows();
      expect(alert_events).toBeGreaterThan(20);
      // Longer than alerts of the heartbeat are kept. Samples of before a pause are left to the retention.
      test.advance(62 * 60_000);
      await test.server.alerts.evaluateClock();
      await play(20);
      const before = await rows();
      expectNoMore(
        { alerts: before.alerts ?? NaN, alert_events: before.alert_events ?? NaN },
        { alerts, alert_events },
      );
      await play(10);
      const { alerts: _alerts, alert_events: _events, ...after } = await rows();
      expectNoMore(after, before);
      expect(after.samples).toBeLessThan(200);
      expect(after.minutes).toBeLessThan(20);

      const nurse = await test.signIn(site, 'nurse');
      const ids = heartbeatPatients.map(({ id }) => id);
      await expect(test.store.db.selectFrom('patients').select('id').where('id', 'in', ids).execute()).resolves.toEqual(
        [],
      );
      expect([...test.server.liveState.patients.keys()].filter((id) => ids.includes(id))).toEqual([]);
      for (const state of ['open', 'closed']) {
        const page = (await nurse.call('GET', `/api/v2/alerts?state=${state}&pageSize=500`)).json<AlertsPage>();
        expect([page.items, page.total]).toEqual([[], 0]);
      }
      expect((await nurse.call('GET', '/api/v2/patients')).json<{ total: number }>().total).toBe(0);
      expect((await test.app.inject('/metrics')).body).toContain('\nwardlight_patients 0\n');
    });
  });
});

describe('restart.property', () => {
  const second = 1_000;
  const minute = 60 * second;

  /** What happens to the three patients: values of a while, a standby, or nothing but time. */
  type Step =
    | {
        is: 'values';
        patient: number;
        spo2: number;
        rate: number;
        seconds: number;
        every: number;
        quality: 'good' | 'questionable' | 'invalid';
      }
    | { is: 'reading'; kind: 'spo2' | 'temperature' | 'heartRate'; value: number; agoMinutes: number }
    | { is: 'standby'; patient: number; minutes: number }
    | { is: 'wait'; seconds: number };

  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        is: fc.constant('values' as const),
        patient: fc.integer({ min: 0, max: 1 }),
        spo2: fc.constantFrom(70, 86, 91, 93, 97),
        rate: fc.constantFrom(38, 75, 115, 135, 155),
        seconds: fc.constantFrom(5, 17, 40, 58),
        every: fc.constantFrom(1, 2, 5),
        quality: fc.constantFrom('good' as const, 'good' as const, 'questionable' as const, 'invalid' as const),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.oneof(
        ...(
          [
            ['spo2', [84, 91, 97]],
            ['temperature', [34, 37, 38.6, 39.5]],
            ['heartRate', [45, 75, 125]],
          ] as const
        ).map(([kind, values]) =>
          fc.record({
            is: fc.constant('reading' as const),
            kind: fc.constant(kind),
            value: fc.constantFrom(...values),
            agoMinutes: fc.constantFrom(0, 3, 50),
          }),
        ),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        is: fc.constant('standby' as const),
        patient: fc.integer({ min: 0, max: 2 }),
        minutes: fc.constantFrom(1, 5),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ is: fc.constant('wait' as const), seconds: fc.constantFrom(1, 20, 60, 200, 700) }),
    },
  );

  // Two servers of their own. Both play the same in sites of their own, so that time passes equally and the store of
  // both gives the same numbers.
  let whole: TestServer;
  let restarted: TestServer;
  beforeAll(async () => {
    whole = await startTestServer('sqlite');
    restarted = await startTestServer('sqlite');
  });
  afterAll(async () => {
    await whole.stop();
    await restarted.stop();
  });

  /**
   * Plays the steps in a new site, each with whether the server is restarted after it, and returns what the store has
   * of the site's alerts then.
   */
  async function play(
    test: TestServer,
    steps: readonly (readonly [Step, boolean])[],
    restarts: boolean,
  ): Promise<object[]> {
    const site = await test.addSiteAlone();
    const monitor = await test.addDevice(site);
    const meter = await test.addDevice(site, { name: 'meter' });
    // Of a patient without a unit the users of the site are asked, who are read again only every ten seconds.
    const location = { unit: 'West', bed: '1' };
    const continuous = [await test.addPatient(site, { location }), await test.addPatient(site, { location })];
    const atHome = await test.addPatient(site, { profile: 'home', location });
    for (const [one, isRestarted] of steps) {
      // An unused screen locks itself, so the user signs in again before an action.
      await take(test, await test.signIn(site, 'nurse'), one, {
        monitor: monitor.token,
        meter: meter.token,
        continuous,
        atHome,
      });
      // As the timers of the server do every second.
      await test.server.rollups.catchUp(test.server.recorder.inFlight);
      await test.server.alerts.evaluateClock();
      if (isRestarted && restarts) {
        await test.restart();
        await test.server.rollups.catchUp(test.server.recorder.inFlight);
        await test.server.alerts.evaluateClock();
      }
    }
    return await rowsOf(test, site);
  }

  interface Ward {
    monitor: string;
    meter: string;
    continuous: readonly number[];
    atHome: number;
  }

  async function take(
    test: TestServer,
    nurse: Caller,
    one: Step,
    { monitor, meter, continuous, atHome }: Ward,
  ): Promise<void> {
    const send = async (token: string, samples: object[]): Promise<void> => {
      expect((await test.ingest(token, samples, { sentAt: toInstant(test.now()) })).statusCode).toBe(200);
    };
    switch (one.is) {
      case 'values': {
        const patientId = continuous[one.patient];
        test.advance(one.seconds * second);
        const samples: object[] = [];
        for (let ago = one.seconds - 1; ago >= 0; ago -= one.every) {
          const takenAt = toInstant(test.now() - ago * second);
          samples.push({ patientId, kind: 'spo2', value: one.spo2, takenAt, quality: one.quality });
          samples.push({ patientId, kind: 'heartRate', value: one.rate, takenAt, quality: one.quality });
        }
        await send(monitor, samples);
        return;
      }
      case 'reading': {
        test.advance(second);
        const takenAt = toInstant(test.now() - one.agoMinutes * minute);
        await send(meter, [{ patientId: atHome, kind: one.kind, value: one.value, takenAt, quality: 'good' }]);
        return;
      }
      case 'standby': {
        const patientId = [...continuous, atHome][one.patient] ?? atHome;
        const answer = await nurse.call('POST', `/api/v2/patients/${patientId}/standby`, {
          reason: 'A wash',
          minutes: one.minutes,
        });
        expect(answer.statusCode).toBe(201);
        return;
      }
      case 'wait':
        test.advance(one.seconds * second);
        return;
      default:
        one satisfies never;
    }
  }

  /**
   * Silence of a monitor, a probe or a gateway counts from the start of the server, so a restart delays these alerts.
   */
  const silences: readonly string[] = ['reporting', 'sensor', 'gateway', 'readings', 'news2'];

  async function rowsOf({ store }: TestServer, site: number): Promise<object[]> {
    const alerts = await store.db.selectFrom('alerts').selectAll().where('site_id', '=', site).orderBy('id').execute();
    const events = await store.db
      .selectFrom('alert_events')
      .select(['alert_id', 'event'])
      .where('site_id', '=', site)
      .orderBy('id')
      .execute();
    return alerts
      .filter(({ parameter }) => !silences.includes(parameter))
      .map(({ id, facts, evidence, ...row }) => ({
        ...row,
        facts: JSON.parse(facts) as unknown,
        evidence: JSON.parse(evidence) as unknown,
        log: events.filter(({ alert_id }) => alert_id === id).map(({ event }) => JSON.parse(event) as unknown),
      }));
  }

  /**
   * What is found only by chance: doubtful and invalid values, and nothing else, long after those that an alert rests
   * on.
   */
  const onceWrong: [Step, boolean][] = [
    [{ is: 'values', patient: 0, spo2: 97, rate: 135, seconds: 58, every: 1, quality: 'good' }, true],
    [{ is: 'values', patient: 1, spo2: 91, rate: 155, seconds: 58, every: 5, quality: 'good' }, true],
    [{ is: 'values', patient: 1, spo2: 86, rate: 115, seconds: 40, every: 5, quality: 'good' }, false],
    [{ is: 'values', patient: 0, spo2: 86, rate: 155, seconds: 58, every: 1, quality: 'good' }, false],
    [{ is: 'wait', seconds: 200 }, true],
    [{ is: 'reading', kind: 'heartRate', value: 125, agoMinutes: 0 }, true],
    [{ is: 'values', patient: 0, spo2: 86, rate: 38, seconds: 5, every: 5, quality: 'invalid' }, true],
  ];

  it('alerts and their logs are the same whether or not the server was restarted in between', async () => {
    let change = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { minLength: 8, maxLength: 14 }), async (steps) => {
        const without = await play(whole, steps, false);
        change += without.length;
        await expect(play(restarted, steps, true)).resolves.toEqual(without);
      }),
      {
        seed: Number(process.env.RESTART_SEED ?? 1),
        numRuns: Number(process.env.RESTART_RUNS ?? 3),
        endOnFailure: true,
        examples: [[onceWrong]],
      },
    );
    expect(change).toBeGreaterThan(0);
  }, 600_000);
});
