import pino from 'pino';
import { apiEngines, createTestDatabase } from '../test/database';
import { sharedTestServer } from '../test/sharedServer';
import { startTestServer } from '../test/testServer';
import { createApp } from './app';
import { openStore } from './db/open';
import { parseEnv } from './env';

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
