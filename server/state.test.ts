import pino from 'pino';
import { toInstant } from '../lib/time/schema';
import { kinds } from '../lib/vitals/kinds';
import { apiEngines, createTestDatabase, engines } from '../test/database';
import { patientRow } from '../test/patientRow';
import { restartableTestServer, sharedTestServer } from '../test/sharedServer';
import { startOfTest, startTestServer, type TestServer } from '../test/testServer';
import { AlertFaults } from './alerts/alertFaults';
import { createApp } from './app';
import { openStore } from './db/open';
import { parseEnv } from './env';
import { LiveState } from './liveState';
import { loadWard } from './loadWard';
import { qualityCode, stoppedCode } from './vitals/qualityCode';
import type { Latest, Sample } from './vitals/sample';

describe('health', () => {
  describe.each(apiEngines)('for operators on %s', (engine) => {
    it('/healthz is alive and /readyz is not when the store is closed', async () => {
      // A server of its own, whose store it closes.
      const test = await startTestServer(engine);
      expect((await test.app.inject('/readyz')).json()).toEqual({ status: 'ready' });
      await test.store.db.destroy();
      const ready = await test.app.inject('/readyz');
      expect([
        ready.statusCode,
        ready.headers['retry-after'],
        ready.json<{ error: { code: string } }>().error.code,
      ]).toEqual([503, '2', 'storage_unavailable']);
      expect((await test.app.inject('/healthz')).json()).toEqual({ status: 'ok' });
      await test.stop();
    });
  });

  it('a disk that takes long for a flush is in the log of the start', async () => {
    const lines: string[] = [];
    const where = await createTestDatabase('sqlite');
    const parsed = parseEnv({ DATA_DIR: where.dataDir });
    if ('faults' in parsed) {
      throw new Error(parsed.faults.join('; '));
    }
    const store = await openStore(parsed.env);
    for (const flushMs of [20, 21]) {
      const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
      const { app } = await createApp({ env: parsed.env, store: { ...store, flushMs }, log });
      await app.close();
    }
    expect(lines.filter((line) => line.includes('more than 20 ms for a flush'))).toEqual([
      expect.stringContaining('"flushMs":21'),
    ]);
    await store.close();
    await where.remove();
  });

  describe('/metrics', () => {
    const token = 'a-token-of-the-operator';

    it.each<[string, string | null, string, Record<string, string>, number]>([
      ['another machine', null, '10.0.0.9', {}, 403],
      ['another machine with a token that was never set', null, '10.0.0.9', { authorization: `Bearer ${token}` }, 403],
      ['another machine without the token', token, '10.0.0.9', {}, 403],
      ['another machine with another token', token, '10.0.0.9', { authorization: `Bearer ${token}x` }, 403],
      ['a proxy on this machine', token, '127.0.0.1', { 'x-forwarded-for': '10.0.0.9' }, 403],
      ['this machine by another name', token, '127.0.0.1', { host: 'ward.example' }, 403],
      ['this machine', null, '127.0.0.1', {}, 200],
      ['another machine with the token', token, '10.0.0.9', { authorization: `Bearer ${token}` }, 200],
    ])('answers %s (%s)', async (_, set, remoteAddress, headers, status) => {
      const test = await sharedTestServer('sqlite', set === null ? {} : { METRICS_TOKEN: set });
      const answer = await test.app.inject({ url: '/metrics', remoteAddress, headers });
      expect([answer.statusCode, answer.body.includes('wardlight_')]).toEqual([status, status === 200]);
    });
  });

  describe('what a browser reports as blocked', () => {
    const report = {
      'csp-report': { 'document-uri': 'https://ward.example/patient_details?ids=4', 'blocked-uri': 'inline' },
    };

    it.each([
      ['application/csp-report', 204],
      ['application/reports+json', 204],
      ['application/x-www-form-urlencoded', 415],
    ])('as %s is answered %i', async (type, status) => {
      const test = await sharedTestServer('sqlite');
      const logged = test.logLines.length;
      const send = (payload: string) =>
        test.app.inject({ method: 'POST', url: '/api/csp-report', headers: { 'content-type': type }, payload });
      expect((await send(JSON.stringify(report))).statusCode).toBe(status);
      expect((await send('x'.repeat(16_385))).statusCode).toBe(status === 204 ? 413 : 415);
      expect(JSON.stringify(test.logLines.slice(logged))).not.toMatch(/ids=4|blocked-uri/);
    });
  });

  it('what one browser reports as blocked does not flood the log', async () => {
    const test = await sharedTestServer('sqlite');
    const logged = test.logLines.length;
    for (let time = 0; time < 100; time += 1) {
      const headers = { 'content-type': 'application/csp-report' };
      const answer = await test.app.inject({
        ...{ method: 'POST', url: '/api/csp-report', headers, payload: '{}' },
        remoteAddress: '10.4.0.1',
      });
      expect(answer.statusCode).toBe(204);
    }
    const reported = test.logLines.slice(logged).filter(({ msg }) => msg === 'a browser reported blocked content');
    expect(reported).toHaveLength(60);
  });

  describe('a whole flow', () => {
    it('leaves no name, number, value or secret in the log or the metrics', async () => {
      // A server of its own: its whole log is read, and its store is closed.
      const test = await startTestServer('sqlite');
      const site = await test.addSite('Canary ward');
      const { email, password } = await test.addUser(site, 'physician');
      const { token } = await test.addDevice(site, { name: 'canary-device' });
      const person = await test.signIn(site, 'physician');
      const patient = { mrn: 'CANARY-MRN', givenName: 'Canarina', familyName: 'Canarius', dateOfBirth: '1951-11-13' };
      const { id } = (
        await person.call('POST', '/api/v2/patients', { ...patient, location: { unit: 'Canary unit', bed: 'C9' } })
      ).json<{
        id: number;
      }>();
      const takenAt = new Date(test.now()).toISOString();
      await test.ingest(token, [
        { mrn: 'CANARY-MRN', kind: 'spo2', value: 93.713571, takenAt },
        { mrn: 'CANARY-MRN', kind: 'spo2', value: 937.135713, takenAt },
        { mrn: 'CANARY-NOBODY', kind: 'heartRate', value: 61.713571, takenAt },
      ]);
      await test.ingest('canary-token-that-is-not-right', []);
      await person.call('POST', '/api/v2/patients', patient);
      await person.call('POST', '/api/v2/patients', { ...patient, mrn: 'CANARY-MRN', dateOfBirth: 'canary' });
      await person.call('PATCH', `/api/v2/patients/${id}`, { version: 1, familyName: 'Canaretta' });
      await person.call('POST', '/api/v2/patients/search', { text: 'canar' });
      await person.call('GET', `/api/v2/patients?unit=Canary%20unit&canary=1`);
      await person.call('GET', `/api/v2/patients/${id}/vitals?kind=canary`);
      await person.call('GET', `/canary/${id}`);
      await test.app.inject({
        method: 'POST',
        url: '/api/v2/auth/sign-in',
        payload: { email, password: 'canary password' },
      });
      await test.app.inject({ method: 'POST', url: '/api/v2/auth/sign-in', payload: { email, password } });
      // The store is closed, so that faults are logged as well.
      await test.store.db.destroy();
      for (const url of ['/api/v2/patients', `/api/v2/patients/${id}`, `/api/v2/patients/${id}/vitals`]) {
        await person.call('GET', url);
      }
      const failed = await person.call('PATCH', `/api/v2/patients/${id}`, { version: 2, familyName: 'Canarosa' });
      expect(failed.statusCode).toBeGreaterThanOrEqual(500);

      const metrics = (await test.app.inject('/metrics')).body;
      const written = JSON.stringify(test.logLines) + metrics;
      expect(written).toContain('request failed');
      expect(written).toContain('/api/v2/patients/:id/vitals');
      for (const secret of [
        /canar/i,
        /93\.713571|937\.135713|61\.713571/,
        new RegExp(email),
        new RegExp(token),
        ...Object.values(person.cookies).map((value) => new RegExp(value)),
      ]) {
        expect(written).not.toMatch(secret);
      }
      // A year is four digits, which durations, counters and request ids may contain by chance.
      const withoutNumbers = [
        ...test.logLines.map((line) => JSON.stringify({ ...line, requestId: null }).replace(/:\d[\d.]*/g, ':0')),
        ...metrics.split('\n').map((line) => line.replace(/ \d\S*$/, '')),
      ];
      expect(withoutNumbers.join('\n')).not.toContain('1951');
      await test.stop();
    });
  });
});

describe('liveState', () => {
  const spo2 = kinds.spo2.code;

  /** Returns a sample of patient 1, `second` seconds into the test, that arrives as soon as it is taken. */
  function sampleAt(second: number, more: Partial<Sample> = {}): Sample {
    const takenAt = startOfTest + second * 1_000;
    return {
      minute: Math.floor(takenAt / 60_000),
      patientId: 1,
      kind: spo2,
      takenAt,
      deviceId: 1,
      siteId: 1,
      value: 97,
      quality: qualityCode('good', true),
      receivedAt: takenAt,
      offsetMs: 0,
      ...more,
    };
  }
  const invalid = { quality: qualityCode('invalid', true), value: 0 };

  /**
   * Returns what the live state shows after some samples: value and second of the latest, and of the latest that
   * measured something.
   */
  function shown(latest: Latest | undefined): unknown {
    const secondOf = (takenAt: number) => (takenAt - startOfTest) / 1_000;
    return latest === undefined
      ? null
      : {
          latest: [latest.sample.value, secondOf(latest.sample.takenAt)],
          valid: latest.valid === null ? null : [latest.valid.value, secondOf(latest.valid.takenAt)],
        };
  }
  function afterTaking(...samples: Sample[]): unknown {
    const liveState = new LiveState();
    samples.forEach((sample) => {
      liveState.takeSample(sample);
    });
    return shown(liveState.latestOf(1).get(spo2));
  }

  describe('the latest value', () => {
    it.each<[string, Sample[], unknown]>([
      ['is the first where there is one', [sampleAt(0)], { latest: [97, 0], valid: [97, 0] }],
      ['is the newer one', [sampleAt(0), sampleAt(1, { value: 96 })], { latest: [96, 1], valid: [96, 1] }],
      [
        'is never one that came late',
        [sampleAt(1), sampleAt(0, { value: 60, receivedAt: startOfTest + 90_000 })],
        { latest: [97, 1], valid: [97, 1] },
      ],
      [
        'is invalid when the newest is, and remembers what was measured before',
        [sampleAt(0), sampleAt(1, invalid)],
        { latest: [0, 1], valid: [97, 0] },
      ],
      ['measured nothing when nothing ever did', [sampleAt(0, invalid)], { latest: [0, 0], valid: null }],
      [
        'lets a late one be the newest that measured something',
        [sampleAt(0), sampleAt(2, invalid), sampleAt(1, { value: 90 })],
        { latest: [0, 2], valid: [90, 1] },
      ],
      [
        'lets no older late one be that',
        [sampleAt(1), sampleAt(2, invalid), sampleAt(0, { value: 90 })],
        { latest: [0, 2], valid: [97, 1] },
      ],
      [
        'counts by the corrected clock: a device an hour ahead is not newer',
        [sampleAt(10), sampleAt(3_605, { value: 90, deviceId: 2, offsetMs: -3_600_000 })],
        { latest: [97, 10], valid: [97, 10] },
      ],
      [
        'counts from the arrival of what claims to be from the future',
        [sampleAt(10), sampleAt(100, { value: 90, deviceId: 2, receivedAt: startOfTest + 9_000 })],
        { latest: [97, 10], valid: [97, 10] },
      ],
      [
        'is the one taken last of several that arrived together from a fast clock, in any order',
        [12, 14, 11, 13].map((second) => sampleAt(second, { value: second, receivedAt: startOfTest })),
        { latest: [14, 14], valid: [14, 14] },
      ],
      [
        'is the same of two devices at the same time, in any order',
        [sampleAt(0, { deviceId: 2, value: 92 }), sampleAt(0, { deviceId: 1, value: 91 })],
        { latest: [92, 0], valid: [92, 0] },
      ],
    ])('%s', (_, samples, expected) => {
      expect(afterTaking(...samples)).toEqual(expected);
    });
  });

  describe('the ward', () => {
    it('knows a patient by the mrn of the site alone, and another site’s patient not at all', () => {
      const liveState = new LiveState();
      liveState.putPatient(patientRow(1, 1, 'A'));
      liveState.putPatient(patientRow(2, 2, 'A'));
      expect([
        liveState.patientByMrn('A', 1)?.id,
        liveState.patientByMrn('A', 2)?.id,
        liveState.patientByMrn('A', 3),
      ]).toEqual([1, 2, null]);
      const site = (siteId: number) => ({ siteId, unitIds: null });
      expect([
        liveState.patientInScope(2, site(1)),
        liveState.patientInScope(99, site(1)),
        liveState.patientInScope(2, site(2))?.id,
      ]).toEqual([null, null, 2]);
    });

    it('knows a patient by a number but for its zeros, if only one has it, discharged or not', () => {
      const liveState = new LiveState();
      for (const [index, mrn] of ['0042', '7', '007', '08', '8', '000', '0A1'].entries()) {
        liveState.putPatient({ ...patientRow(index + 1, 1, mrn), state: mrn === '007' ? 'discharged' : 'active' });
      }
      liveState.putPatient(patientRow(9, 2, '0099'));
      const found = (number: string) => liveState.patientByNumber(number, 1)?.id ?? null;
      expect(['42', '00042', '7', '007', '08', '8', '000'].map(found)).toEqual([1, 1, 2, 3, 4, 5, 6]);
      // Of several that are one but for zeros none is found by another.
      expect(['0007', '0', '00', 'A1', '00A1', '99', '', `${'0'.repeat(80)}43`, '4200'].map(found)).toEqual(
        Array(9).fill(null),
      );
    });

    it('forgets an mrn that was changed, but not if another patient has it by now', () => {
      const liveState = new LiveState();
      liveState.putPatient(patientRow(1, 1, 'A'));
      liveState.putPatient(patientRow(2, 1, 'B'));
      liveState.putPatient(patientRow(2, 1, 'A'));
      liveState.putPatient(patientRow(1, 1, 'C'));
      expect(['A', 'B', 'C'].map((mrn) => liveState.patientByMrn(mrn, 1)?.id)).toEqual([2, undefined, 1]);
    });

    it('counts the changes of each site by itself', () => {
      const liveState = new LiveState();
      liveState.changed(1);
      liveState.changed(2);
      liveState.changed(1);
      expect([liveState.version(1), liveState.version(2), liveState.version(3)]).toEqual([2, 1, 0]);
    });
  });

  describe.each(engines)('latest values on %s', (engine) => {
    let test: TestServer;
    let patientId: number;
    let tokens: string[];

    beforeAll(async () => {
      test = await restartableTestServer(engine);
    });
    beforeEach(async () => {
      const site = await test.addSite();
      patientId = await test.addPatient(site);
      tokens = [(await test.addDevice(site)).token, (await test.addDevice(site)).token];
    });

    const latest = (): unknown => shown(test.server.liveState.latestOf(patientId).get(spo2));
    /** Sends a sample taken `ago` seconds before now; `quality` undefined is left out. */
    const send = async (
      value: number,
      ago: number,
      more: { quality?: string; device?: number; takenAt?: number } = {},
    ): Promise<number> => {
      const takenAt = more.takenAt ?? test.now() - ago * 1_000;
      const wire = { patientId, kind: 'spo2', value, quality: more.quality ?? 'good', takenAt: toInstant(takenAt) };
      expect(
        (await test.ingest(tokens[more.device ?? 0] ?? '', [wire], { sentAt: toInstant(test.now()) })).statusCode,
      ).toBe(200);
      return takenAt;
    };

    it('follow a correction, and a value that is taken back gives way to the one measured before', async () => {
      const first = await send(95, 50);
      const last = await send(80, 10);
      await send(94, 0, { takenAt: last });
      expect(latest()).toMatchObject({ latest: [94, expect.anything()], valid: [94, expect.anything()] });
      await send(94, 0, { takenAt: last, quality: 'invalid' });
      expect(latest()).toEqual({
        latest: [94, (last - startOfTest) / 1_000],
        valid: [95, (first - startOfTest) / 1_000],
      });
      await send(96, 0, { takenAt: first });
      expect(latest()).toMatchObject({ valid: [96, (first - startOfTest) / 1_000] });
      await send(96, 0, { takenAt: first, quality: 'invalid' });
      expect(latest()).toMatchObject({ latest: [94, expect.anything()], valid: null });
    });

    it('find what was measured long before the value that is taken back', async () => {
      const first = await send(95, 10);
      test.advance(3 * 3_600_000);
      await test.server.rollups.catchUp(test.server.recorder.inFlight);
      const last = await send(80, 10);
      await send(80, 0, { takenAt: last, quality: 'invalid' });
      expect(latest()).toMatchObject({ latest: [80, expect.anything()], valid: [95, (first - startOfTest) / 1_000] });
    });

    it('are the same after a restart at every point of a day', async () => {
      let last = 0;
      const steps: (() => Promise<unknown>)[] = [
        () => send(97, 0),
        async () => (last = await send(0, 0)),
        () => send(96, 5),
        () => Promise.resolve(test.advance(40_000)),
        () => test.server.rollups.catchUp(test.server.recorder.inFlight),
        () => send(88, 0, { device: 1 }),
        () => send(90, 0, { takenAt: last }),
        () => send(70, 3_000),
        () => Promise.resolve(test.advance(70_000)),
        () => test.server.rollups.catchUp(test.server.recorder.inFlight),
        () => send(88, 0, { device: 1, takenAt: last }),
        () => send(0, 0, { device: 1 }),
        () => send(91, 200, { quality: 'questionable' }),
      ];
      for (const step of steps) {
        await step();
        const before = latest();
        await test.restart();
        expect(latest()).toEqual(before);
      }
    });

    it('are stored with the minute of their sample, so that a start reads only open minutes', async () => {
      await send(97, 0);
      await send(0, 0, { device: 1 });
      test.advance(130_000);
      await test.server.rollups.catchUp(test.server.recorder.inFlight);
      const stored = await loadWard(test.store, new AlertFaults(test.server.log), test.now());
      expect(stored.latestOf(patientId).get(spo2)).toEqual(test.server.liveState.latestOf(patientId).get(spo2));
    });

    it('remember after a restart that a source states a quality', async () => {
      await send(97, 0, { quality: 'good' });
      await test.restart();
      const wire = { patientId, kind: 'spo2', value: 97, takenAt: toInstant(test.now() + 1_000) };
      await test.ingest(tokens[0] ?? '', [wire]);
      expect(test.server.liveState.latestOf(patientId).get(spo2)).toMatchObject({
        sample: { takenAt: test.now() + 1_000, quality: stoppedCode(true, 1_000) },
        valid: { takenAt: test.now() + 1_000 },
      });
    });
  });
});
