import type * as Path from './alertPath';
import type * as ServerClock from './serverClock';

const server = Date.UTC(2026, 4, 1, 10, 0, 0);

let monotonic: number;
let wall: number;
let path: typeof Path;
let clock: typeof ServerClock;

function pass(ms: number): void {
  monotonic += ms;
  wall += ms;
}

/** A response that the server stamps `at`, with the ages of tick and beat at that moment. */
const respond = (at: number, tickAge = 500, beatAge = 20_000): Promise<void> =>
  path.noteAlertPathHeaders({ path: `${at - tickAge},${at - beatAge}`, notStored: null }, at);

const tell = (at: number, tickAge = 500, beatAge = 20_000): Promise<void> =>
  path.noteAlertPathEvent(
    JSON.stringify({
      topic: 'alertPath',
      serverTime: at,
      lastTickAt: at - tickAge,
      lastHeartbeatAt: at - beatAge,
    }),
  );

beforeEach(async () => {
  monotonic = 5_000;
  // Far from the server's time: the browser's own clock is of no use.
  wall = 1_000_000_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic);
  jest.spyOn(Date, 'now').mockImplementation(() => wall);
  jest.resetModules();
  path = await import('./alertPath');
  clock = await import('./serverClock');
});

describe('what the page knows of the alarm path', () => {
  it('is nothing before the first response', () => {
    expect(path.alertsStopped()).toBeNull();
  });

  it.each([
    ['responses', respond],
    ['events', tell],
  ])('is that alerts stopped, 10 to 11 s after the last tick, with a poll every 5 s (%s)', async (_, say) => {
    const lastTick = server;
    for (let age = 0; age <= 14_000; age += 1_000) {
      if (age % 5_000 === 3_000) {
        await say(server + age, age);
      }
      expect(path.alertsStopped()).toBe(age > 10_000 ? lastTick : null);
      pass(1_000);
    }
  });

  it('comes from the first response on, if alerts had stopped before', async () => {
    await respond(server, 3_600_000);
    expect(path.alertsStopped()).toBe(server - 3_600_000);
  });

  it('is that alerts stopped, if the heartbeat is missed while the clock ticks', async () => {
    await respond(server, 500, 90_001);
    expect(path.alertsStopped()).toBe(server - 90_001);
  });

  it('heals with the next response', async () => {
    await respond(server, 60_000);
    await respond(server + 5_000);
    expect(path.alertsStopped()).toBeNull();
  });

  it('is not that alerts stopped only because the server cannot be reached: that is NOT LIVE', async () => {
    await respond(server);
    pass(60_000);
    expect(path.alertsStopped()).toBeNull();
  });

  it('stays that alerts stopped while the server cannot be reached', async () => {
    await respond(server, 30_000);
    pass(60_000);
    expect(path.alertsStopped()).toBe(server - 30_000);
  });

  it.each(['monotonic', 'wall'])('raises no false alarm after a sleep in which the %s clock ran on', async (which) => {
    await respond(server);
    if (which === 'wall') {
      wall += 3_600_000;
    } else {
      monotonic += 3_600_000;
    }
    expect(path.alertsStopped()).toBeNull();
  });

  it('does not depend on the clock of the browser being right', async () => {
    await respond(server);
    wall += 7_200_000;
    await respond(server + 5_000);
    expect(path.alertsStopped()).toBeNull();
    wall -= 14_400_000;
    await respond(server + 10_000, 10_001);
    expect(path.alertsStopped()).toBe(server - 1);
  });

  it('is not changed by what a proxy held back, in either direction', async () => {
    await respond(server, 500);
    await tell(server - 30_000, 15_000);
    expect(path.alertsStopped()).toBeNull();
    await respond(server + 1_000, 12_000);
    await tell(server - 29_000, 500);
    expect(path.alertsStopped()).toBe(server - 11_000);
  });

  it('follows a server whose clock was set back', async () => {
    await respond(server);
    pass(6_001);
    await respond(server - 3_600_000, 12_000);
    expect(path.alertsStopped()).toBe(server - 3_612_000);
  });

  it.each([
    ['no header', null, server],
    ['no time', `${server - 60_000},${server}`, null],
    ['a text of something else', 'on', server],
  ])('is not changed by a response with %s', async (_, text, time) => {
    await respond(server);
    await path.noteAlertPathHeaders({ path: text, notStored: null }, time);
    expect(path.alertsStopped()).toBeNull();
  });

  it.each([undefined, {}, 'not JSON', '{"topic":"alertPath"}'])('is not changed by the event %j', async (data) => {
    await path.noteAlertPathEvent(data);
    expect(path.alertsStopped()).toBeNull();
  });

  it.each<[string, (since: number | null, at: number) => Promise<void>]>([
    [
      'responses',
      (since, at) =>
        path.noteAlertPathHeaders({ path: `${at},${at}`, notStored: since === null ? null : String(since) }, at),
    ],
    [
      'events',
      (since, at) =>
        path.noteAlertPathEvent(
          JSON.stringify({
            topic: 'alertPath',
            serverTime: at,
            lastTickAt: at,
            lastHeartbeatAt: at,
            notStoredSince: since,
          }),
        ),
    ],
  ])('is since when nothing is stored, until a newer one says that all is (%s)', async (_, say) => {
    expect(path.notStoredSince()).toBeNull();
    await say(server - 11_000, server);
    expect(path.notStoredSince()).toBe(server - 11_000);
    // Held back on its way.
    await say(null, server - 1_000);
    expect(path.notStoredSince()).toBe(server - 11_000);
    await say(null, server + 1_000);
    expect(path.notStoredSince()).toBeNull();
  });

  it('does not count as a response that brings something new', async () => {
    await respond(server);
    expect(clock.lastResponseAt()).toBeNull();
  });
});
