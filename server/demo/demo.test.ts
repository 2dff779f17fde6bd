import type { LightMyRequestResponse } from 'fastify';
import { chart } from '../../lib/chart/schema';
import { handoffsResponse } from '../../lib/handoffs/schema';
import { ownNotesResponse } from '../../lib/notes/schema';
import { patientsPage } from '../../lib/patients/schema';
import { reportsResponse } from '../../lib/reports/schema';
import type { DemoResponse } from '../../lib/session/schema';
import { toInstant } from '../../lib/time/schema';
import { kinds } from '../../lib/vitals/kinds';
import { cast } from '../../simulator/cast';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import { startTestServer, type TestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import { writeDemoCharts } from './demoCharts';
import { demoEntries } from './demoEntries';
import { writeDemoHandoffs, writeDemoNotes } from './demoRecord';
import { writeDemoReports } from './demoReports';
import { writeDemoSymptoms } from './demoSymptoms';
import { storedMinutes } from './demo';

describe('demo', () => {
  const url = '/api/v2/demo';
  const refusal = (answer: { statusCode: number; json: <T>() => T }) => [
    answer.statusCode,
    answer.json<{ error: { code: string } }>().error.code,
  ];

  let test: TestServer;

  const click = (payload: object = {}, headers: Record<string, string> = {}) =>
    test.app.inject({ method: 'POST', url, payload, headers });
  const counts = async () => ({
    sites: (await test.store.db.selectFrom('sites').select('id').execute()).length,
    users: (await test.store.db.selectFrom('users').select('id').execute()).length,
    patients: (await test.store.db.selectFrom('patients').select('id').execute()).length,
  });
  const empty = { sites: 0, users: 0, patients: 0 };
  const signIn = async ({ email, password }: { email: string; password: string }) => {
    const answer = await test.app.inject({ method: 'POST', url: '/api/v2/auth/sign-in', payload: { email, password } });
    return { answer, cookies: Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value])) };
  };

  describe.each(apiEngines)('an empty installation on %s', (engine) => {
    // A server of its own: only one without users makes a demo ward. Each refusal leaves it as it was.
    beforeAll(async () => {
      test = await startTestServer(engine);
    });
    afterAll(() => test.stop());

    it.each([
      ['through a proxy that says so', {}, { 'x-forwarded-for': '203.0.113.7' }, [403, 'wrong_code']],
      ['through a proxy, with a wrong code', { code: 'AAAAA' }, { via: '1.1 proxy' }, [403, 'wrong_code']],
      ['by a foreign name that points here', {}, { host: 'ward.example' }, [403, 'https_needed']],
      ['from a page of another origin', {}, { origin: 'https://evil.example' }, [403, 'xsrf']],
      ['from a frame of another site', {}, { 'sec-fetch-site': 'cross-site' }, [403, 'xsrf']],
      ['as a form', undefined, { 'content-type': 'text/plain' }, [415, 'unsupported_media_type']],
      ['with an unknown time zone', { timeZone: 'Europe/Nowhere' }, {}, [422, 'invalid']],
      ['with what is not asked', { password: 'chosen by me, and long' }, {}, [422, 'invalid']],
    ])('refuses a demo ward %s', async (_, payload, headers, expected) => {
      const answer = await test.app.inject({ method: 'POST', url, payload: payload ?? '{}', headers });
      expect(refusal(answer)).toEqual(expected);
      await expect(counts()).resolves.toEqual(empty);
    });

    it('creates no demo ward without the code if the configuration names a proxy, but with the code', async () => {
      const behindProxy = await startTestServer(engine, { PUBLIC_URL: 'http://localhost' });
      const post = (payload: object) => behindProxy.app.inject({ method: 'POST', url, payload });
      expect(refusal(await post({}))).toEqual([403, 'wrong_code']);
      expect((await post({ code: behindProxy.server.setup.code })).statusCode).toBe(201);
      await behindProxy.stop();
    });
  });

  describe.each(apiEngines)('an installation with a user on %s', (engine) => {
    it('refuses a demo ward, and changes nothing', async () => {
      test = await sharedTestServer(engine);
      await test.addUser(await test.addSite(), 'viewer');
      const before = await counts();
      expect(refusal(await click())).toEqual([409, 'already_set_up']);
      await expect(test.server.demo.create(system, 'UTC')).rejects.toMatchObject({
        status: 409,
        code: 'already_set_up',
      });
      await expect(counts()).resolves.toEqual(before);
      await expect(test.server.demo.exists()).resolves.toBe(false);
    });
  });

  // One ward for all, on a server of its own: it is made, and each test looks at another part of it. Only the last one
  // changes something.
  describe.each(apiEngines)('the demo ward on %s', (engine) => {
    let clicks: LightMyRequestResponse[];
    let people: DemoResponse['people'];
    beforeAll(async () => {
      test = await startTestServer(engine);
      await listen();
      const timeZone = 'Europe/Lisbon';
      clicks = await Promise.all([click({ timeZone }), click({ timeZone }), click({ timeZone })]);
      people = clicks.find(({ statusCode }) => statusCode === 201)?.json<DemoResponse>().people ?? [];
    });
    afterAll(() => test.stop());

    const listen = () => test.app.listen({ port: 0, host: '127.0.0.1' });
    const personOf = (wanted: string) => {
      const person = people.find(({ type }) => type === wanted);
      if (person === undefined) {
        throw new Error(`There is no ${wanted}`);
      }
      return person;
    };

    it('is made once when several click at once', async () => {
      expect(clicks.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
      await expect(counts()).resolves.toEqual({ sites: 1, users: 5, patients: 24 });
    });

    it('signs the nurse in with the password that is shown once, and shows 24 invented patients', async () => {
      const { answer, cookies } = await signIn(personOf('nurse'));
      expect(answer.json()).toMatchObject({
        type: 'nurse',
        isAdmin: false,
        site: { name: 'Demo ward', timeZone: 'Europe/Lisbon', isDemo: true, rulesAreOn: true },
      });
      const list = patientsPage.parse(
        (await test.app.inject({ url: '/api/v2/patients?pageSize=100', cookies })).json(),
      );
      expect(list.total).toBe(24);
      expect(list.units).toHaveLength(2);
      expect(new Set(list.items.map(({ mrn }) => mrn)).size).toBe(24);
      expect(list.items.filter(({ location, profile }) => (location === null) !== (profile === 'home'))).toEqual([]);
      expect(list.items.filter(({ profile }) => profile === 'home')).toHaveLength(5);
      expect(list.items.filter(({ spo2Scale }) => spo2Scale === 2)).toHaveLength(2);
    });

    it('signs the administrator in, who reads no patients', async () => {
      const { answer, cookies } = await signIn(personOf('administrator'));
      expect(answer.json()).toMatchObject({ type: 'administrator', isAdmin: true });
      expect((await test.app.inject({ url: '/api/v2/patients', cookies })).statusCode).toBe(403);
    });

    it('writes no password to the log or the store', async () => {
      const kept = JSON.stringify([test.logLines, await test.store.db.selectFrom('users').selectAll().execute()]);
      const told = people.filter(({ password }) => kept.includes(password));
      expect(told).toEqual([]);
      expect(new Set(people.map(({ password }) => password)).size).toBe(5);
    });

    it('is written about by its clinicians, and not once more after a restart', async () => {
      const { id: siteId } = await test.store.db.selectFrom('sites').select('id').executeTakeFirstOrThrow();
      const parts = [writeDemoCharts, writeDemoSymptoms, writeDemoNotes, writeDemoHandoffs, writeDemoReports];
      for (const write of [...parts, ...parts]) {
        await write(test.server, siteId);
      }
      const said = await test.store.db.selectFrom('symptom_reports').select(['patient_id', 'reported_at']).execute();
      expect(said.length).toBeGreaterThan(100);
      expect(new Set(said.map((row) => `${row.patient_id} ${row.reported_at}`)).size).toBe(said.length);
      expect(said.every(({ reported_at }) => reported_at <= test.now())).toBe(true);
      const { cookies } = await signIn(personOf('nurse'));
      const own = ownNotesResponse.parse((await test.app.inject({ url: '/api/v2/notes/own', cookies })).json());
      expect(own.unread.reduce((sum, { count }) => sum + count, 0)).toBe(10);
      const ward = handoffsResponse.parse((await test.app.inject({ url: '/api/v2/handoffs', cookies })).json());
      const known = ward.items.filter(({ given, received }) => given !== null || received !== null);
      expect(
        known.map(({ patient, severity, openActions }) => [patient.familyName, severity, openActions.length]),
      ).toEqual([
        ['Bianchi', 'unstable', 1],
        ['Castellanos', 'watcher', 1],
        ['Grzybowska', 'watcher', 1],
        ['Eriksen', 'stable', 1],
      ]);
      const rows = await test.store.db.selectFrom('handoffs').select('state').execute();
      expect(rows.map(({ state }) => state).sort()).toEqual(['given', 'given', 'given', 'received']);
      const entries = await test.store.db.selectFrom('chart_entries').select('id').execute();
      expect(entries).toHaveLength(demoEntries.length + demoEntries.filter(({ correction }) => correction).length);
      const bianchi = known[0]?.patient.id;
      const page = await test.app.inject({ url: `/api/v2/patients/${bianchi}/chart`, cookies });
      const { sections } = chart.parse(page.json());
      expect(sections.allergies.map(({ status, value }) => [status, 'severity' in value && value.severity])).toEqual([
        ['current', 'severe'],
        ['superseded', 'unknown'],
      ]);
      expect(sections.medications.map(({ status }) => status)).toEqual(['current', 'ended']);
      const reports = reportsResponse.parse((await test.app.inject({ url: '/api/v2/reports', cookies })).json());
      expect(reports.items.map(({ kind, status, alarm }) => [kind, status, alarm])).toEqual([
        ['supply', 'new', 'none'],
        ['software', 'new', 'none'],
        ['nearMiss', 'closed', 'none'],
        ['device', 'investigating', 'none'],
      ]);
    });

    it('leaves audit rows of the site, its people and its patients', async () => {
      const rows = await test.store.db.selectFrom('audit').select(['action', 'outcome', 'site_id']).execute();
      const of = (action: string) =>
        rows.filter((row) => row.action === action && row.outcome === 'done' && row.site_id !== null).length;
      expect({ demo: of('start_demo'), people: of('set_up'), patients: of('create_patient') }).toEqual({
        demo: 1,
        people: 5,
        patients: 24,
      });
    });

    describe('with the server listening', () => {
      const gateways = () =>
        test.store.db.selectFrom('devices').select(['id', 'name', 'token_hash', 'revoked_at']).orderBy('id').execute();
      const bedsWithValues = () =>
        [...test.server.liveState.patients.keys()].filter((id) => test.server.liveState.latestOf(id).size > 0).length;
      const untilChange = (isSo: () => boolean) =>
        new Promise<void>((resolve) => {
          const { liveState } = test.server;
          const change = liveState.changed.bind(liveState);
          const look = (): void => {
            if (isSo()) {
              resolve();
            }
          };
          jest.spyOn(liveState, 'changed').mockImplementation((siteId) => {
            change(siteId);
            look();
          });
          look();
        });

      it('sends values for every bed through the ingest call; silent beds and homes have a history', async () => {
        await untilChange(() => bedsWithValues() === 24);
        expect((await gateways()).map(({ name }) => name)).toEqual(cast.map(({ name }) => name));
        const quarantined = await test.store.db.selectFrom('quarantine').select('code').execute();
        expect(quarantined).toEqual([]);
        const calls = test.logLines.filter(({ route }) => route === '/api/v2/vitals');
        expect(calls.length).toBeGreaterThan(0);
        expect(calls.filter(({ status }) => status !== 200)).toEqual([]);
      });

      it('continues after a restart with new tokens on the same devices, and needs no set-up', async () => {
        await untilChange(() => bedsWithValues() >= 16);
        expect(test.server.setup.code).toBeNull();
        const before = await gateways();
        await test.restart();
        expect(test.server.setup.code).toBeNull();
        await expect(test.server.demo.exists()).resolves.toBe(true);
        test.advance(60_000);
        const newest = (): number =>
          Math.max(
            ...[...test.server.liveState.patients.keys()].flatMap((id) =>
              [...test.server.liveState.latestOf(id).values()].map(({ sample }) => sample.takenAt),
            ),
          );
        await listen();
        await untilChange(() => newest() === test.now());
        const after = await gateways();
        expect(after.map(({ id, name }) => [id, name])).toEqual(before.map(({ id, name }) => [id, name]));
        expect(after.filter(({ token_hash }) => before.some((one) => one.token_hash === token_hash))).toEqual([]);
        const renewed = await test.store.db
          .selectFrom('audit')
          .select('id')
          .where('action', '=', 'renew_device_token')
          .execute();
        expect(renewed).toHaveLength(cast.length);
      });
    });
  });
});

describe.each(apiEngines)('storedMinutes on %s', (engine) => {
  const minute = 60_000;

  let test: TestServer;
  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });

  it('names each minute of the window with a sample of this patient and kind, once', async () => {
    const site = await test.addSite();
    const [patientId, other] = [await test.addPatient(site), await test.addPatient(site)];
    const { token } = await test.addDevice(site);
    const sample = (ago: number, more: object = {}) => ({
      patientId,
      kind: 'spo2',
      value: 97,
      takenAt: toInstant(test.now() - ago),
      ...more,
    });
    const answer = await test.ingest(token, [
      sample(2 * minute),
      sample(2 * minute - 1_000),
      sample(5 * minute),
      sample(6 * minute, { kind: 'heartRate' }),
      sample(7 * minute, { patientId: other }),
      sample(20 * minute),
    ]);
    expect(answer.json()).toMatchObject({ accepted: 6 });
    const found = await storedMinutes(test.store, patientId, kinds.spo2.code, test.now() - 10 * minute, test.now());
    expect([...found].sort()).toEqual([5, 2].map((ago) => (test.now() - ago * minute) / minute));
  });
});
