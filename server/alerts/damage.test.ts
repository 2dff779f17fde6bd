import fc from 'fast-check';
import { sql } from 'kysely';
import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { PatientResponse } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const year = 365 * 24 * 3_600_000;

describe.each(apiEngines)('a damaged store of the alarm path on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let device: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    // A server of its own: each start counts what is damaged.
    test = await startTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
  });
  beforeEach(async () => {
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
      { numRuns: 5, examples: [['null'], ['{"streams":{"oxygenation":{"feeds":1}}}']] },
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
      await expect(metrics()).resolves.toContain('wardlight_unreadable_rows_total{what="alert"} 1');

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
