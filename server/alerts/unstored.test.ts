import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { toInstant } from '../../lib/time/schema';
import type { AlertItem } from '../../lib/alerts/schema';
import type { Patient } from '../../lib/patients/schema';
import { engines } from '../../test/database';
import { refuseCommits } from '../../test/refuseCommits';
import { refuseWrites } from '../../test/refuseWrites';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import type { Database } from '../db/schema';
import { initialsOf } from '../../lib/users/initialsOf';
import { kinds } from '../../lib/vitals/kinds';
import type { Sample } from '../vitals/sample';
import { createHeartbeat } from './heartbeat';
import { presentAlerts } from './queries';

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

  // A server of its own: its store takes no writes for a time.
  beforeAll(async () => {
    test = await startTestServer(engine);
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    site = await test.addSite();
    await test.startRules(site);
    nurse = await test.signIn(site, 'nurse');
    patientId = await test.addPatient(site);
    ({ id: deviceId, token } = await test.addDevice(site));
    sent = [];
    ahead = 0;
    heal = () => Promise.resolve();
    drops = [];
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
  /** Lets the store take writes again, and waits for the next evaluation by the clock that stores. */
  const recover = async (): Promise<void> => {
    await heal();
    heal = () => Promise.resolve();
    do {
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
    await expect(measure(80, 90)).resolves.toEqual([503]);
    await expect(shown()).resolves.toMatchObject({ value: 80, asOf: toInstant(test.now()), notStored: true });
    await expect(ofSpo2()).resolves.toMatchObject([{ condition: 'active', priority: 'high', notStored: true }]);
    await expect(storedEvents()).resolves.toEqual([]);
  });

  it('has its alert on record afterwards, once, and what is sent again raises nothing', async () => {
    await measure(97, 5);
    await stopStoring();
    await measure(80, 90);
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
    await measure(80, 60);
    await measure(97, 240, 4);
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
    await measure(80, 60);
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
    await measure(80, 60);
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
    await measure(80, 60);
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
    await measure(80, 60);
    await measure(97, 60, 2);
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
    await measure(80, 60);
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
    await measure(80, 60);
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
      await measure(80, 60);
      const before = (await ofSpo2()).find(({ patientId: of }) => of === patientId);
      await heal();
      heal = () => Promise.resolve();
      const isRefused = async (): Promise<boolean> => {
        await test.server.alerts.evaluateClock();
        const { rows } = await sql<{ is_called: boolean }>`SELECT is_called FROM refused`.execute(db);
        return rows[0]?.is_called === true;
      };
      while (!(await isRefused())) {
        // Tried once a second.
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
    await expect(measure(80, 30)).resolves.toEqual([500]);
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
      await expect(measure(80, 60)).resolves.toEqual([503]);
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
      await expect(measure(80, 30)).resolves.toEqual([503]);
      await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id, condition: 'active' }]);
      await measure(97, 200, 5);
      await expect(ofSpo2()).resolves.toMatchObject([{ id: before?.id, condition: 'ended' }]);
    });
  }

  it('has an id that no other alert has, if it is lost', async () => {
    const other = await test.addPatient(site);
    await stopStoring();
    await measure(80, 60);
    const [lost] = await ofSpo2();
    await heal();
    heal = () => Promise.resolve();
    await test.restart();
    patientId = other;
    sent = [];
    await measure(80, 60);
    const ids = (await ofSpo2()).map(({ id }) => id);
    expect(ids).toHaveLength(1);
    expect(ids).not.toContain(lost?.id);
  });

  it('is listed also while nothing can be read, with people by their initials', async () => {
    await measure(80, 60);
    const [alert] = await ofSpo2();
    await nurse.call('POST', `/api/v2/alerts/${alert?.id}/acknowledge`, { version: alert?.version });
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: new pg.Pool({ port: 1 }) }) });
    const away = { ...test.server, store: { ...test.store, db } };
    const user = { id: nurse.userId, type: 'nurse' } as const;
    const items = await presentAlerts(away, test.server.alerts.listOpen(site), user, test.now());
    const [listed] = await presentAlerts(test.server, test.server.alerts.listOpen(site), user, test.now());
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
