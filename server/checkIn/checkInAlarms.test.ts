import { randomUUID } from 'node:crypto';
import { toInstant } from '../../lib/time/schema';
import { allowLinks, checkInLink, type TestLink } from '../../test/checkInLink';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const hour = 3_600_000;

describe.each(apiEngines)('the alerts of check-ins on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let link: TestLink;

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
    site = await test.addSite();
    await allowLinks(test, site);
  });
  beforeEach(async () => {
    nurse = await test.signIn(site, 'nurse');
    link = await checkInLink(test, nurse);
  });
  afterAll(() => test.stop());

  const records = (rule: string) =>
    test.server.alerts
      .listOpen(site)
      .filter(({ patientId, alert }) => patientId === link.patientId && alert.rule === rule);
  const calls = () => records('symptoms.callRequested');
  const askForCall = async (clientId: string = randomUUID()) => {
    const answer = await link.post('call-requests', { clientId, sentAt: toInstant(test.now()) });
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return answer.json<{ requestedAt: string }>();
  };
  const resolve = async (id: number): Promise<void> => {
    const version = test.server.alerts.find(id)?.alert.version ?? 0;
    const answer = await nurse.call('POST', `/api/v2/alerts/${id}/resolve`, { version, outcome: 'intervention' });
    expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  };
  const tick = () => test.server.alerts.evaluateClock();

  describe('a red flag of a check-in', () => {
    const body = () => link.checkIn({ redFlags: ['blueLips'], readings: { spo2: 97 } });
    const flags = () => records('symptoms.red_flag');
    afterEach(() => jest.restoreAllMocks());

    it('is raised also if its readings cannot be stored', async () => {
      jest.spyOn(test.server.recorder, 'record').mockRejectedValueOnce(new Error('disk full'));
      expect((await link.post('reports', body())).statusCode).toBe(500);
      expect(flags()).toMatchObject([{ alert: { priority: 'high', condition: 'active' } }]);
    });

    it('is raised by the next tick if it could not be evaluated, and no phone sends it again', async () => {
      const queue = jest.spyOn(test.store, 'writeQueue').mockRejectedValueOnce(new Error('disk full'));
      expect((await link.post('reports', body())).statusCode).toBe(500);
      expect(queue).toHaveBeenCalledTimes(1);
      expect(flags()).toEqual([]);
      await tick();
      expect(flags()).toMatchObject([{ alert: { priority: 'high', condition: 'active' } }]);
    });
  });

  describe('a request for a call', () => {
    it('is HIGH at once, beside a red flag, and once for one id', async () => {
      await link.post('reports', link.checkIn({ redFlags: ['blueLips'] }));
      const clientId = randomUUID();
      const first = await askForCall(clientId);
      test.advance(5_000);
      await expect(askForCall(clientId)).resolves.toEqual(first);
      expect(calls()).toMatchObject([{ alert: { priority: 'high', condition: 'active', episodes: 1 } }]);
      expect(records('symptoms.red_flag')).toHaveLength(1);
    });

    it('is raised again by a second one, also after it was acknowledged, and asks on', async () => {
      await askForCall();
      const [record] = calls();
      await nurse.call('POST', `/api/v2/alerts/${record?.id}/acknowledge`, { version: record?.alert.version });
      expect(calls()[0]?.alert.acknowledged).not.toBeNull();
      // Sooner it joins the alert (budget.test).
      test.advance(5 * 60_000);
      await askForCall();
      expect(calls()).toMatchObject([{ id: record?.id, alert: { episodes: 2, acknowledged: null } }]);
      test.advance(30 * 60_000);
      await tick();
      expect(calls()[0]?.alert.escalation.step).toBeGreaterThan(0);
    });

    it('lasts until a person ends it: no check-in, no restart and no day does', async () => {
      await askForCall();
      await link.post('reports', link.checkIn({ sinceYesterday: 'better' }));
      test.advance(26 * hour);
      await test.restart();
      await tick();
      expect(calls()).toMatchObject([{ alert: { condition: 'active' } }]);
      nurse = await test.signIn(site, 'nurse');
      await resolve(calls()[0]?.id ?? 0);
      await tick();
      expect(calls()).toEqual([]);
      await test.restart();
      await tick();
      expect(calls()).toEqual([]);
      test.advance(60_000);
      await askForCall();
      expect(calls()).toMatchObject([{ alert: { condition: 'active', priority: 'high' } }]);
    });

    it('is raised after a crash between its row and its alert, and after the rules forgot what they knew', async () => {
      await test.store.db
        .insertInto('check_in_calls')
        .values({
          site_id: site,
          patient_id: link.patientId,
          link_id: link.id,
          client_id: randomUUID(),
          requested_at: test.now(),
        })
        .execute();
      await test.restart();
      await tick();
      expect(calls()).toHaveLength(1);
      nurse = await test.signIn(site, 'nurse');
      await resolve(calls()[0]?.id ?? 0);
      await test.store.db
        .updateTable('rule_states')
        .set({ state: 'lost' })
        .where('patient_id', '=', link.patientId)
        .execute();
      await test.restart();
      await tick();
      expect(calls()).toEqual([]);
    });

    it('is not held back by a standby, and goes along when the patient comes to the ward', async () => {
      const standby = { minutes: 30, reason: 'transport' };
      const held = await nurse.call('POST', `/api/v2/patients/${link.patientId}/standby`, standby);
      expect([held.statusCode, held.body]).toEqual([201, expect.any(String)]);
      await askForCall();
      expect(calls()).toHaveLength(1);
      await nurse.call('PATCH', `/api/v2/patients/${link.patientId}`, { version: 1, profile: 'continuous' });
      await tick();
      expect(calls()).toMatchObject([{ alert: { condition: 'active' } }]);
    });

    it('ends with the discharge, and does not come back with the patient', async () => {
      await askForCall();
      await nurse.call('PATCH', `/api/v2/patients/${link.patientId}`, { version: 1, state: 'discharged' });
      await tick();
      expect(calls()).toEqual([]);
      await nurse.call('PATCH', `/api/v2/patients/${link.patientId}`, { version: 2, state: 'active' });
      await tick();
      expect(calls()).toEqual([]);
    });

    it('stays one alert when someone sets the clock', async () => {
      await askForCall();
      for (const step of [-2 * hour, 3 * hour]) {
        test.setWallClock(step);
        await test.server.clockWatch.check();
        await tick();
        expect(calls()).toMatchObject([{ alert: { episodes: 1, condition: 'active' } }]);
      }
      nurse = await test.signIn(site, 'nurse');
      await resolve(calls()[0]?.id ?? 0);
      for (const step of [-26 * hour, 25 * hour]) {
        test.setWallClock(step);
        await test.server.clockWatch.check();
        await tick();
        expect(calls()).toEqual([]);
      }
    });
  });

  describe('a link that wrong years lock', () => {
    const lock = async (): Promise<void> => {
      for (let tries = 0; tries < 5; tries += 1) {
        await link.post('open', { yearOfBirth: 1900 + tries });
      }
    };
    const news = () => records('checkIn.locked').map(({ alert }) => [alert.priority, alert.condition]);

    it('is news to the ward at once, after a restart as well, and not before the fifth', async () => {
      for (let tries = 0; tries < 4; tries += 1) {
        await link.post('open', { yearOfBirth: 1900 });
      }
      expect(news()).toEqual([]);
      await link.post('open', { yearOfBirth: 1900 });
      expect(news()).toEqual([['medium', 'active']]);
      await test.restart();
      await tick();
      expect(news()).toEqual([['medium', 'active']]);
    });

    it('stays news while only the proxy has a new link, or no one has opened the new one', async () => {
      await lock();
      test.advance(1_000);
      const proxy = await checkInLink(test, nurse, { patientId: link.patientId, for: 'proxy' });
      await proxy.post('open');
      const own = await checkInLink(test, nurse, { patientId: link.patientId });
      await tick();
      expect(news()).toEqual([['medium', 'active']]);
      expect((await own.post('open')).statusCode).toBe(200);
      expect(news().filter(([, condition]) => condition === 'active')).toEqual([]);
    });

    it('is over with a new link that opens, with its revocation, or when a person says so', async () => {
      await lock();
      test.advance(1_000);
      const another = await checkInLink(test, nurse, { patientId: link.patientId });
      await another.post('open');
      expect(news().filter(([, condition]) => condition === 'active')).toEqual([]);
      // The new one is revoked: what is known of the old one is not new.
      await nurse.call('POST', `/api/v2/check-in-links/${another.id}/revoke`);
      expect(news().filter(([, condition]) => condition === 'active')).toEqual([]);
      link = await checkInLink(test, nurse);
      await lock();
      await nurse.call('POST', `/api/v2/check-in-links/${link.id}/revoke`);
      expect(news().filter(([, condition]) => condition === 'active')).toEqual([]);
      link = await checkInLink(test, nurse);
      await lock();
      await resolve(records('checkIn.locked')[0]?.id ?? 0);
      await tick();
      expect(news()).toEqual([]);
    });
  });

  describe('check-ins that do not come', () => {
    const missed = () =>
      test.server.alerts
        .listOpen(site)
        .filter(({ patientId, alert }) => patientId === link.patientId && alert.parameter === 'readings')
        .map(({ alert }) => [alert.rule, alert.priority, alert.condition]);
    /** Moves to an hour of a day in London. */
    const goTo = async (day: number, hours: number, minutes = 0): Promise<void> => {
      test.advance(Date.UTC(2026, 4, day, hours - 1, minutes) - test.now());
      await tick();
    };
    let day = 4;
    beforeEach(async () => {
      day += 3;
      await goTo(day, 7, 50);
      nurse = await test.signIn(site, 'nurse');
      link = await checkInLink(test, nurse);
    });

    it('raise LOW two hours after the first and MEDIUM two hours after the second, also over a restart', async () => {
      await link.post('reports', link.checkIn());
      await goTo(day, 15, 59);
      expect(missed()).toEqual([]);
      await goTo(day, 16);
      expect(missed()).toEqual([['readings.missed', 'low', 'active']]);
      await test.restart();
      await goTo(day, 22);
      expect(missed()).toEqual([['readings.silent', 'medium', 'active']]);
      await link.post('reports', link.checkIn({ answers: {}, readings: { spo2: 97 } }));
      await tick();
      expect(missed().filter(([, , condition]) => condition === 'active')).toEqual([]);
    });

    it('are answered by symptoms without readings, and no longer if these were entered in error', async () => {
      await link.post('reports', link.checkIn());
      await goTo(day, 13, 30);
      await link.post('reports', link.checkIn());
      await goTo(day, 16);
      expect(missed()).toEqual([]);
      nurse = await test.signIn(site, 'nurse');
      const [report] = (await nurse.call('GET', `/api/v2/patients/${link.patientId}/symptoms`)).json<{
        items: { id: number }[];
      }>().items;
      await nurse.call('POST', `/api/v2/symptoms/${report?.id}/entered-in-error`, { reason: 'Another patient' });
      await tick();
      expect(missed()).toEqual([['readings.missed', 'low', 'active']]);
    });

    it('follow the times of the site from the moment when they are changed', async () => {
      await link.post('reports', link.checkIn());
      await goTo(day, 16);
      const admin = await test.signIn(site, 'administrator', true);
      const change = async (checkInTimes: string[]) => {
        const { version } = (await admin.call('GET', '/api/v2/admin/site')).json<{ version: number }>();
        expect((await admin.call('PATCH', '/api/v2/admin/site', { version, checkInTimes })).statusCode).toBe(200);
      };
      expect(missed()).toEqual([['readings.missed', 'low', 'active']]);
      await change(['20:00', '08:00']);
      await tick();
      expect(missed().filter(([, , condition]) => condition === 'active')).toEqual([]);
      await change(['08:00', '14:00', '20:00']);
    });

    it('count by the interval as before without a link, and after it has expired', async () => {
      await link.post('reports', link.checkIn({ readings: { spo2: 97 } }));
      await nurse.call('POST', `/api/v2/check-in-links/${link.id}/revoke`);
      await goTo(day, 17, 49);
      expect(missed()).toEqual([]);
      await goTo(day, 17, 50);
      expect(missed()).toEqual([['readings.missed', 'low', 'active']]);
    });

    it('are not missed because the link of someone who sends symptoms alone is revoked', async () => {
      await link.post('reports', link.checkIn());
      await goTo(day, 17, 30);
      await link.post('reports', link.checkIn());
      nurse = await test.signIn(site, 'nurse');
      await nurse.call('POST', `/api/v2/check-in-links/${link.id}/revoke`);
      await goTo(day, 19);
      expect(missed().filter(([, , condition]) => condition === 'active')).toEqual([]);
    });
  });
});
