import type { Budget, HistoryPage } from '../../lib/alerts/historySchema';
import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { AssignmentRole } from '../../lib/assignments/roles';
import { formatTime } from '../../lib/time/formatTime';
import { toInstant } from '../../lib/time/schema';
import { approveSiteLimits } from '../../test/approveSiteLimits';
import { apiEngines, engines } from '../../test/database';
import { setPatientLimits } from '../../test/setPatientLimits';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { FileLocked } from '../db/writeGuard';
import { PeopleAndSites } from './peopleAndSites';

const second = 1_000;
const minute = 60 * second;

describe.each(engines)('the history of alerts on %s', (engine) => {
  const day = 24 * 60 * minute;

  let test: TestServer;
  let site: number;
  let device: { token: string };
  let physician: Caller;
  let nurse: Caller;
  let west: number;
  let east: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    test.advance(day);
    site = await test.addSiteAlone();
    device = await test.addDevice(site);
    physician = await test.signIn(site, 'physician');
    nurse = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'West', [nurse.userId]);
    west = await test.addPatient(site, { familyName: '=1+1', location: { unit: 'West', bed: '1' } });
    east = await test.addPatient(site, { location: { unit: 'East', bed: '2' } });
    await test.server.alerts.siteChanged(site);
  });

  async function pass(ms: number): Promise<void> {
    test.advance(ms);
    await test.server.alerts.evaluateClock();
  }
  /** Sends a value each second for a while. */
  async function send(patientId: number, value: number, seconds: number): Promise<void> {
    const samples = Array.from({ length: seconds }, (_, place) => ({
      patientId,
      kind: 'spo2',
      value,
      takenAt: toInstant(test.now() + (place + 1) * second),
      quality: 'good',
    }));
    test.advance(seconds * second);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
  }
  /** A HIGH alert that is raised at this moment. */
  async function raise(patientId: number): Promise<AlertItem> {
    await send(patientId, 86, 17);
    const { items } = (await physician.call('GET', `/api/v2/alerts?patientId=${patientId}`)).json<AlertsPage>();
    const alert = items.find(({ parameter }) => parameter === 'spo2');
    if (alert === undefined) {
      throw new Error('No alert is open');
    }
    return alert;
  }
  async function act(who: Caller, action: string, { id }: AlertItem): Promise<AlertItem> {
    const version = test.server.alerts.find(id)?.alert.version;
    const answer = await who.call('POST', `/api/v2/alerts/${id}/${action}`, { version });
    expect(answer.statusCode).toBe(200);
    return answer.json<AlertItem>();
  }
  async function history(query = '', who = physician): Promise<HistoryPage> {
    const answer = await who.call('GET', `/api/v2/alerts/history?${query}`);
    expect(answer.statusCode).toBe(200);
    return answer.json<HistoryPage>();
  }
  const idsOf = async (query = '', who = physician): Promise<number[]> =>
    (await history(query, who)).items.filter(({ parameter }) => parameter === 'spo2').map(({ id }) => id);
  async function budget(query = 'days=1', who = physician): Promise<Budget> {
    // Past the half minute for which one is kept.
    test.advance(31 * second);
    const answer = await who.call('GET', `/api/v2/alerts/budget?${query}`);
    expect(answer.statusCode).toBe(200);
    return answer.json<Budget>();
  }
  const views = async (action: string, who: Caller): Promise<(number | null)[]> =>
    (
      await test.store.db
        .selectFrom('audit')
        .select('object_id')
        .where('action', '=', action)
        .where('actor_id', '=', who.userId)
        .orderBy('id')
        .execute()
    ).map(({ object_id }) => object_id);

  it('shows and counts no alert of a patient out of reach, and none of another site', async () => {
    const [ofWest, ofEast] = [await raise(west), await raise(east)];
    const stranger = await test.signIn(await test.addSite(), 'physician');
    await expect(idsOf()).resolves.toEqual([ofEast.id, ofWest.id]);
    await expect(idsOf('', nurse)).resolves.toEqual([ofWest.id]);
    await expect(idsOf(`patientId=${east}`, nurse)).resolves.toEqual([]);
    await expect(idsOf('', stranger)).resolves.toEqual([]);
    await expect(idsOf(`patientId=${west}`, stranger)).resolves.toEqual([]);
    const { noisiestPatients, patients, counts } = await budget('days=1', nurse);
    expect(noisiestPatients.map(({ patientId }) => patientId)).toEqual([west]);
    expect({ patients, high: counts.high }).toEqual({ patients: 1, high: 1 });
    await expect(budget('days=1', stranger)).resolves.toMatchObject({ alerts: 0, patients: 0 });
  });

  it('keeps the first answers, and not those that were taken back', async () => {
    const alert = await raise(west);
    const raisedAt = test.now();
    await pass(10 * second);
    const { undo } = await act(nurse, 'acknowledge', alert);
    await nurse.call('POST', `/api/v2/alerts/${alert.id}/undo`, { eventId: undo?.eventId });
    await expect(history(`patientId=${west}`)).resolves.toMatchObject({ items: [{ acknowledgedAt: null }] });
    await pass(20 * second);
    await act(nurse, 'acknowledge', alert);
    await pass(2 * second);
    await act(physician, 'accept', alert);
    const [item] = (await history(`patientId=${west}`)).items;
    expect(item).toMatchObject({
      id: alert.id,
      raisedAt: toInstant(raisedAt),
      priority: 'high',
      acknowledgedAt: toInstant(raisedAt + 30 * second),
      acceptedAt: toInstant(raisedAt + 32 * second),
      highestStep: 0,
      closedAt: null,
      endedAt: null,
    });
    const { responses } = await budget();
    expect(responses.high).toMatchObject({
      alerts: 1,
      acknowledged: { count: 1, medianMs: 30 * second, p90Ms: 30 * second },
      accepted: { count: 1, medianMs: 32 * second },
    });
  });

  it('keeps when the alert was first raised and how far it went, also over a restart', async () => {
    const alert = await raise(west);
    const raisedAt = toInstant(test.now());
    for (let step = 0; step < 3; step += 1) {
      await send(west, 86, 60);
      await pass(0);
    }
    await test.restart();
    device = await test.addDevice(site);
    // A new episode of an alert that no one has acknowledged.
    await send(west, 97, 60);
    await pass(10 * minute);
    await raise(west);
    const known = (await history(`patientId=${west}`)).items.find(({ id }) => id === alert.id);
    expect(known).toMatchObject({ raisedAt, priority: 'high', highestStep: 3 });
    const { responses } = await budget('days=1', await test.signIn(site, 'physician'));
    expect(responses.high.reachedStep2).toBe(1);
  });

  it('filters by unit, patient, priority, rule, state, person and time', async () => {
    const first = await raise(west);
    await pass(minute);
    const between = toInstant(test.now());
    const other = await raise(east);
    await act(nurse, 'acknowledge', first);
    await act(physician, 'acknowledge', other);
    await send(east, 97, 60);
    await pass(0);
    const unit = test.server.liveState.unitByName(site, 'East')?.id ?? 0;
    await expect(idsOf(`unitId=${unit}`)).resolves.toEqual([other.id]);
    await expect(idsOf(`patientId=${west}`)).resolves.toEqual([first.id]);
    await expect(idsOf('priority=high')).resolves.toEqual([other.id, first.id]);
    await expect(idsOf('priority=low')).resolves.toEqual([]);
    await expect(idsOf('rule=spo2.low')).resolves.toEqual([other.id, first.id]);
    await expect(idsOf('rule=hr.high')).resolves.toEqual([]);
    await expect(idsOf('state=open')).resolves.toEqual([first.id]);
    await expect(idsOf('state=closed')).resolves.toEqual([other.id]);
    await expect(idsOf(`person=${nurse.userId}`)).resolves.toEqual([first.id]);
    await expect(idsOf(`to=${between}`)).resolves.toEqual([first.id]);
    await expect(idsOf(`from=${between}`)).resolves.toEqual([other.id]);
    const people = (await physician.call('GET', '/api/v2/alerts/history/people')).json<{ items: { id: number }[] }>();
    expect(people.items.map(({ id }) => id).sort((a, b) => a - b)).toEqual([physician.userId, nurse.userId]);
    // Neither has answered anything about the equipment.
    const technician = await test.signIn(site, 'technician');
    expect((await technician.call('GET', '/api/v2/alerts/history/people')).json()).toEqual({ items: [] });
  });

  it('comes in pages that neither repeat nor miss an alert while new ones are raised', async () => {
    await raise(west);
    await pass(20 * minute);
    physician = await test.signIn(site, 'physician');
    await raise(east);
    await pass(10 * minute);
    const all = (await history()).items.map(({ id }) => id);
    const paged: number[] = [];
    let next: string | null = null;
    for (let isMore = true; isMore;) {
      const page: HistoryPage = await history(`pageSize=2${next === null ? '' : `&before=${next}`}`);
      paged.push(...page.items.map(({ id }) => id));
      next = page.next;
      isMore = next !== null;
      await raise(await test.addPatient(site));
    }
    expect(all.length).toBeGreaterThan(3);
    expect(paged).toEqual(all);
  });

  it('of one patient is recorded as a view of that patient, once, and a file each time', async () => {
    await history(`patientId=${west}`);
    await history(`patientId=${west}`);
    await history(`patientId=${east}`, nurse);
    await expect(views('read_alert_history', physician)).resolves.toEqual([west]);
    await expect(views('read_alert_history', nurse)).resolves.toEqual([]);
    await raise(west);
    await history();
    await history();
    await expect(views('list_alert_history', physician)).resolves.toHaveLength(1);
    await physician.call('GET', '/api/v2/alerts/history/export');
    await physician.call('GET', `/api/v2/alerts/history/export?patientId=${west}`);
    await physician.call('GET', '/api/v2/alerts/budget/export');
    await expect(views('export_alerts', physician)).resolves.toEqual([null, west, null]);
  });

  it('counts the days for which patients were here, over a discharge and a return', async () => {
    const change = async (state: string): Promise<void> => {
      const version = test.server.liveState.patients.get(east)?.version;
      const lead = await test.signIn(site, 'ward_lead');
      expect((await lead.call('PATCH', `/api/v2/patients/${east}`, { version, state })).statusCode).toBe(200);
    };
    const began = test.now();
    test.advance(6 * 60 * minute);
    await change('discharged');
    test.advance(6 * 60 * minute);
    await change('active');
    test.advance(6 * 60 * minute - 31 * second);
    const { patientDays, patients, from, isShortened } = await budget('days=1', await test.signIn(site, 'physician'));
    expect(patients).toBe(2);
    expect(patientDays).toBeCloseTo(18 / 24 + 12 / 24, 5);
    // Before the rules ran there were no alerts, which is not the same as a quiet ward.
    expect({ from, isShortened }).toEqual({ from: toInstant(began), isShortened: true });
  });

  // Sentences, permissions and files are made above the store.
  if (apiEngines.includes(engine)) {
    it('refuses a time that ends before it begins, or is longer than a quarter of a year', async () => {
      const asked = async (from: string, to: string) =>
        (await physician.call('GET', `/api/v2/alerts/history?from=${from}&to=${to}`)).statusCode;
      await expect(asked('2026-05-02T00:00:00Z', '2026-05-01T00:00:00Z')).resolves.toBe(400);
      await expect(asked('2026-01-01T00:00:00Z', '2026-05-01T00:00:00Z')).resolves.toBe(400);
      await expect(asked('yesterday', '2026-05-01T00:00:00Z')).resolves.toBe(400);
    });

    it('says the time of a present value, because the list is read minutes later', async () => {
      await raise(west);
      await send(west, 97, 5);
      const [alert] = (await history(`patientId=${west}`)).items.filter(({ parameter }) => parameter === 'spo2');
      const readAt = formatTime(test.now(), test.server.alerts.timeZoneOf(site));
      expect(alert?.sentence).toMatch(new RegExp(`^SpO2 97 % at ${readAt}, `));
    });

    it('names no patient to a technician, who sees equipment alone', async () => {
      await raise(west);
      await pass(20 * minute);
      const technician = await test.signIn(site, 'technician');
      const { items } = await history('', technician);
      expect(items.length).toBeGreaterThan(0);
      expect(items.every(({ parameter, patient }) => parameter !== 'spo2' && patient === null)).toBe(true);
      const file = await technician.call('GET', '/api/v2/alerts/history/export');
      expect(file.body).not.toContain('1+1');
      const { noisiestPatients } = await budget('days=1', technician);
      expect(noisiestPatients.every(({ patient }) => patient === null)).toBe(true);
    });

    it('is a file without formulas, with times that name their zone', async () => {
      const alert = await raise(west);
      await pass(5 * second);
      await act(nurse, 'acknowledge', alert);
      const file = await physician.call('GET', `/api/v2/alerts/history/export?patientId=${west}`);
      expect(file.headers['content-disposition']).toMatch(/^attachment; filename="alerts-\d{4}-\d\d-\d\d\.csv"$/);
      expect(file.headers['content-type']).toContain('text/csv');
      const [head = '', line = ''] = file.body.split('\r\n');
      const cells = line.split(',');
      const cell = (name: string): string | undefined => cells[head.split(',').indexOf(name)];
      expect(cell('family_name')).toBe("'=1+1");
      expect(cell('raised_at')).toMatch(/^\d{4}-.*Z$/);
      expect(cell('seconds_to_acknowledge')).toBe('5');
      expect(cell('rule_name')).toBe('SpO2 low');
      // It is not over.
      expect(line).toContain(',active,');
      const numbers = await physician.call('GET', '/api/v2/alerts/budget/export?days=7');
      expect(numbers.headers['content-disposition']).toMatch(/alarm-budget-\d{4}/);
      expect(numbers.body).toMatch(/time to accept, median.*,high,,,,s/);
    });

    it('is no file during an emergency access, and not many files in a minute', async () => {
      await nurse.call('POST', '/api/v2/auth/break-glass', { reason: 'A patient next door collapsed.' });
      const inEmergency = await nurse.call('GET', '/api/v2/alerts/history/export');
      expect(inEmergency.statusCode).toBe(403);
      expect(inEmergency.json()).toMatchObject({ error: { code: 'emergency_access' } });
      const statuses: number[] = [];
      for (let file = 0; file < 11; file += 1) {
        statuses.push((await physician.call('GET', '/api/v2/alerts/budget/export')).statusCode);
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(10);
      expect(statuses.at(-1)).toBe(429);
    });
  }
});

describe.each(apiEngines)('what people change of the rules on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let device: { token: string };
  let nurse: Caller;
  let physician: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    // A site of its own, so that no test is judged by what another has set.
    site = await test.addSiteAlone();
    device = await test.addDevice(site);
    patient = await test.addPatient(site);
    await signIn();
  });

  async function signIn(): Promise<void> {
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
  }
  /** Sends a value a second, and lets the time pass. */
  async function feed(value: number, seconds: number, kind = 'spo2'): Promise<void> {
    for (let sent = 0; sent < seconds; sent += 10) {
      const samples = Array.from({ length: Math.min(10, seconds - sent) }, (_, place) => ({
        patientId: patient,
        kind,
        value,
        takenAt: toInstant(test.now() + place * 1_000),
        quality: 'good',
      }));
      test.advance(samples.length * 1_000);
      const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
      expect(answer.json()).toMatchObject({ accepted: samples.length });
    }
  }
  const raised = async (): Promise<string[]> => {
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    return items.filter(({ condition }: AlertItem) => condition === 'active').map(({ rule }) => rule);
  };
  const call = async (
    who: Caller,
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    rest: string,
    body?: object,
  ): Promise<void> => {
    expect((await who.call(method, `/api/v2/patients/${patient}${rest}`, body)).statusCode).toBeLessThan(300);
  };
  const standBy = (minutes: number) => call(nurse, 'POST', '/standby', { reason: 'A wash', minutes });
  const setLimit = async (rule: string, values: object): Promise<void> => {
    const wanted = { rule, values, reason: 'As we agreed' };
    expect((await setPatientLimits(nurse, patient, wanted)).statusCode).toBe(200);
  };

  it('a standby holds back what is new and tells it at its end, if it still lasts', async () => {
    await standBy(1);
    await feed(86, 50);
    await test.server.alerts.evaluateClock();
    await expect(raised()).resolves.toEqual([]);
    test.advance(10_000);
    await test.server.alerts.evaluateClock();
    await expect(raised()).resolves.toEqual(['spo2.low']);
  });

  it('a standby that is ended early tells at once what it held back, without another value', async () => {
    await standBy(60);
    await feed(86, 20);
    await expect(raised()).resolves.toEqual([]);
    await call(nurse, 'POST', '/standby/end');
    await expect(raised()).resolves.toEqual(['spo2.low']);
  });

  it('a standby holds back no symptoms', async () => {
    await standBy(10);
    await call(nurse, 'POST', '/symptoms', { answers: { chestPain: 'severe' } });
    await expect(raised()).resolves.toEqual(['symptoms.red_flag']);
  });

  it('a standby holds back no extreme rate by ECG, and one by an oximeter alone', async () => {
    await standBy(10);
    await feed(35, 20, 'pulseRate');
    await expect(raised()).resolves.toEqual([]);
    await feed(35, 20, 'heartRate');
    await expect(raised()).resolves.toEqual(['hr.extreme']);
  });

  it('a standby holds back no red value at home', async () => {
    await call(nurse, 'PATCH', '', { version: 1, profile: 'home' });
    await standBy(10);
    await feed(91, 1);
    await expect(raised()).resolves.toEqual(['home.spo2.red']);
  });

  it('a standby holds back no single value beyond a HIGH limit that a person typed in', async () => {
    await standBy(10);
    await call(nurse, 'POST', '/readings', { readings: { spo2: 80 } });
    await expect(raised()).resolves.toEqual(['spo2.low']);
  });

  it('tells the charge nurse of each renewal of a standby, until it is over', async () => {
    const unit = `Renewals ${site}`;
    await call(nurse, 'PATCH', '', { version: 1, location: { unit, bed: '1' } });
    await standBy(10);
    await expect(raised()).resolves.toEqual([]);
    await standBy(20);
    const renewed = async () => {
      const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
      return items.map(({ priority, sentence, episodes }) => [priority, sentence, episodes]);
    };
    const name = /Standby renewed by Robin Example\d+ until \d\d:\d\d/;
    await expect(renewed()).resolves.toEqual([['medium', expect.stringMatching(name), 1]]);
    const [alert] = test.server.alerts.listOpen(site);
    const log = (await nurse.call('GET', `/api/v2/alerts/${alert?.id}/events`)).json<{ items: object[] }>();
    expect(log.items).toMatchObject([{ is: 'raised' }, { is: 'asked', step: 0, to: { unheld: ['charge_nurse'] } }]);
    test.advance(60_000);
    await standBy(20);
    await expect(renewed()).resolves.toEqual([['medium', expect.stringMatching(name), 2]]);
    const technician = await test.signIn(site, 'technician');
    expect((await technician.call('GET', '/api/v2/alerts')).json<AlertsPage>().items).toEqual([]);
    test.advance(20 * 60_000);
    await signIn();
    await test.server.alerts.evaluateClock();
    await expect(renewed()).resolves.toEqual([]);
  });

  it('counts from the first violating value what a standby held back', async () => {
    await standBy(2);
    await feed(86, 120);
    await test.server.alerts.evaluateClock();
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    expect(items.map(({ sentence }) => sentence)).toEqual(['SpO2 86 % < 88 for 2 min']);
  });

  /** Lets the rules fail to read what was changed, `times` times. */
  const failToRead = (what: 'readHoldingAgain' | 'readSitesAgain', times: number): void => {
    const spy = jest.spyOn(PeopleAndSites.prototype, what);
    for (let time = 0; time < times; time += 1) {
      spy.mockRejectedValueOnce(new FileLocked());
    }
  };
  const tick = () => test.server.alerts.evaluateClock();

  it('tells by the clock what an ended standby held back if its end could not be read before', async () => {
    await standBy(60);
    await feed(86, 20);
    failToRead('readHoldingAgain', 2);
    expect((await nurse.call('POST', `/api/v2/patients/${patient}/standby/end`)).statusCode).toBe(503);
    await expect(raised()).resolves.toEqual([]);
    await expect(tick()).rejects.toThrow(FileLocked);
    await expect(raised()).resolves.toEqual([]);
    await tick();
    await expect(raised()).resolves.toEqual(['spo2.low']);
  });

  it('applies an ended comfort care by the clock if its end could not be read before', async () => {
    await call(physician, 'PUT', '/comfort-care', { reason: 'Agreed with the family' });
    await setLimit('spo2.low', { low: null });
    failToRead('readHoldingAgain', 1);
    expect((await physician.call('DELETE', `/api/v2/patients/${patient}/comfort-care`)).statusCode).toBe(503);
    await tick();
    await feed(86, 16);
    await expect(raised()).resolves.toEqual(['spo2.low']);
  });

  it('applies a site’s approved limits by the clock if they could not be read before', async () => {
    const lead = await test.signIn(site, 'ward_lead');
    failToRead('readSitesAgain', 2);
    const approved = approveSiteLimits(physician, lead, { rule: 'spo2.low', scale: 1, values: { low: 91 } });
    await expect(approved).rejects.toThrow('503');
    await expect(tick()).rejects.toThrow(FileLocked);
    await tick();
    await feed(90, 16);
    await expect(raised()).resolves.toEqual(['spo2.low']);
  });

  it('never raises what is over before the end of a standby', async () => {
    await standBy(60);
    await feed(86, 20);
    await feed(97, 40);
    await call(nurse, 'POST', '/standby/end');
    await expect(raised()).resolves.toEqual([]);
  });

  it('a standby outlives a restart, and so does what it holds back', async () => {
    await standBy(1);
    await feed(86, 20);
    await test.restart();
    await test.server.alerts.evaluateClock();
    await expect(raised()).resolves.toEqual([]);
    test.advance(40_000);
    await test.server.alerts.evaluateClock();
    await expect(raised()).resolves.toContain('spo2.low');
  });

  it('a limit that is moved is judged from the next value on', async () => {
    await feed(90, 20);
    await expect(raised()).resolves.toEqual([]);
    await setLimit('spo2.low', { low: 91 });
    await expect(raised()).resolves.toEqual([]);
    await feed(90, 16);
    await expect(raised()).resolves.toEqual(['spo2.low']);
  });

  it('a site’s limit is judged from the next value on, but where the patient has one of their own', async () => {
    const lead = await test.signIn(site, 'ward_lead');
    await approveSiteLimits(physician, lead, { rule: 'spo2.low', scale: 1, values: { low: 91 } });
    const first = patient;
    patient = await test.addPatient(site);
    await setLimit('spo2.low', { low: 89 });
    await feed(90, 16);
    await expect(raised()).resolves.toEqual([]);
    patient = first;
    await feed(90, 16);
    await expect(raised()).resolves.toEqual(['spo2.low']);
  });

  it('applies a HIGH limit again that was off in comfort care if no one confirms it', async () => {
    await call(physician, 'PUT', '/comfort-care', { reason: 'Agreed with the family' });
    await setLimit('spo2.low', { low: null });
    await feed(86, 30);
    await expect(raised()).resolves.toEqual([]);
    test.advance(24 * 3_600_000);
    await signIn();
    await test.server.alerts.evaluateClock();
    await feed(86, 16);
    await expect(raised()).resolves.toContain('spo2.low');
  });

  it('a HIGH limit that was off in comfort care holds again when a physician ends it', async () => {
    await call(physician, 'PUT', '/comfort-care', { reason: 'Agreed with the family' });
    await setLimit('spo2.low', { low: null });
    await feed(86, 20);
    await call(physician, 'DELETE', '/comfort-care');
    await feed(86, 16);
    await expect(raised()).resolves.toEqual(['spo2.low']);
  });

  it('comfort care evaluates what lasts at once, by the limits that are off in it, and so does its end', async () => {
    await call(physician, 'PUT', '/comfort-care', { reason: 'Agreed with the family' });
    await setLimit('spo2.low', { low: null });
    await call(physician, 'DELETE', '/comfort-care');
    await feed(86, 20);
    const before = test.server.alerts.listOpen(site).find(({ patientId }) => patientId === patient);
    expect(before?.alert).toMatchObject({ rule: 'spo2.low', condition: 'active' });
    await call(physician, 'PUT', '/comfort-care', { reason: 'Agreed with the family' });
    const after = (): unknown => test.server.alerts.find(before?.id ?? 0)?.alert;
    expect(after()).toMatchObject({ rule: 'spo2.below', priority: 'medium', condition: 'active', closed: null });
    await call(physician, 'DELETE', '/comfort-care');
    await feed(86, 16);
    expect(after()).toMatchObject({ rule: 'spo2.low', priority: 'high', escalation: { step: 1 } });
  });

  it('another SpO2 scale brings its own limits with it', async () => {
    await setLimit('spo2.low', { low: 91 });
    const target = { version: 1, scale: 2, low: 88, high: 92, reason: 'Known to retain carbon dioxide' };
    await call(physician, 'PUT', '/spo2-target', target);
    await feed(86, 30);
    await expect(raised()).resolves.toEqual([]);
    await feed(84, 16);
    await expect(raised()).resolves.toEqual(['spo2.low']);
  });

  const setScale = (scale: 1 | 2, version: number) =>
    call(physician, 'PUT', '/spo2-target', {
      version,
      scale,
      ...(scale === 1 ? { low: 94, high: 98 } : { low: 88, high: 92 }),
      reason: 'Known to retain carbon dioxide',
    });

  it('judges by the new SpO2 scale at once, over a restart, and escalates no HIGH that is none any more', async () => {
    await feed(89, 320);
    await expect(raised()).resolves.toEqual(['spo2.below']);
    await setScale(2, 1);
    await expect(raised()).resolves.toEqual([]);
    await test.restart();
    await test.server.alerts.evaluateClock();
    await expect(raised()).resolves.toEqual([]);
    await setScale(1, 2);
    await feed(87, 16);
    await expect(raised()).resolves.toEqual(['spo2.low']);
    await setScale(2, 3);
    await expect(raised()).resolves.toEqual(['spo2.below']);
  });

  it('evaluates the last reading at home by a corrected SpO2 scale, without another one', async () => {
    patient = await test.addPatient(site, { profile: 'home' });
    await setScale(2, 1);
    await feed(90, 1);
    await expect(raised()).resolves.toEqual([]);
    await setScale(1, 2);
    await expect(raised()).resolves.toEqual(['home.spo2.red']);
    await setScale(2, 3);
    await expect(raised()).resolves.toEqual([]);
  });

  const shown = () =>
    test.server.alerts
      .listOpen(site)
      .filter(({ patientId, alert }) => patientId === patient && alert.parameter === 'spo2')
      .map(({ alert: { priority, escalation, latched } }) => [priority, escalation.priority, latched]);

  it('shows and escalates no HIGH that is none by the new SpO2 scale, acknowledged or not', async () => {
    await feed(86, 20);
    expect(shown()).toEqual([['high', 'high', false]]);
    await setScale(2, 1);
    expect(shown()).toEqual([['medium', 'medium', false]]);
    await feed(97, 70);
    expect(shown()).toEqual([['medium', 'medium', false]]);
    await setScale(1, 2);
    await feed(86, 20);
    expect(shown()).toEqual([['high', 'high', false]]);
  });

  it('latches no HIGH that is none by the new SpO2 scale', async () => {
    await feed(86, 20);
    await feed(89, 5);
    await setScale(2, 1);
    expect(shown()).toEqual([['medium', 'medium', false]]);
  });

  it('keeps a HIGH with a value that is one by the new SpO2 scale, although the present one is not', async () => {
    await feed(82, 20);
    await feed(86, 5);
    await setScale(2, 1);
    expect(shown()).toEqual([['high', 'high', false]]);
  });

  it('keeps a HIGH that is one by the new SpO2 scale as well', async () => {
    await feed(82, 20);
    const before = test.server.alerts.listOpen(site).map(({ id }) => id);
    await setScale(2, 1);
    await feed(82, 1);
    await expect(raised()).resolves.toEqual(['spo2.low']);
    expect(test.server.alerts.listOpen(site).map(({ id, alert }) => [id, alert.episodes])).toEqual([[before[0], 1]]);
  });

  it('does not apply a former standby to a patient who comes back after a discharge', async () => {
    await standBy(60);
    await call(nurse, 'PATCH', '', { version: 1, state: 'discharged' });
    await call(nurse, 'PATCH', '', { version: 2, state: 'active' });
    await feed(86, 16);
    await expect(raised()).resolves.toEqual(['spo2.low']);
  });
});

describe.each(apiEngines)('an alert whose condition comes and goes on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let unit: number;
  let device: { token: string };
  let nurse: Caller;
  let patient: number;
  let startedAt: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone();
    test.advance(60 * minute);
    const name = `Unit ${test.now()}`;
    unit = await test.addUnit(site, name);
    device = await test.addDevice(site);
    patient = await test.addPatient(site, { location: { unit: name, bed: '1' } });
    nurse = await test.signIn(site, 'nurse');
    const lead = await test.signIn(site, 'ward_lead');
    await assign(lead, 'nurse', nurse.userId);
    await test.server.alerts.evaluateClock();
    startedAt = test.now();
  });

  async function assign(lead: Caller, role: AssignmentRole, userId: number): Promise<void> {
    const body = { unitId: unit, shift: 'current', role, patientId: patient, userId, version: 0 };
    expect((await lead.call('PUT', '/api/v2/assignments', body)).statusCode).toBe(200);
  }
  /** Sends a value a second, ten in a call, and lets the server look at its clock. */
  async function feed(values: readonly number[]): Promise<void> {
    for (let first = 0; first < values.length; first += 10) {
      const part = values.slice(first, first + 10);
      const samples = part.map((value, place) => ({
        patientId: patient,
        kind: 'spo2',
        value,
        takenAt: toInstant(test.now() + (place + 1) * second),
        quality: 'good',
      }));
      test.advance(part.length * second);
      const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
      expect(answer.json()).toMatchObject({ accepted: part.length });
      await test.server.alerts.evaluateClock();
    }
  }
  const lasting = (value: number, seconds: number): number[] => Array.from({ length: seconds }, () => value);
  const repeated = (times: number, values: readonly number[]): number[] =>
    Array.from({ length: times }, () => values).flat();
  async function alertOf(): Promise<AlertItem> {
    // Screens are locked after some minutes without input.
    const reader = await test.signIn(site, 'physician');
    const { items } = (await reader.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    const alert = items.find(({ parameter }) => parameter === 'spo2');
    if (alert === undefined) {
      throw new Error('No alert is open');
    }
    return alert;
  }
  async function logOf({ id }: AlertItem): Promise<LoggedEvent[]> {
    const reader = await test.signIn(site, 'physician');
    return (await reader.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items;
  }
  /** Each step that was asked, with the seconds since the test began. */
  const stepsOf = async (alert: AlertItem): Promise<[number, number][]> =>
    (await logOf(alert)).flatMap((event): [number, number][] =>
      event.is === 'asked' ? [[event.step, (Date.parse(event.at) - startedAt) / second]] : [],
    );

  it('asks everyone of the plan about SpO2 84 for 40 s and 95 for 35 s, for 15 min', async () => {
    await feed(repeated(12, [...lasting(84, 40), ...lasting(95, 35)]));
    const alert = await alertOf();
    expect(alert).toMatchObject({ episodes: 12, escalationStep: 4 });
    const steps = await stepsOf(alert);
    expect(steps.map(([step]) => step)).toEqual([0, 1, 2, 3]);
    const [raisedAt, next, third, fourth] = steps.map(([, at]) => at);
    // Raised by the call of the 20th second, and for the third time after two and a half minutes: then the next step
    // is due at once (E4).
    expect([raisedAt, next]).toEqual([20, 80]);
    expect(third).toBeLessThanOrEqual(170);
    expect(fourth).toBeLessThanOrEqual(500);
  });

  it('asks everyone of the plan about SpO2 74 for 8 s every 2 min', async () => {
    await feed(repeated(8, [...lasting(74, 8), ...lasting(97, 112)]));
    const steps = await stepsOf(await alertOf());
    expect(steps.map(([step]) => step)).toEqual([0, 1, 2, 3]);
    expect(steps.at(-1)?.[1]).toBeLessThan(15 * 60);
  });

  it('asks rapid response no later because SpO2 falls from 84 to 76 just before', async () => {
    // Raised at 20 s: rapid response is due at 320 s. It falls at 311 s.
    await feed([...lasting(84, 310), ...lasting(76, 20)]);
    const steps = await stepsOf(await alertOf());
    expect(steps.filter(([step]) => step === 3)).toEqual([[3, 320]]);
    expect(steps.filter(([step]) => step === 0)).toHaveLength(2);
  });

  it('leaves the alert with the nurse at the bedside at the next dip', async () => {
    await feed(lasting(84, 20));
    const { id, version } = await alertOf();
    expect((await nurse.call('POST', `/api/v2/alerts/${id}/accept`, { version })).statusCode).toBe(200);
    await feed([...lasting(95, 40), ...lasting(84, 120)]);
    const alert = await alertOf();
    expect(alert).toMatchObject({ id, episodes: 2, acknowledged: null, accepted: { by: { id: nurse.userId } } });
    await expect(stepsOf(alert)).resolves.toEqual([[0, 20]]);
  });

  it('writes at most 10 lines in 7 min about readings at home that alternate between 92 and 93', async () => {
    patient = await test.addPatient(site, { profile: 'home' });
    await feed(repeated(210, [92, 93]));
    const alert = await alertOf();
    const log = await logOf(alert);
    expect(log.length).toBeLessThanOrEqual(10);
    expect(alert).toMatchObject({ priority: 'high', escalationStep: 2 });
  });

  it('asks step 1 about a HIGH alert that ended unseen, also over a restart, and keeps it listed', async () => {
    await feed([...lasting(84, 20), ...lasting(97, 35)]);
    await expect(stepsOf(await alertOf())).resolves.toEqual([[0, 20]]);
    await test.restart();
    test.advance(25 * second);
    await test.server.alerts.evaluateClock();
    test.advance(10 * minute);
    await test.server.alerts.evaluateClock();
    const alert = await alertOf();
    await expect(stepsOf(alert)).resolves.toEqual([
      [0, 20],
      [1, 80],
    ]);
    expect(alert).toMatchObject({ condition: 'ended', latched: true, closedAt: null });
  });

  it('is raised for a new episode after more than 5 min, also while the old one is listed', async () => {
    await feed([...lasting(84, 20), ...lasting(97, 30)]);
    const { id, version } = await alertOf();
    expect((await nurse.call('POST', `/api/v2/alerts/${id}/accept`, { version })).statusCode).toBe(200);
    await feed([...lasting(97, 310), ...lasting(84, 20)]);
    const alert = await alertOf();
    expect(alert).toMatchObject({ id, accepted: null, escalationStep: 1 });
    expect([alert.raisedAt, alert.lastRaisedAt]).toEqual([alert.escalation.startedAt, alert.escalation.startedAt]);
    expect(Date.parse(alert.raisedAt) - startedAt).toBe(380 * second);
  });
});
