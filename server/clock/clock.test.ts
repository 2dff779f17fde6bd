import fc from 'fast-check';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { User } from '../../lib/session/schema';
import type { SiteSettings } from '../../lib/site/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import { jobsOf } from '../jobs';
import { type Clock, createClock, createMonotonic } from './clock';
import { clockDoubtOf } from './clockDoubt';
import { moveInstants } from './moveStore';

describe('clock', () => {
  const start = Date.UTC(2026, 4, 1, 10);
  const second = 1_000;
  const hour = 3_600 * second;

  describe('the clock of the process', () => {
    let wall: number;
    let elapsed: number;
    let clock: Clock;

    beforeEach(() => {
      wall = start;
      elapsed = 5_000;
      clock = createClock({ wall: () => wall, monotonic: () => elapsed });
    });
    const pass = (ms: number): void => {
      wall += ms;
      elapsed += ms;
    };

    it('runs with the wall clock while no one sets it', () => {
      pass(90 * second);
      expect([clock.now(), clock.check()]).toEqual([wall, null]);
    });

    it.each([
      ['an hour back', -hour, -hour],
      ['90 s back', -90 * second, -90 * second],
      ['two hours forward', 2 * hour, 2 * hour],
      ['by no whole slot of the rules', -100 * second, -105 * second],
    ])('counts elapsed time when the wall clock is set %s, and follows it only when it is moved', (_, ms, moveMs) => {
      wall += ms;
      pass(10 * second);
      expect(clock.now()).toBe(start + 10 * second);
      const step = clock.check();
      expect(step).toEqual({ jumpedMs: ms, moveMs });
      if (step !== null) {
        clock.move(step);
      }
      expect(Math.abs(clock.now() - wall)).toBeLessThanOrEqual(7_500);
      expect(clock.check()).toBeNull();
    });

    it('reports a step once, also one that is too small to move the anchor', () => {
      wall -= 5 * second;
      const step = clock.check();
      expect(step).toMatchObject({ jumpedMs: -5 * second });
      expect(step?.moveMs).toBeCloseTo(0);
      if (step !== null) {
        clock.move(step);
      }
      expect(clock.check()).toBeNull();
    });

    it.each([
      ['1970, a computer without a battery', 0],
      ['2001, before every instant that is stored', Date.UTC(2001, 0, 1)],
    ])('reports a date of %s once, goes on by its own time, and is where it was when that is mended', (_, date) => {
      pass(60 * second);
      const [before, away] = [wall, date - wall];
      wall += away;
      expect(clock.check()).toEqual({ jumpedMs: away, moveMs: 0 });
      clock.move({ jumpedMs: away, moveMs: 0 });
      for (let minute = 0; minute < 60; minute += 1) {
        pass(60 * second);
        expect(clock.check()).toBeNull();
        expect(clock.now()).toBe(before + (minute + 1) * 60 * second);
      }
      wall -= away;
      const step = clock.check();
      expect(step).toEqual({ jumpedMs: -away, moveMs: expect.closeTo(0) as number });
      clock.move({ jumpedMs: -away, moveMs: 0 });
      expect([clock.check(), clock.now()]).toEqual([null, wall]);
    });

    it('never begins at a date that cannot be true, and follows the first one that can', () => {
      wall = 0;
      clock = createClock({ wall: () => wall, monotonic: () => elapsed });
      expect([clock.isDateKnown(), clock.now(), clock.check()]).toEqual([false, Date.UTC(2026, 0, 1), null]);
      pass(10 * second);
      expect([clock.now(), clock.check()]).toEqual([Date.UTC(2026, 0, 1) + 10 * second, null]);
      wall = start;
      const step = clock.check();
      expect(step).toMatchObject({ jumpedMs: expect.any(Number) as number });
      if (step !== null) {
        clock.move(step);
      }
      expect(Math.abs(clock.now() - wall)).toBeLessThanOrEqual(7_500);
      expect([clock.isDateKnown(), clock.check()]).toEqual([true, null]);
    });

    it('makes up for a small difference by 2 % of the time that passes', () => {
      wall += 1_500;
      for (let tick = 0; tick < 80; tick += 1) {
        pass(second);
        expect(clock.check()).toBeNull();
      }
      expect(Math.abs(clock.now() - wall)).toBeLessThanOrEqual(1);
    });

    it('never goes back while it is not moved, however the wall clock is set', () => {
      const jump = fc.integer({ min: -3 * hour, max: 3 * hour });
      const wait = fc.integer({ min: 0, max: 5 * second });
      fc.assert(
        fc.property(fc.array(fc.record({ jump: fc.option(jump), wait }), { maxLength: 30 }), (steps) => {
          let before = clock.now();
          for (const step of steps) {
            wall += step.jump ?? 0;
            pass(step.wait);
            clock.check();
            const now = clock.now();
            expect(now).toBeGreaterThanOrEqual(before);
            expect(now - before).toBeLessThanOrEqual(step.wait * 1.05 + 1);
            before = now;
          }
        }),
      );
    });
  });

  it('takes a sleep of the machine for elapsed time, also one that begins as soon as it was looked for', () => {
    let [awake, asleep, wall] = [0, 0, Date.UTC(2026, 5, 1)];
    const monotonic = createMonotonic(
      () => awake,
      () => 100 + (awake + asleep) / 1_000,
    );
    const clock = createClock({ wall: () => wall, monotonic });
    awake += 10;
    wall += 10;
    const before = clock.now();
    asleep += 3_600_000;
    awake += 2;
    wall += 3_600_002;
    expect(clock.check()).toBeNull();
    expect(clock.now() - before).toBe(3_600_002);
  });
});

describe('moveInstants', () => {
  const at = Date.UTC(2026, 4, 1, 10);

  it('leaves what is no JSON as it is', () => {
    expect(moveInstants('{"since":', 1_000)).toBe('{"since":');
  });

  it('moves every instant, however deep, and nothing else', () => {
    const kept = {
      since: at,
      endedAt: null,
      lowest: 86,
      note: `called ${at}`,
      groups: [{ states: [{ phase: 'pending', since: at + 1_000.5 }], count: 3 }],
      neverEnds: Number.MAX_SAFE_INTEGER,
      everyMs: 86_400_000,
    };
    expect(JSON.parse(moveInstants(JSON.stringify(kept), -90_000))).toEqual({
      ...kept,
      since: at - 90_000,
      groups: [{ states: [{ phase: 'pending', since: at + 1_000.5 - 90_000 }], count: 3 }],
    });
  });
});

describe('clockDoubt', () => {
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
      expect((await test.ingest(token, samples, { sentAt: toInstant(trueTime) })).json()).toMatchObject({
        accepted: 1,
      });
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
});
