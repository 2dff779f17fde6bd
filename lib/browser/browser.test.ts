import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import type * as Path from './alertPath';
import { ApiFailure } from './client';
import { downloadPatientFile } from './downloadPatientFile';
import { forgetCheckIn } from './keptCheckIns';
import type * as ServerClock from './serverClock';
import { everyMs } from './workerClock';

describe('alertPath', () => {
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

    it.each(['monotonic', 'wall'])(
      'raises no false alarm after a sleep in which the %s clock ran on',
      async (which) => {
        await respond(server);
        if (which === 'wall') {
          wall += 3_600_000;
        } else {
          monotonic += 3_600_000;
        }
        expect(path.alertsStopped()).toBeNull();
      },
    );

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
});

describe('the download of a patient’s file', () => {
  const bytes = new TextEncoder();

  /** A response whose body comes in these parts, and then breaks if it should. */
  function responseOf(parts: readonly string[], { headers = {}, breaks = false }: Partial<Reply> = {}): Response {
    const left = [...parts];
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: (controller) => {
          const part = left.shift();
          if (part !== undefined) {
            controller.enqueue(bytes.encode(part));
          } else if (breaks) {
            controller.error(new TypeError('network error'));
          } else {
            controller.close();
          }
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers });
  }

  interface Reply {
    headers: Record<string, string>;
    breaks: boolean;
  }

  const answer = (response: Response | Error): jest.SpiedFunction<typeof fetch> =>
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(() => (response instanceof Error ? Promise.reject(response) : Promise.resolve(response)));
  const heard: [number, number | null][] = [];
  const download = (signal = new AbortController().signal) =>
    downloadPatientFile(7, { kind: 'notes' }, { signal, onRows: (rows, ofAbout) => heard.push([rows, ofAbout]) });
  const codeOf = async (signal?: AbortSignal): Promise<unknown> => {
    const problem = await download(signal).catch((error: unknown) => error);
    return problem instanceof ApiFailure ? [problem.code, problem.status] : problem;
  };
  let ms = 0;

  beforeEach(() => {
    heard.length = 0;
    ms = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => ms);
  });

  it('fails with the code of the server, and with one of ours if that is no answer of the server', async () => {
    answer(Response.json({ error: { code: 'password_needed', message: 'Confirm first.' } }, { status: 403 }));
    await expect(codeOf()).resolves.toEqual(['password_needed', 403]);
    answer(new Response('<html>', { status: 502 }));
    await expect(codeOf()).resolves.toEqual(['unreadable_response', 502]);
    answer(new TypeError('Failed to fetch'));
    await expect(codeOf()).resolves.toEqual(['unreachable', null]);
  });

  it('fails if the connection breaks, however much had come', async () => {
    answer(responseOf(['head\r\n', 'row\r\n'], { breaks: true }));
    await expect(codeOf()).resolves.toEqual(['no_response', null]);
  });

  it('fails as aborted when it was', async () => {
    const controller = new AbortController();
    answer(responseOf(['head\r\n'], { breaks: true }));
    controller.abort();
    await expect(codeOf(controller.signal)).resolves.toEqual(['aborted', null]);
  });

  it('asks for what is wanted and gives it as it came, under the name that the server gave', async () => {
    const fetched = answer(
      responseOf(['\uFEFFhead\r\n', 'row\r\n'], {
        headers: { 'Content-Disposition': 'attachment; filename="patient-7-notes-2026-03-01-to-2026-03-02.csv"' },
      }),
    );
    const { name, content, rows } = await download();
    expect(name).toBe('patient-7-notes-2026-03-01-to-2026-03-02.csv');
    expect(Buffer.from(await content.arrayBuffer()).toString()).toBe('\uFEFFhead\r\nrow\r\n');
    expect(rows).toBe(1);
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/v2/patients/7/export?kind=notes');
  });

  it('counts the rows, which end with CR LF wherever a part ends, and not the lines of a note', async () => {
    answer(responseOf(['head\r', '\nrow\r\n"two\nlines"', '\r\n'], { headers: { 'X-Row-Estimate': '2' } }));
    jest.spyOn(performance, 'now').mockImplementation(() => (ms += 1_000));
    await download();
    expect(heard).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
    ]);
  });

  it('tells how far it is a few times a second, not with each part', async () => {
    answer(responseOf(['head\r\n', ...Array.from({ length: 1_000 }, () => 'row\r\n')]));
    // A part a millisecond.
    jest.spyOn(performance, 'now').mockImplementation(() => (ms += 1));
    await download();
    expect(heard.map(([rows]) => rows)).toEqual([0, 250, 500, 750, 1_000]);
  });

  it('does not know how many rows there are if the server says nothing or nonsense', async () => {
    answer(responseOf(['head\r\n'], { headers: { 'X-Row-Estimate': 'many' } }));
    await download();
    answer(responseOf(['head\r\n']));
    await download();
    expect(heard).toEqual([
      [0, null],
      [0, null],
    ]);
  });
});

describe('the check-ins that a phone keeps', () => {
  /** A database that does at once whatever it is asked. */
  interface Database {
    onclose: (() => void) | null;
    transaction: () => unknown;
  }

  const opened: Database[] = [];

  function openDatabase(): unknown {
    const database: Database = {
      onclose: null,
      transaction: () => {
        const transaction = {
          oncomplete: () => undefined,
          objectStore: () => ({ delete: () => ({ result: undefined }) }),
        };
        queueMicrotask(() => transaction.oncomplete());
        return transaction;
      },
    };
    opened.push(database);
    const request = { result: database, onsuccess: () => undefined };
    queueMicrotask(() => request.onsuccess());
    return request;
  }

  const before = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB');
  beforeAll(() => {
    Object.defineProperty(globalThis, 'indexedDB', { configurable: true, value: { open: openDatabase } });
  });
  afterAll(() => {
    if (before !== undefined) {
      Object.defineProperty(globalThis, 'indexedDB', before);
    }
  });

  it('are in a database that is opened once, and again after the browser has closed it', async () => {
    await forgetCheckIn('a');
    await forgetCheckIn('b');
    expect(opened).toHaveLength(1);
    opened[0]?.onclose?.();
    await forgetCheckIn('c');
    expect(opened).toHaveLength(2);
  });
});

describe('serverClock', () => {
  const server = 1_770_000_000_000;

  /** The browser's two clocks, which a test can move apart. */
  let monotonic: number;
  let wall: number;
  let clock: typeof ServerClock;

  function pass(ms: number): void {
    monotonic += ms;
    wall += ms;
  }

  /** One clock stops while a laptop sleeps; which one depends on the system. */
  function sleep(ms: number, stopped: 'monotonic' | 'wall'): void {
    if (stopped === 'monotonic') {
      wall += ms;
    } else {
      monotonic += ms;
    }
  }

  /** A call that takes `roundTripMs`, stamped by the server `stampedAfterMs` after it left. */
  function respond(serverTime: number, roundTripMs = 0): void {
    const sent = clock.thisMoment();
    pass(roundTripMs);
    clock.noteResponse(serverTime, sent);
  }

  beforeEach(async () => {
    // Far from the server's time: the browser's own clock is of no use.
    monotonic = 5_000;
    wall = 1_000_000_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => monotonic);
    jest.spyOn(Date, 'now').mockImplementation(() => wall);
    jest.resetModules();
    clock = await import('./serverClock');
  });

  describe('the page’s estimate of the server’s clock', () => {
    it('has no time before the first response', () => {
      expect(clock.serverNow()).toBeNull();
      expect(clock.lastResponseAt()).toBeNull();
      expect(clock.lostSince()).toBeNull();
    });

    it('goes on from the last response, whatever the browser’s clock says', () => {
      respond(server);
      pass(3_000);
      expect(clock.serverNow()).toBe(server + 3_000);
      expect(clock.lastResponseAt()).toBe(server);
    });

    it.each(['monotonic', 'wall'] as const)(
      'counts the time that a machine slept while its %s clock stood still',
      (stopped) => {
        respond(server);
        sleep(3_600_000, stopped);
        expect(clock.serverNow()).toBe(server + 3_600_000);
        expect(clock.lostSince()).toBe(server);
      },
    );

    it.each(['monotonic', 'wall'] as const)(
      'is not turned back by a response that lay in a buffer while the machine slept (%s)',
      (stopped) => {
        respond(server);
        pass(5_000);
        const sent = clock.thisMoment();
        sleep(3_600_000, stopped);
        clock.noteResponse(server + 5_000, sent);
        expect(clock.serverNow()).toBe(server + 3_605_000);
        expect(clock.lostSince()).toBe(server + 5_000);
      },
    );

    it('does not run backwards when the browser’s clock is set back', () => {
      respond(server);
      pass(1_000);
      wall -= 7_200_000;
      expect(clock.serverNow()).toBe(server + 1_000);
    });

    it('is corrected by the next response after the browser’s clock was set forward', () => {
      respond(server);
      wall += 7_200_000;
      expect(clock.serverNow()).toBe(server + 7_200_000);
      respond(server + 1_000, 20);
      expect(clock.serverNow()).toBe(server + 1_020);
      expect(clock.lostSince()).toBeNull();
    });

    it.each([
      ['a response that agrees leaves it alone', 1_000, 100, 40, 1_100],
      ['a response from further on moves it forward', 1_000, 100, 5_000, 5_000],
      ['a response from further back moves it back, no further than the round trip allows', 1_000, 100, -5_000, -4_900],
    ])('%s', (_, passed, roundTrip, stamp, expected) => {
      respond(server);
      pass(passed);
      respond(server + (stamp === 40 ? 1_040 : stamp), roundTrip);
      expect(clock.serverNow()).toBe(server + expected);
    });

    it('starts from the time in the page as if the page had travelled since it was requested', () => {
      wall = performance.timeOrigin + monotonic;
      clock.startServerClock(server);
      expect(clock.serverNow()).toBeCloseTo(server + monotonic, 0);
      expect(clock.lastResponseAt()).toBe(server);
    });

    it('is not started again by a later page', () => {
      respond(server);
      clock.startServerClock(server + 60_000);
      expect(clock.serverNow()).toBe(server);
    });
  });

  describe('the outage of the server', () => {
    it.each([
      [9_999, null],
      [10_000, server],
      [60_000, server],
    ])('after %i ms without a response is reported as %s', (passed, expected) => {
      respond(server);
      pass(passed);
      expect(clock.lostSince()).toBe(expected);
    });

    it('ends with the next response', () => {
      respond(server);
      pass(30_000);
      respond(server + 30_000, 10);
      expect(clock.lostSince()).toBeNull();
    });

    it('counts from the call that left last, although the response of an older one comes after it', () => {
      respond(server);
      const older = clock.thisMoment();
      pass(6_000);
      respond(server + 6_000);
      clock.noteResponse(server + 100, older);
      pass(9_000);
      expect(clock.lostSince()).toBeNull();
      expect(clock.lastResponseAt()).toBe(server + 6_000);
    });

    it('is not hidden by a server whose clock was set back', () => {
      respond(server);
      pass(5_000);
      respond(server - 3_600_000);
      pass(10_000);
      expect(clock.lostSince()).toBe(server - 3_600_000);
    });
  });

  describe('whether the server answers', () => {
    it('is so before any call, and not from one without an answer until the next with one', () => {
      expect(clock.isAnswering()).toBe(true);
      clock.noteFailure('unreachable');
      expect(clock.isAnswering()).toBe(false);
      clock.noteFailure('refused');
      expect(clock.isAnswering()).toBe(false);
      respond(server);
      expect(clock.isAnswering()).toBe(true);
      clock.noteFailure('unreadable');
      expect(clock.isAnswering()).toBe(false);
    });

    it.each(['refused', 'throttled', 'failed'] as const)('is so where a call was %s', (cause) => {
      clock.noteFailure(cause);
      expect(clock.isAnswering()).toBe(true);
    });
  });
});

describe('workerClock', () => {
  /** A worker whose ticks the test makes. */
  class InventedWorker {
    static readonly started: InventedWorker[] = [];
    onmessage: (() => void) | null = null;
    onerror: (() => void) | null = null;
    isOver = false;
    constructor(readonly address: string) {
      InventedWorker.started.push(this);
    }
    terminate(): void {
      this.isOver = true;
    }
    /** Ticks once a second. */
    run(seconds: number): void {
      for (let second = 0; second < seconds; second += 1) {
        jest.advanceTimersByTime(1_000);
        this.onmessage?.();
      }
    }
  }

  beforeEach(() => {
    jest.useFakeTimers();
    InventedWorker.started.length = 0;
    Object.defineProperty(globalThis, 'Worker', { configurable: true, value: InventedWorker });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'Worker');
    jest.useRealTimers();
  });

  describe('the worker’s clock', () => {
    it('counts the ticks of one worker for all who wait, and ends it with the last of them', () => {
      const [five, one] = [jest.fn(), jest.fn()];
      const stopFive = everyMs(5_000, five);
      const stopOne = everyMs(1_000, one);
      const [worker, more] = InventedWorker.started;
      expect([worker?.address, more]).toEqual(['/ticks_worker.js', undefined]);
      worker?.run(10);
      expect([five.mock.calls.length, one.mock.calls.length]).toEqual([2, 10]);
      stopFive();
      expect(worker?.isOver).toBe(false);
      stopOne();
      expect(worker?.isOver).toBe(true);
    });

    it('goes on with the page’s own timers if the worker cannot be loaded, or the browser has none', () => {
      const lost = jest.fn();
      const stopLost = everyMs(5_000, lost);
      InventedWorker.started[0]?.onerror?.();
      jest.advanceTimersByTime(10_000);
      expect(lost).toHaveBeenCalledTimes(2);
      stopLost();
      Reflect.deleteProperty(globalThis, 'Worker');
      const none = jest.fn();
      const stopNone = everyMs(5_000, none);
      jest.advanceTimersByTime(10_000);
      expect(none).toHaveBeenCalledTimes(2);
      stopNone();
      expect(jest.getTimerCount()).toBe(0);
    });

    it('is a worker that ticks once a second', () => {
      const postMessage = jest.fn();
      const file = readFileSync(join(__dirname, '../../public/ticks_worker.js'), 'utf8');
      runInContext(file, createContext({ setInterval, postMessage }));
      jest.advanceTimersByTime(3_000);
      expect(postMessage).toHaveBeenCalledTimes(3);
    });
  });
});
