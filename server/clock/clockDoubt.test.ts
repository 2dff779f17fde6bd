import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { User } from '../../lib/session/schema';
import type { SiteSettings } from '../../lib/site/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { jobsOf } from '../jobs';
import { clockDoubtOf } from './clockDoubt';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Days of samples; the first three are older than retention keeps. */
const days = 18;
const rawDays = 15;

describe('a clock', () => {
  it.each([
    ['a day ahead', day, false],
    ['more than a day ahead', day + 1, true],
    ['a day back', -day, false],
    ['more than a day back', -day - 1, true],
  ])('that is %s is in doubt: %#', (_, ms, isDoubted) => {
    const expectedAt = Date.UTC(2026, 4, 1);
    const statedAt = expectedAt + ms;
    expect(clockDoubtOf(statedAt, expectedAt)).toEqual(isDoubted ? { statedAt, expectedAt } : null);
  });

  it('is in no doubt while nothing is known', () => {
    expect(clockDoubtOf(Date.UTC(2026, 4, 1), 0)).toBeNull();
  });
});

describe.each(apiEngines)('a clock that is wrong by days on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let token: string;
  let patientId: number;
  /** The true time, which the device's own clock shows. */
  let trueTime: number;
  /** When the samples were taken, by the true time. */
  let sent: number[];

  // Servers of their own: the clock is that of all sites.
  beforeEach(async () => {
    test = await startTestServer(engine, { RAW_DAYS: String(rawDays) });
    site = await test.addSite();
    await test.startRules(site);
    ({ token } = await test.addDevice(site));
    patientId = await test.addPatient(site);
    trueTime = test.now();
    sent = [];
    for (let count = 0; count < days; count += 1) {
      await send();
      pass(day);
      await test.server.rollups.catchUp(test.server.recorder.inFlight);
    }
    await send();
  });
  afterEach(() => test.stop());

  const pass = (ms: number): void => {
    test.advance(ms);
    trueTime += ms;
  };
  async function send(): Promise<void> {
    pass(1_000);
    const samples = [{ patientId, kind: 'spo2', value: 97, takenAt: toInstant(trueTime), quality: 'good' }];
    expect((await test.ingest(token, samples, { sentAt: toInstant(trueTime) })).json()).toMatchObject({ accepted: 1 });
    sent.push(trueTime);
  }
  const setClock = async (ms: number): Promise<void> => {
    test.setWallClock(ms);
    await test.server.clockWatch.check();
  };
  const retain = async (): Promise<void> => {
    await test.server.rollups.catchUp(test.server.recorder.inFlight);
    const retention = jobsOf(test.server, { tick: () => Promise.resolve() }).find(({ name }) => name === 'retention');
    await retention?.run(new AbortController().signal);
  };
  /** Lets hours pass, in which the job runs now and then. */
  const retainFor = async (hours: number): Promise<void> => {
    for (let left = hours; left > 0; left -= 6) {
      pass(Math.min(left, 6) * hour);
      await retain();
    }
  };
  /** The ages of the stored samples by the true time, in whole days, oldest first. */
  const storedDays = async (): Promise<number[]> =>
    (await test.store.db.selectFrom('samples').select('taken_at').orderBy('taken_at').execute()).map(({ taken_at }) =>
      Math.floor((trueTime - taken_at) / day),
    );
  const expectNoneTooEarly = async (): Promise<void> => {
    const rows = await test.store.db.selectFrom('samples').select('taken_at').execute();
    const young = sent.filter((takenAt) => trueTime - takenAt < rawDays * day);
    expect(rows.map((row) => row.taken_at)).toEqual(expect.arrayContaining(young));
  };
  const technicalAlerts = async (): Promise<string[]> => {
    await test.server.alerts.evaluateClock();
    const technician = await test.signIn(site, 'technician');
    const { items } = (await technician.call('GET', '/api/v2/alerts?pageSize=100')).json<AlertsPage>();
    return items.filter(({ deviceName }) => deviceName === 'Server').map(({ sentence }: AlertItem) => sentence);
  };
  const userOf = async (caller: Caller): Promise<User> =>
    (await caller.call('GET', '/api/user/getCurrentUser')).json<User>();
  const doubt = 'Server clock may be wrong by more than a day';

  it.each([
    ['30 days ahead', 30 * day],
    ['500 days ahead', 500 * day],
    ['a day back', -day],
  ])('at two starts, %s, deletes nothing that is not old enough by the true time', async (_, ms) => {
    test.setWallClock(ms);
    for (let starts = 0; starts < 2; starts += 1) {
      await test.restart();
      await send();
      await retainFor(20);
      await expectNoneTooEarly();
      // A clock that was set back may delete, but only what is older still.
      expect((await storedDays()).length).toBeGreaterThanOrEqual(ms > 0 ? sent.length : rawDays);
      const alerts = await technicalAlerts();
      expect(alerts.some((sentence) => sentence.startsWith(doubt))).toBe(ms > day);
    }
    await setClock(-ms);
    await expect(technicalAlerts()).resolves.toEqual([expect.stringContaining('Server clock was set')]);
    await retainFor(48);
    await expectNoneTooEarly();
    await expect(technicalAlerts()).resolves.toEqual([]);
    // By the right clock what is too old goes again.
    expect(Math.max(...(await storedDays()))).toBeLessThan(rawDays + 1);
  });

  it('while the server runs is asked about over restarts, until it is mended', async () => {
    await setClock(40 * day);
    for (let starts = 0; starts < 2; starts += 1) {
      await send();
      await retainFor(20);
      await expect(technicalAlerts()).resolves.toEqual([expect.stringContaining(doubt)]);
      await test.restart();
    }
    await expectNoneTooEarly();
    test.setWallClock(-40 * day);
    await test.restart();
    const administrator = await test.signIn(site, 'administrator', true);
    expect((await userOf(administrator)).site.isClockDoubted).toBe(false);
    await expect(technicalAlerts()).resolves.toEqual([expect.stringContaining('Server clock was set')]);
  });

  it('is believed when an administrator confirms it, and pages are notified', async () => {
    // The server was off for five days.
    pass(5 * day);
    await test.restart();
    const administrator = await test.signIn(site, 'administrator', true);
    await expect(technicalAlerts()).resolves.toEqual([expect.stringContaining(doubt)]);
    expect((await userOf(administrator)).site.isClockDoubted).toBe(true);
    const expected = { statedAt: toInstant(test.now()), expectedAt: toInstant(test.now() - 5 * day) };
    const asked = (await administrator.call('GET', '/api/v2/admin/site')).json<SiteSettings>();
    expect(asked.clockDoubt).toEqual(expected);
    await retain();
    await expect(storedDays()).resolves.toHaveLength(days + 1);

    const answer = await administrator.call('POST', '/api/v2/admin/clock', { isRight: true });
    expect(answer.json<SiteSettings>().clockDoubt).toBeNull();
    expect((await userOf(administrator)).site.isClockDoubted).toBe(false);
    await expect(technicalAlerts()).resolves.toEqual([]);
    await retain();
    expect((await storedDays()).length).toBeLessThan(days + 1);
    const rows = await test.store.db.selectFrom('audit').selectAll().where('action', '=', 'confirm_clock').execute();
    expect(rows).toMatchObject([{ actor_id: administrator.userId, details: JSON.stringify({ ms: 5 * day }) }]);
    // Asked once: nothing is in doubt any more.
    await administrator.call('POST', '/api/v2/admin/clock', { isRight: true });
    await expect(
      test.store.db.selectFrom('audit').select('id').where('action', '=', 'confirm_clock').execute(),
    ).resolves.toHaveLength(1);
  });

  it('is believed after a day of one process in which no one set it, which a restart begins again', async () => {
    pass(5 * day);
    await test.restart();
    await send();
    await retainFor(23);
    await test.restart();
    await retainFor(23);
    await expect(storedDays()).resolves.toHaveLength(days + 2);
    await expect(technicalAlerts()).resolves.toEqual([expect.stringContaining(doubt)]);
    await retainFor(2);
    await expect(technicalAlerts()).resolves.toEqual([]);
    expect((await storedDays()).length).toBeLessThan(days + 2);
  });
});
