import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { toInstant } from '../../lib/time/schema';
import { approveSiteLimits } from '../../test/approveSiteLimits';
import { apiEngines } from '../../test/database';
import { setPatientLimits } from '../../test/setPatientLimits';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { FileLocked } from '../db/writeGuard';
import { PeopleAndSites } from './peopleAndSites';

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
    site = await test.addSite();
    await test.startRules(site);
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
