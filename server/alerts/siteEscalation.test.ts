import { defaultEscalationTimes, type EscalationTimes } from '../../lib/alerts/escalationTimes';
import type { EscalationSettings } from '../../lib/alerts/escalationTimesSchema';
import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const url = '/api/v2/site/escalation';
const second = 1_000;

const timesWith = (high: number[], repeat = defaultEscalationTimes.repeat): EscalationTimes => ({
  steps: { ...defaultEscalationTimes.steps, high },
  repeat,
});
const short = timesWith([30, 60, 180]);
const long = timesWith([180, 300, 900]);

describe.each(apiEngines)('a site’s escalation times on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let device: { id: number; token: string };
  let nurse: Caller;
  let physician: Caller;
  let lead: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    await test.startRules(site);
    device = await test.addDevice(site);
    patient = await test.addPatient(site, { location: { unit: 'East', bed: '1' } });
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
    lead = await test.signIn(site, 'ward_lead');
    await test.server.alerts.evaluateClock();
  });

  const read = async (who = nurse): Promise<EscalationSettings> =>
    (await who.call('GET', url)).json<EscalationSettings>();
  const post = async (times: unknown, more: object = {}, who = physician) => {
    const { settingId } = await read();
    const made = { basedOn: settingId, replaces: null, reason: 'Night shifts are short of staff' };
    return await who.call('POST', `${url}/proposals`, { ...made, times, ...more });
  };
  const propose = async (times: EscalationTimes): Promise<number> => {
    const answer = await post(times);
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
    return answer.json<EscalationSettings>().proposals[0]?.id ?? 0;
  };
  const decide = (who: Caller, id: number, how: string, body?: object) =>
    who.call('POST', `${url}/proposals/${id}/${how}`, body);
  const approve = async (times: EscalationTimes): Promise<void> => {
    const answer = await decide(lead, await propose(times), 'approve');
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
  };
  const pass = async (ms: number): Promise<void> => {
    test.advance(ms);
    await test.server.alerts.evaluateClock();
  };
  /** A HIGH alert that is raised at this moment. */
  const raise = async (): Promise<AlertItem> => {
    const samples = Array.from({ length: 16 }, (_, place) => ({
      patientId: patient,
      kind: 'spo2',
      value: 86,
      takenAt: toInstant(test.now() + (place + 1) * second),
      quality: 'good',
    }));
    test.advance(16 * second);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    const alert = items.find(({ parameter }) => parameter === 'spo2');
    expect(alert).toMatchObject({ priority: 'high', raisedAt: toInstant(test.now()) });
    return alert as AlertItem;
  };
  /** How long after `raisedAt` each step was asked, in seconds. */
  const askedOf = async ({ id, raisedAt }: AlertItem): Promise<number[]> =>
    (await nurse.call('GET', `/api/v2/alerts/${id}/events`))
      .json<{ items: LoggedEvent[] }>()
      .items.filter(({ is }) => is === 'asked')
      .map(({ at }) => (Date.parse(at) - Date.parse(raisedAt)) / second);
  const passSeconds = async (seconds: number): Promise<void> => {
    for (let one = 0; one < seconds; one += 10) {
      await pass(10 * second);
    }
  };

  it('are refused out of bounds and out of order, each at its step', async () => {
    const answer = await post(timesWith([29, 50, 300]));
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      {
        error: {
          fields: {
            'times.steps.high.0': 'is not from 30 s to 3 min',
            'times.steps.high.1': 'is not from 60 s to 5 min',
          },
        },
      },
    ]);
    expect((await post({ ...defaultEscalationTimes, extra: 1 })).statusCode).toBe(422);
    expect((await post(defaultEscalationTimes)).json()).toMatchObject({ error: { code: 'unchanged' } });
    expect((await post(short, { basedOn: 999 })).json()).toMatchObject({
      error: {
        code: 'changed_meanwhile',
        message: 'This has changed in the meantime: the default times hold. Look at it again, then repeat.',
      },
    });
    expect((await post(short, {}, nurse)).statusCode).toBe(403);
    const administrator = await test.signIn(site, 'administrator', true);
    expect((await post(short, {}, administrator)).statusCode).toBe(403);
    expect((await administrator.call('GET', url)).statusCode).toBe(403);
    await expect(read()).resolves.toEqual({
      default: defaultEscalationTimes,
      now: defaultEscalationTimes,
      settingId: null,
      proposals: [],
    });
  });

  it('hold when a second user has approved them, and are read by everyone who reads alerts', async () => {
    const id = await propose(long);
    expect((await decide(physician, id, 'approve')).statusCode).toBe(403);
    await expect(read()).resolves.toMatchObject({ now: defaultEscalationTimes, settingId: null });
    expect((await decide(lead, id, 'approve')).statusCode).toBe(200);
    await test.restart();
    await expect(read()).resolves.toMatchObject({
      now: long,
      settingId: id,
      proposals: [
        {
          state: 'approved',
          held: defaultEscalationTimes,
          wanted: long,
          proposedBy: { id: physician.userId },
          decided: { by: { id: lead.userId } },
        },
      ],
    });
    const late = await post(short, { basedOn: null });
    expect(late.json()).toMatchObject({ error: { code: 'changed_meanwhile' } });
    const next = await propose(short);
    expect((await decide(lead, next, 'reject', { reason: 'Too many calls' })).statusCode).toBe(200);
    await expect(read()).resolves.toMatchObject({ now: long, proposals: [{ state: 'rejected' }, { id }] });
    const stranger = await test.signIn(await test.addSite('Other ward'), 'ward_lead');
    await expect(read(stranger)).resolves.toMatchObject({ now: defaultEscalationTimes, proposals: [] });
  });

  it('are decided once by users who decide at the same moment', async () => {
    const id = await propose(short);
    const other = await test.signIn(site, 'ward_lead');
    const answers = await Promise.all([decide(lead, id, 'approve'), decide(other, id, 'approve')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  it('apply to an open alert at once where they are shorter', async () => {
    const alert = await raise();
    await pass(40 * second);
    await approve(short);
    await expect(askedOf(alert)).resolves.toEqual([0, 40]);
    await passSeconds(160);
    await expect(askedOf(alert)).resolves.toEqual([0, 40, 70, 190]);
  });

  it('delay nothing of an open alert if they are longer, also after a restart, and hold for the next', async () => {
    const alert = await raise();
    await pass(30 * second);
    await approve(long);
    await test.restart();
    await passSeconds(280);
    await expect(askedOf(alert)).resolves.toEqual([0, 60, 120, 300]);
    patient = await test.addPatient(site, { location: { unit: 'East', bed: '2' } });
    const next = await raise();
    await passSeconds(310);
    await expect(askedOf(next)).resolves.toEqual([0, 180, 300]);
  });

  it('that cannot be read do not hold: those approved before do, and the metrics say so', async () => {
    await approve(short);
    const damaged = await propose(long);
    await decide(lead, damaged, 'approve');
    await test.store.db.updateTable('site_proposals').set({ wanted: '{}' }).where('id', '=', damaged).execute();
    await test.restart();
    await expect(read()).resolves.toMatchObject({ now: short, settingId: damaged });
    const alert = await raise();
    await passSeconds(60);
    await expect(askedOf(alert)).resolves.toEqual([0, 30, 60]);
    const { body } = await test.app.inject('/metrics');
    expect(body).toMatch(/wardlight_unreadable_rows_total\{what="escalation"\} [1-9]/);
  });

  it('are on record, and their reasons are not', async () => {
    await approve(short);
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['action', 'actor_id', 'details'])
      .where('site_id', '=', site)
      .where('action', 'like', '%_alert_setting')
      .orderBy('id')
      .execute();
    const details = '{"rule":"escalation"}';
    expect(rows).toEqual([
      { action: 'propose_alert_setting', actor_id: physician.userId, details },
      { action: 'approve_alert_setting', actor_id: lead.userId, details },
    ]);
  });
});
