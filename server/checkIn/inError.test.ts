import { toInstant } from '../../lib/time/schema';
import type { VitalsResponse } from '../../lib/vitals/schema';
import { allowLinks, checkInLink, type TestLink } from '../../test/checkInLink';
import { apiEngines } from '../../test/database';
import { parseCsv } from '../../test/parseCsv';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const minute = 60_000;
const hour = 60 * minute;
const reason = 'Entered for another person';

describe.each(apiEngines)('the readings of a check-in that was entered in error on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let link: TestLink;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    await allowLinks(test, site);
  });
  beforeEach(async () => {
    test.advance(9 * hour);
    nurse = await test.signIn(site, 'nurse');
    link = await checkInLink(test, nurse);
  });
  afterEach(() => jest.restoreAllMocks());

  const later = async (ms: number): Promise<void> => {
    test.advance(ms);
    // The session ends with the time.
    nurse = await test.signIn(site, 'nurse');
  };
  const tick = () => test.server.alerts.evaluateClock();
  const catchUp = () => test.server.rollups.catchUp(test.server.recorder.inFlight);
  /** Sends a check-in and resolves with its body and the id of its report. */
  const send = async (readings: object) => {
    const body = link.checkIn({ answers: {}, readings });
    const answer = await link.post('reports', body);
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return { body, id: await newestReport() };
  };
  const newestReport = async (): Promise<number> => {
    const listed = await nurse.call('GET', `/api/v2/patients/${link.patientId}/symptoms`);
    return listed.json<{ items: { id: number }[] }>().items[0]?.id ?? 0;
  };
  const mark = async (id: number): Promise<number> =>
    (await nurse.call('POST', `/api/v2/symptoms/${id}/entered-in-error`, { reason })).statusCode;
  const latest = async (): Promise<Record<string, unknown>> => {
    const read = await nurse.call('GET', `/api/v2/patients/${link.patientId}`);
    const values = read.json<{ latest: Record<string, { value: number }> }>().latest;
    return Object.fromEntries(Object.entries(values).map(([kind, { value }]) => [kind, value]));
  };
  const charted = async (kind: string, hours = 1): Promise<unknown[]> => {
    const window = new URLSearchParams({
      kind,
      from: toInstant(test.now() - hours * hour),
      to: toInstant(test.now()),
    });
    const read = await nurse.call('GET', `/api/v2/patients/${link.patientId}/vitals?${window}`);
    expect([read.statusCode, read.body]).toEqual([200, expect.any(String)]);
    return read.json<VitalsResponse>().series.flatMap(({ points }): unknown[] => points);
  };
  const alertOf = (parameter: string) =>
    test.server.alerts
      .listOpen(site)
      .find(({ patientId, alert }) => patientId === link.patientId && alert.parameter === parameter)?.alert;
  const acknowledge = async (parameter: string): Promise<void> => {
    const record = test.server.alerts
      .listOpen(site)
      .find(({ patientId, alert }) => patientId === link.patientId && alert.parameter === parameter);
    const version = record?.alert.version;
    expect((await nurse.call('POST', `/api/v2/alerts/${record?.id}/acknowledge`, { version })).statusCode).toBe(200);
  };

  it('are no latest values and no points of a chart any more, and what they raised is withdrawn', async () => {
    const { id } = await send({ spo2: 84, temperature: 37 });
    await expect(latest()).resolves.toEqual({ spo2: 84, temperature: 37 });
    expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active' });
    test.advance(3 * minute);
    await expect(mark(id)).resolves.toBe(200);
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true, latched: true });
    await expect(latest()).resolves.toEqual({});
    await expect(charted('spo2')).resolves.toEqual([]);
    await catchUp();
    await expect(charted('spo2', 9)).resolves.toEqual([]);
    await expect(charted('temperature')).resolves.toEqual([]);
    await acknowledge('spo2');
    expect(alertOf('spo2')).toBeUndefined();
  });

  it('stay on record with what they were, and the audit names their kinds and no value', async () => {
    const { id } = await send({ spo2: 84 });
    await mark(id);
    const { db } = test.store;
    const kept = await db
      .selectFrom('sample_corrections')
      .selectAll()
      .where('patient_id', '=', link.patientId)
      .execute();
    expect(kept).toMatchObject([{ old_value: 84, old_quality: 0, replaced_at: test.now() }]);
    const [row] = await db
      .selectFrom('audit')
      .select(['actor_id', 'details'])
      .where('object_id', '=', link.patientId)
      .where('action', '=', 'mark_symptoms_in_error')
      .execute();
    expect([row?.actor_id, JSON.parse(row?.details ?? '')]).toEqual([nurse.userId, { report: id, kinds: ['spo2'] }]);
  });

  it('are named in the file of the vital signs, whose column of values leaves them out', async () => {
    const { id } = await send({ spo2: 84 });
    await mark(id);
    const physician = await test.signIn(site, 'physician');
    const file = await physician.call('GET', `/api/v2/patients/${link.patientId}/export?kind=vitals`);
    const [head = [], row = []] = parseCsv(file.body.slice(1));
    const cell = (name: string) => row[head.indexOf(name)];
    expect(['kind', 'value', 'quality', 'value_before_correction', 'corrected_utc'].map(cell)).toEqual([
      'spo2',
      '',
      'entered in error',
      '84',
      toInstant(test.now()),
    ]);
  });

  it('leave the value before them, and the alert that it raised', async () => {
    await send({ spo2: 91 });
    await later(5 * hour);
    await tick();
    await catchUp();
    const { id } = await send({ spo2: 80 });
    expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active' });
    await later(hour);
    await mark(id);
    await expect(latest()).resolves.toEqual({ spo2: 91 });
    expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active', isWithdrawn: false });
  });

  it('are not what a later weight is compared with', async () => {
    const { id } = await send({ weight: 61 });
    await later(20 * hour);
    await send({ weight: 81 });
    expect(alertOf('weight')).toMatchObject({ priority: 'medium', condition: 'active' });
    await mark(id);
    expect(alertOf('weight')).toMatchObject({ condition: 'ended', isWithdrawn: true });
    await expect(latest()).resolves.toEqual({ weight: 81 });
  });

  it('do not come back after a restart, or when the phone sends the check-in again', async () => {
    const { body, id } = await send({ spo2: 84 });
    await mark(id);
    expect((await link.post('reports', body)).statusCode).toBe(201);
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await tick();
    await expect(latest()).resolves.toEqual({});
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true });
    await catchUp();
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await expect(latest()).resolves.toEqual({});
  });

  it('do not count if the report was marked before they were stored', async () => {
    jest.spyOn(test.server.recorder, 'record').mockRejectedValueOnce(new Error('disk full'));
    const body = link.checkIn({ answers: {}, readings: { spo2: 84 } });
    expect((await link.post('reports', body)).statusCode).toBe(500);
    await mark(await newestReport());
    expect((await link.post('reports', body)).statusCode).toBe(201);
    await expect(latest()).resolves.toEqual({});
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true });
  });

  it('are withdrawn by the same call again, or by the next start, if the server failed between the two', async () => {
    const first = await send({ spo2: 84 });
    const fails = () => jest.spyOn(test.server.recorder, 'withdraw').mockRejectedValueOnce(new Error('disk full'));
    fails();
    await expect(mark(first.id)).resolves.toBe(500);
    expect(alertOf('spo2')).toMatchObject({ condition: 'active' });
    await expect(mark(first.id)).resolves.toBe(200);
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended' });
    test.advance(minute);
    const second = await send({ spo2: 83 });
    expect(alertOf('spo2')).toMatchObject({ condition: 'active' });
    fails();
    await expect(mark(second.id)).resolves.toBe(500);
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true });
    await expect(latest()).resolves.toEqual({});
  });

  it.each(['home', 'continuous'] as const)(
    'end no alert that another red reading of a patient justifies, on the profile %s',
    async (profile) => {
      const patientId = await test.addPatient(site, { profile, dateOfBirth: '1958-02-11' });
      link = await checkInLink(test, nurse, { patientId });
      await send({ spo2: 84 });
      const raised = alertOf('spo2');
      await later(3 * minute);
      const { id } = await send({ spo2: 83 });
      await later(3 * minute);
      await test.restart();
      nurse = await test.signIn(site, 'nurse');
      await mark(id);
      expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active', since: raised?.since });
      await tick();
      expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active', isWithdrawn: false });
    },
  );

  it('of a patient on the ward raise nothing any more, and values of the monitor go on', async () => {
    const { token } = await test.addDevice(site);
    const patientId = await test.addPatient(site, { profile: 'continuous', dateOfBirth: '1958-02-11' });
    link = await checkInLink(test, nurse, { patientId });
    const samples = (value: number) => [
      { patientId, kind: 'pulseRate', value, takenAt: toInstant(test.now()), quality: 'good' },
    ];
    const { id } = await send({ spo2: 70, pulseRate: 80 });
    expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active' });
    // Beyond the time in which a value may be evaluated again.
    for (let second = 0; second < 5; second += 1) {
      test.advance(30_000);
      await test.ingest(token, samples(82), { sentAt: toInstant(test.now()) });
    }
    await mark(id);
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true });
    await expect(latest()).resolves.toEqual({ pulseRate: 82 });
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await tick();
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true });
    await expect(latest()).resolves.toEqual({ pulseRate: 82 });
  });
});
