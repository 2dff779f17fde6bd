import { randomUUID } from 'node:crypto';
import { chartMarks, type ChartMarks } from '../../lib/alerts/chartMarksSchema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { setPatientLimits } from '../../test/setPatientLimits';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

describe.each(apiEngines)('the limits and alerts of a chart on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let physician: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    await test.startRules(site);
    patient = await test.addPatient(site);
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
  });

  const urlOf = (from: number, to: number, id = patient): string =>
    `/api/v2/patients/${id}/chart-marks?from=${toInstant(from)}&to=${toInstant(to)}`;
  const read = async (from: number, to: number, who = nurse): Promise<ChartMarks> => {
    const response = await who.call('GET', urlOf(from, to));
    expect(response.statusCode).toBe(200);
    return chartMarks.parse(response.json());
  };
  /** Sends SpO2 once a second for so many seconds, as time passes. */
  const send = async (token: string, value: number, seconds: number): Promise<void> => {
    for (let each = 0; each < seconds; each += 1) {
      test.advance(second);
      const sample = { patientId: patient, kind: 'spo2', value, takenAt: toInstant(test.now()), quality: 'good' };
      expect((await test.ingest(token, [sample])).statusCode).toBe(200);
    }
  };

  it('are refused to another site, for no time, and for a time that ends before it begins', async () => {
    const now = test.now();
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    expect((await stranger.call('GET', urlOf(now - hour, now))).statusCode).toBe(404);
    expect((await nurse.call('GET', urlOf(now, now - 1))).statusCode).toBe(400);
    expect((await nurse.call('GET', urlOf(now - 401 * 24 * hour, now))).statusCode).toBe(400);
    expect((await nurse.call('GET', `/api/v2/patients/${patient}/chart-marks`)).statusCode).toBe(400);
  });

  it('are of the same view as the values, which is recorded once', async () => {
    const now = test.now();
    await nurse.call('GET', `/api/v2/patients/${patient}/vitals`);
    await read(now - hour, now);
    await read(now - 2 * hour, now);
    const views = await test.store.db
      .selectFrom('audit')
      .select('action')
      .where('actor_id', '=', nurse.userId)
      .where('object_type', '=', 'patient')
      .where('object_id', '=', patient)
      .execute();
    expect(views).toEqual([{ action: 'read_vitals' }]);
  });

  it('show the limits of the patient and of the site, and the target, each from when it was set', async () => {
    const start = test.now();
    const low = ({ limits }: ChartMarks) =>
      limits.map(({ from, scale, target, isTargetConfirmed, lines }) => [
        (Date.parse(from) - start) / minute,
        scale,
        target.low,
        isTargetConfirmed,
        lines.find(({ parameter, priority }) => parameter === 'spo2' && priority === 'high')?.value,
      ]);
    const reason = 'As agreed on the round';
    const put = async (url: string, body: object): Promise<void> => {
      // Less than the 15 minutes after which the sessions lock, altogether.
      test.advance(3 * minute);
      expect((await physician.call('PUT', url, { reason, ...body })).statusCode).toBe(200);
    };
    const setLow = async (low: number): Promise<void> => {
      test.advance(3 * minute);
      const wanted = { rule: 'spo2.low', values: { low }, reason };
      expect((await setPatientLimits(physician, patient, wanted)).statusCode).toBe(200);
    };
    await setLow(86);
    await put(`/api/v2/patients/${patient}/spo2-target`, { version: 1, scale: 2, low: 86, high: 90 });
    await setLow(82);
    test.advance(3 * minute);
    const all = await read(start, test.now());
    expect(low(all)).toEqual([
      [0, 1, 94, false, 88],
      [3, 1, 94, false, 86],
      [6, 2, 86, true, 85],
      [9, 2, 86, true, 82],
    ]);
    expect(all.target).toEqual({ low: 86, high: 90, scale: 2, isConfirmed: true });
    // A look at the past still says what the target is now.
    const past = await read(start, start + 2 * minute);
    expect(low(past)).toEqual([[0, 1, 94, false, 88]]);
    expect(past.target).toEqual(all.target);
  });

  it('show an alert while it is open and when it is closed, in the time of its condition only', async () => {
    const { token } = await test.addDevice(site);
    const start = test.now();
    await send(token, 97, 5);
    await send(token, 84, 20);
    const [open] = (await read(start, test.now())).alerts;
    expect(open).toMatchObject({
      parameter: 'spo2',
      priority: 'high',
      condition: 'active',
      endedAt: null,
      closedAt: null,
      acknowledged: null,
      lowest: 84,
    });
    expect(open?.sentence).toContain('84');
    await send(token, 97, 40);
    const version = test.server.alerts.find(open?.id ?? 0)?.alert.version;
    expect((await nurse.call('POST', `/api/v2/alerts/${open?.id}/acknowledge`, { version })).statusCode).toBe(200);
    const [closed] = (await read(start, test.now())).alerts;
    expect(closed).toMatchObject({ id: open?.id, condition: 'ended', acknowledged: { by: { id: nurse.userId } } });
    expect(closed?.closedAt).not.toBeNull();
    const endedAt = Date.parse(closed?.endedAt ?? '');
    expect((await read(start, start + second)).alerts).toEqual([]);
    expect((await read(endedAt + second, test.now())).alerts).toEqual([]);
    expect((await read(endedAt - second, test.now())).alerts).toHaveLength(1);
  });

  it('show no alert of another patient', async () => {
    const { token } = await test.addDevice(site);
    await send(token, 84, 20);
    const start = test.now() - hour;
    const other = await test.addPatient(site);
    const response = await nurse.call('GET', urlOf(start, test.now(), other));
    expect(chartMarks.parse(response.json())).toMatchObject({ patientId: other, alerts: [], hasMoreAlerts: false });
    expect((await read(start, test.now())).alerts).toHaveLength(1);
  });

  it('show when the events of signed notes happened, and no draft, error or other patient’s note', async () => {
    const now = test.now();
    const note = async (at: number, of = patient): Promise<number> => {
      const body = {
        clientId: randomUUID(),
        authorId: nurse.userId,
        type: 'nursing',
        text: 'Slept well',
        eventTime: toInstant(at),
      };
      return (await nurse.call('POST', `/api/v2/patients/${of}/notes`, body)).json<{ id: number }>().id;
    };
    const act = (id: number, action: string, body: object) => nurse.call('POST', `/api/v2/notes/${id}/${action}`, body);
    const signed = await note(now - minute);
    const wrong = await note(now - minute);
    const old = await note(now - 2 * hour);
    const others = await note(now - minute, await test.addPatient(site));
    for (const id of [signed, wrong, old, others]) {
      expect((await act(id, 'sign', { version: 1 })).statusCode).toBe(200);
    }
    await act(wrong, 'entered-in-error', { authorId: nurse.userId, reason: 'A slip', version: 2 });
    await note(now - minute);
    expect((await read(now - hour, now)).notes).toEqual([
      { id: signed, type: 'nursing', eventTime: toInstant(now - minute) },
    ]);
  });
});
