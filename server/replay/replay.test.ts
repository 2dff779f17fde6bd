import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { z } from 'zod';
import { ingestBody, type IngestResponse, ingestSample } from '../../lib/vitals/schema';
import { UsageError } from '../cli/UsageError';
import { type DueSample, fastestSpeed, type Feed, knownAtMs, nextDueAt, planFeed, takeDue } from './feed';
import { parseDuration, parseReplayOptions } from './parseReplayOptions';
import { play } from './play';
import type { RecordedSample } from './recording';
import { type Clock, readRetryAfter, sendSamples, type Sent } from './sendSamples';
import { addResponse, countRejected, newTotals, summaryLines } from './totals';

const second = 1_000;

describe('feed', () => {
  const now = Date.UTC(2026, 4, 1, 10, 0, 0);
  const whole = { fromMs: 0, forMs: Infinity };
  const live = { anchor: { at: 'start', wallMs: now }, speed: 1, loop: false, window: whole } as const;

  function sample(atMs: number, changes: Partial<RecordedSample> = {}): RecordedSample {
    return { kind: 'spo2', value: 97, atMs, quality: 'good', ...changes };
  }

  function plan(samples: RecordedSample[], changes: Partial<Parameters<typeof planFeed>[2]> = {}, mrn = 'A-1'): Feed {
    const feed = planFeed(mrn, { samples, expectedEveryMs: second }, { ...live, ...changes });
    if (feed === null) {
      throw new Error('The test meant a feed that holds something');
    }
    return feed;
  }

  /** Asks again and again, as the player does, until nothing is left or the last moment has come. */
  function takeAll(
    feeds: readonly Feed[],
    moments: readonly number[],
    limit = 5_000,
  ): (DueSample & { askedAt: number })[] {
    const taken: (DueSample & { askedAt: number })[] = [];
    let current = feeds;
    for (const askedAt of moments) {
      const { due, feeds: after } = takeDue(current, askedAt, limit);
      taken.push(...due.map((one) => ({ ...one, askedAt })));
      current = after;
    }
    return taken;
  }

  describe('planFeed', () => {
    it('has nothing to plan for an empty recording or a window past its end', () => {
      expect(planFeed('A-1', { samples: [], expectedEveryMs: second }, live)).toBeNull();
      expect(
        planFeed(
          'A-1',
          { samples: [sample(0)], expectedEveryMs: second },
          { ...live, window: { fromMs: 1, forMs: Infinity } },
        ),
      ).toBeNull();
    });

    it.each([
      { name: 'live', changes: {}, takenAt: [0, 60, 120] },
      { name: 'live at 60x', changes: { speed: 60 }, takenAt: [0, 1, 2] },
      { name: 'live at half speed', changes: { speed: 0.5 }, takenAt: [0, 120, 240] },
      {
        name: 'started a minute ago',
        changes: { anchor: { at: 'start', wallMs: now - 60 * second } },
        takenAt: [-60, 0, 60],
      },
      { name: 'history that ends now', changes: { anchor: { at: 'end', wallMs: now } }, takenAt: [-120, -60, 0] },
      { name: 'compressed history', changes: { anchor: { at: 'end', wallMs: now }, speed: 60 }, takenAt: [-2, -1, 0] },
      {
        name: 'from the second value on',
        changes: { window: { fromMs: 60 * second, forMs: Infinity } },
        takenAt: [0, 60],
      },
      { name: 'the first minute only', changes: { window: { fromMs: 0, forMs: 60 * second } }, takenAt: [0] },
    ] as const)('puts a recording on the clock: $name', ({ changes, takenAt }) => {
      // The recording begins with half a minute of silence, which is not played.
      const feed = plan([sample(30 * second), sample(90 * second), sample(150 * second)], changes);
      const { due } = takeDue([feed], now + 3_600 * second, 100);
      expect(due.map((one) => (one.takenAt - now) / second)).toEqual(takenAt);
    });
  });

  describe('takeDue', () => {
    it('sends a late entry when it was entered, with the time at which it was measured', () => {
      const feed = plan([sample(0), sample(10 * second, { value: 91, enteredAtMs: 50 * second }), sample(20 * second)]);
      const taken = takeAll([feed], [now, now + 20 * second, now + 49_999, now + 50 * second]);
      expect(
        taken.map(({ value, takenAt, askedAt }) => [value, (takenAt - now) / second, (askedAt - now) / second]),
      ).toEqual([
        [97, 0, 0],
        [97, 20, 20],
        [91, 10, 50],
      ]);
    });

    it('keeps a row that was stored ahead of its own time until that time', () => {
      const feed = plan([sample(0), sample(10 * second, { enteredAtMs: 2 * second })]);
      expect(takeDue([feed], now + 9_999, 10).due).toHaveLength(1);
      expect(takeDue([feed], now + 10_000, 10).due).toHaveLength(2);
    });

    it('cuts a backlog at the limit, earliest first, whichever patient it is', () => {
      const feeds = [
        plan([sample(0), sample(2_000), sample(4_000)], {}, 'A-1'),
        plan([sample(1_000), sample(3_000)], {}, 'B-2'),
      ];
      const first = takeDue(feeds, now + 10_000, 3);
      const rest = takeDue(first.feeds, now + 10_000, 3);
      // Both recordings begin at the same moment, each with its own first value.
      expect([...first.due, ...rest.due].map(({ mrn, dueAt }) => [mrn, dueAt - now])).toEqual([
        ['A-1', 0],
        ['B-2', 0],
        ['A-1', 2_000],
        ['B-2', 2_000],
        ['A-1', 4_000],
      ]);
    });

    it('begins a loop again one interval after its last value', () => {
      const feed = plan([sample(0), sample(1_000)], { loop: true });
      expect(takeDue([feed], now + 5_000, 100).due.map(({ takenAt }) => takenAt - now)).toEqual([
        0, 1_000, 2_000, 3_000, 4_000, 5_000,
      ]);
      expect(takeDue([plan([sample(7)], { loop: true })], now + 2_000, 100).due).toHaveLength(3);
    });

    it('leaves the feeds that it was given as they were', () => {
      const feed = plan([sample(0), sample(1_000)]);
      const before = structuredClone(feed);
      takeDue([feed], now + 5_000, 100);
      expect(feed).toEqual(before);
    });

    const recorded = fc.record({
      kind: fc.constantFrom('spo2' as const, 'heartRate' as const),
      value: fc.integer({ min: 0, max: 100 }),
      atMs: fc.integer({ min: 0, max: 10_000_000 }),
      enteredAtMs: fc.option(fc.integer({ min: 0, max: 10_000_000 }), { nil: undefined }),
      quality: fc.constant('good' as const),
    });

    it('sends each sample exactly once, in order, never early and never with a time to come', () => {
      fc.assert(
        fc.property(
          fc.array(fc.array(recorded, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 }),
          fc.constantFrom(0.5, 1, 7, 60, 1_000),
          fc.array(fc.integer({ min: 0, max: 30_000_000 }), { maxLength: 20 }),
          fc.integer({ min: 1, max: 30 }),
          (recordings, speed, waits, limit) => {
            const feeds = recordings.map((samples, index) => plan(samples, { speed }, `P-${index}`));
            let at = now;
            const moments = waits.map((wait) => (at += wait));
            // At the end everything is due; as many calls as the limit makes of it.
            const end = now + 10_000_000 / 0.5 + 600_000_000;
            const taken = takeAll(feeds, [...moments, ...Array.from({ length: 161 }, () => end)], limit);
            for (const [index, samples] of recordings.entries()) {
              const mine = taken.filter(({ mrn }) => mrn === `P-${index}`);
              const inOrder = samples.toSorted((a, b) => knownAtMs(a) - knownAtMs(b));
              expect(mine.map(({ kind, value }) => [kind, value])).toEqual(
                inOrder.map(({ kind, value }) => [kind, value]),
              );
              expect(mine.every((one, place) => place === 0 || one.dueAt >= (mine[place - 1]?.dueAt ?? Infinity))).toBe(
                true,
              );
            }
            expect(taken.every(({ dueAt, takenAt, askedAt }) => takenAt <= dueAt && dueAt <= askedAt)).toBe(true);
          },
        ),
      );
    });
  });

  describe('nextDueAt', () => {
    it('is null when everything is sent', () => {
      const { feeds } = takeDue([plan([sample(0)])], now, 10);
      expect(feeds.map(nextDueAt)).toEqual([null]);
    });
  });

  describe('fastestSpeed', () => {
    it.each([
      { name: 'nothing to tell apart', times: [0], speed: Infinity },
      { name: 'the same time twice is the recording’s own', times: [0, 0, 5_000], speed: 5_000 },
      { name: 'the smallest distance counts', times: [0, 60_000, 61_000], speed: 1_000 },
    ])('$name', ({ times, speed }) => {
      expect(fastestSpeed(times.map((atMs) => sample(atMs)))).toBe(speed);
    });

    it('is where the times that travel begin to collide', () => {
      const samples = [sample(0), sample(1_000), sample(2_000)];
      const times = (speed: number): number =>
        new Set(takeDue([plan(samples, { speed })], now + 10_000, 10).due.map(({ takenAt }) => takenAt)).size;
      expect(times(fastestSpeed(samples))).toBe(3);
      expect(times(fastestSpeed(samples) * 3)).toBeLessThan(3);
    });
  });
});

describe('parseDuration', () => {
  it.each(['', '5', 'm', '-5m', '1.5h', '5 m', '1w', '12345678s'])('refuses "%s"', (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  it.each([
    ['0s', 0],
    ['90s', 90_000],
    ['8m', 480_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('reads "%s" as %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});

describe('parseReplayOptions', () => {
  const now = Date.UTC(2026, 4, 1, 10, 0, 0);
  const environment = { WARDLIGHT_DEVICE_TOKEN: 'from-environment' };

  function parse(
    line: string,
    given: Record<string, string | undefined> = environment,
  ): ReturnType<typeof parseReplayOptions> {
    return parseReplayOptions(
      line.split(' ').filter((word) => word !== ''),
      given,
      now,
    );
  }

  it.each([
    ['', 'at least one recording'],
    ['a.csv', '1 recordings and 0 MRNs'],
    ['a.csv b.csv --mrn A-1', '2 recordings and 1 MRNs'],
    ['a.csv --mrn A-1 --mrn B-2', '1 recordings and 2 MRNs'],
    ['a.csv --mrn A-1 --mrn-from-file', 'either --mrn or --mrn-from-file'],
    ['a.csv b.csv --mrn A-1 --mrn A-1', 'MRN "A-1" at once'],
    ['x/a.csv y/a.psv --mrn-from-file', 'MRN "a" at once'],
    ['a.csv --mrn A-1 --sped 60', "Unknown option '--sped'"],
    ['a.csv --mrn A-1 --speed 0', '--speed 0'],
    ['a.csv --mrn A-1 --speed=-1', '--speed -1'],
    ['a.csv --mrn A-1 --speed fast', '--speed fast'],
    ['a.csv --mrn A-1 --speed Infinity', '--speed Infinity'],
    ['a.csv --mrn A-1 --speed max --start now', '--speed max'],
    ['a.csv --mrn A-1 --speed max --loop', 'A loop has no end'],
    ['a.csv --mrn A-1 --end now --loop', 'A loop has no end'],
    ['a.csv --mrn A-1 --end now --start now', 'either --start or --end'],
    ['a.csv --mrn A-1 --start today', '--start today'],
    ['a.csv --mrn A-1 --start 2026-02-30T10:00:00Z', '--start 2026-02-30'],
    ['a.csv --mrn A-1 --end now-6', '--end now-6'],
    ['a.csv --mrn A-1 --from 6', '--from 6'],
    ['a.csv --mrn A-1 --for long', '--for long'],
    ['a.csv --mrn A-1 --pressure arm', '--pressure arm: expected one of cuff, invasive'],
    ['a.csv --mrn A-1 --column spo2', '--column spo2: expected time or a vital sign, such as spo2="Oxygen level"'],
    ['a.csv --mrn A-1 --column mood=Mood', '--column mood=Mood'],
    ['a.csv --mrn A-1 --column consciousness=AVPU', '--column consciousness=AVPU'],
    ['a.csv --mrn A-1 --url ftp://ward.example', '--url ftp://ward.example'],
    ['a.csv --mrn A-1 --url ward', '--url ward'],
    ['a.csv --mrn A-1 --url http://user:word@ward.example', '--url'],
  ])('refuses "%s" and says what is wrong: %s', (line, message) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(message);
  });

  it('refuses to play without a token, and never repeats one that is damaged', () => {
    expect(() => parse('a.csv --mrn A-1', {})).toThrow('No device token');
    expect(() => parse('a.csv --mrn A-1', { WARDLIGHT_DEVICE_TOKEN: '' })).toThrow('No device token');
    expect(() => parse('a.csv --mrn A-1', { WARDLIGHT_DEVICE_TOKEN: 'secret\nsecret' })).toThrow(
      new UsageError('The device token holds a character that no token has'),
    );
  });

  it('plays live at recorded speed by default', () => {
    expect(parse('a.csv --mrn A-1')).toEqual({
      files: [{ path: 'a.csv', mrn: 'A-1' }],
      target: { url: new URL('http://127.0.0.1:3000'), token: 'from-environment' },
      pressure: undefined,
      anchor: { at: 'start', wallMs: now },
      speed: 1,
      loop: false,
      window: { fromMs: 0, forMs: Infinity },
    });
  });

  it.each([
    ['--speed 60', { speed: 60, anchor: { at: 'start', wallMs: now } }],
    ['--speed max', { speed: 1, anchor: { at: 'end', wallMs: now } }],
    ['--speed max --end now-1h', { speed: 1, anchor: { at: 'end', wallMs: now - 3_600_000 } }],
    ['--end now', { speed: 1, anchor: { at: 'end', wallMs: now } }],
    ['--start now-6m', { anchor: { at: 'start', wallMs: now - 360_000 } }],
    ['--start 2026-05-01T11:00:00+02:00 --loop', { loop: true, anchor: { at: 'start', wallMs: now - 3_600_000 } }],
    ['--from 2h --for 8m', { window: { fromMs: 7_200_000, forMs: 480_000 } }],
    ['--pressure invasive', { pressure: 'invasive' }],
    [
      '--column time=start --column spo2=a=b',
      {
        columns: new Map([
          ['start', 'time'],
          ['a=b', 'spo2'],
        ]),
      },
    ],
    [
      '--url https://ward.example --token from-line',
      { target: { url: new URL('https://ward.example'), token: 'from-line' } },
    ],
  ])('understands %s', (words, expected) => {
    expect(parse(`a.csv --mrn A-1 ${words}`)).toMatchObject(expected);
  });

  it('takes each patient’s number from the line or from the file’s name', () => {
    expect(parse('x/a.csv b.psv --mrn A-1 --mrn B-2')).toMatchObject({
      files: [
        { path: 'x/a.csv', mrn: 'A-1' },
        { path: 'b.psv', mrn: 'B-2' },
      ],
    });
    expect(parse('x/bed_7.csv b.psv --mrn-from-file')).toMatchObject({ files: [{ mrn: 'bed_7' }, { mrn: 'b' }] });
  });

  it('needs neither token nor patient to look at files', () => {
    expect(parse('x/bed_7.csv --check', {})).toMatchObject({
      target: null,
      files: [{ path: 'x/bed_7.csv', mrn: 'bed_7' }],
    });
  });
});

describe('play', () => {
  const start = Date.UTC(2026, 4, 1, 10, 0, 0);

  interface Call {
    at: number;
    samples: ReturnType<typeof ingestSample.parse>[];
  }

  let server: Server;
  let calls: Call[] = [];
  let answer: (call: Call) => { status: number; body: unknown } = accept;
  let time = start;

  function accept(call: Call): { status: number; body: IngestResponse } {
    return { status: 200, body: { accepted: call.samples.length, duplicates: 0, corrections: 0, rejected: [] } };
  }

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { samples } = ingestBody.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        const call = { at: time, samples: samples.map((one) => ingestSample.parse(one)) };
        calls.push(call);
        const { status, body } = answer(call);
        response.writeHead(status).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  beforeEach(() => {
    calls = [];
    answer = accept;
    time = start;
  });

  function feed(count: number, mrn = 'A-1', wish: { end?: boolean; loop?: boolean } = {}): Feed {
    const samples = Array.from({ length: count }, (_, index): RecordedSample => ({
      kind: 'spo2',
      value: 97,
      atMs: index * second,
      quality: 'good',
    }));
    const planned = planFeed(
      mrn,
      { samples, expectedEveryMs: second },
      {
        anchor: { at: wish.end === true ? 'end' : 'start', wallMs: start },
        speed: 1,
        loop: wish.loop === true,
        window: { fromMs: 0, forMs: Infinity },
      },
    );
    if (planned === null) {
      throw new Error('The test meant a feed that holds something');
    }
    return planned;
  }

  async function run(
    feeds: readonly Feed[],
    stopAt = Infinity,
  ): Promise<Awaited<ReturnType<typeof play>> & { lines: string[] }> {
    const stop = new AbortController();
    const lines: string[] = [];
    const clock: Clock = {
      now: () => time,
      sleep: async (ms) => {
        time += ms;
        if (time >= stopAt) {
          stop.abort();
        }
        await Promise.resolve();
      },
    };
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const played = await play(feeds, { url, token: 'device-token' }, clock, stop.signal, (line) => lines.push(line));
    return { ...played, lines };
  }

  describe('play', () => {
    it.each([401, 403])('stops at %i with a line that says what to do', async (status) => {
      answer = () => ({ status, body: { error: { code: 'refused', message: 'No such device.' } } });
      const { completed, totals, lines } = await run([feed(5)]);
      expect({ completed, sent: totals.sent, calls: calls.length }).toEqual({ completed: false, sent: 0, calls: 1 });
      expect(lines).toEqual([
        expect.stringMatching(
          new RegExp(`^The server refused the call: ${status} refused: No such device\\. The device token.*device:add`),
        ),
      ]);
    });

    it('sends each value when its time has come', async () => {
      const { completed, totals } = await run([feed(4)]);
      expect(completed).toBe(true);
      expect(totals).toMatchObject({ sent: 4, accepted: 4 });
      expect(
        calls.map(({ at, samples }) => [at - start, samples.map(({ takenAt }) => Date.parse(takenAt) - start)]),
      ).toEqual([
        [0, [0]],
        [1_000, [1_000]],
        [2_000, [2_000]],
        [3_000, [3_000]],
      ]);
    });

    it('sends a history at once, 5,000 samples a call', async () => {
      const { totals } = await run([feed(6_000, 'A-1', { end: true }), feed(5_000, 'B-2', { end: true })]);
      expect(calls.map(({ at, samples }) => [at - start, samples.length])).toEqual([
        [0, 5_000],
        [0, 5_000],
        [0, 1_000],
      ]);
      expect(totals.accepted).toBe(11_000);
    });

    it('sends what fell due while the server was away', async () => {
      let failures = 3;
      answer = (call) => (failures-- > 0 ? { status: 503, body: null } : accept(call));
      const { totals, lines } = await run([feed(10)]);
      expect(calls.map(({ samples }) => samples.length)).toEqual([1, 1, 1, 1, 7, 1, 1]);
      expect(totals).toMatchObject({ sent: 10, accepted: 10, repeated: 3 });
      expect(lines[0]).toMatch(/: the server answers 503; trying again in 1 s$/);
    });

    it('names an unknown patient once, with what to do, and goes on', async () => {
      answer = (call) => ({
        status: 200,
        body: {
          accepted: 0,
          duplicates: 0,
          corrections: 0,
          rejected: call.samples.map(({ mrn }, index) =>
            mrn === 'A-1'
              ? { index, code: 'unknown_patient', message: 'no patient has this number' }
              : { index, code: 'impossible_value', message: 'is above 100' },
          ),
        },
      });
      const { completed, totals, lines } = await run([feed(3), feed(3, 'B-2')]);
      expect(completed).toBe(true);
      expect(lines).toEqual([
        expect.stringMatching(/^Rejected: MRN "A-1": unknown_patient: no patient has this number\. Add a patient/),
        'Rejected: spo2 97: impossible_value: is above 100.',
      ]);
      expect([...totals.rejected]).toEqual([
        ['unknown_patient', 3],
        ['impossible_value', 3],
      ]);
    });

    it('says every ten seconds how far it is', async () => {
      const { lines } = await run([feed(26)]);
      expect(lines).toEqual([
        '10 s: 11 sent, 11 accepted, 0 duplicates, 0 corrections, 0 rejected',
        '20 s: 21 sent, 21 accepted, 0 duplicates, 0 corrections, 0 rejected',
      ]);
    });

    it('plays a loop until it is stopped', async () => {
      const { completed, totals } = await run([feed(3, 'A-1', { loop: true })], start + 10 * second);
      expect(completed).toBe(true);
      expect(totals.sent).toBe(10);
    });
  });
});

describe('sendSamples', () => {
  const now = Date.UTC(2026, 4, 1, 10, 0, 0);
  const sample: DueSample = {
    mrn: 'A-1',
    kind: 'spo2',
    value: 97,
    quality: 'good',
    takenAt: now - 1_000,
    dueAt: now - 1_000,
  };
  const taken = { accepted: 1, duplicates: 0, corrections: 0, rejected: [] };

  type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang up';
  interface Heard {
    url: string | undefined;
    method: string | undefined;
    headers: IncomingHttpHeaders;
    body: string;
  }

  let server: Server;
  let replies: Reply[] = [];
  let heard: Heard[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        heard.push({
          url: request.url,
          method: request.method,
          headers: request.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        });
        const reply = replies.shift() ?? 'hang up';
        if (reply === 'hang up') {
          request.socket.destroy();
          return;
        }
        response.writeHead(reply.status, reply.headers);
        response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? null));
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  beforeEach(() => {
    replies = [];
    heard = [];
  });

  function address(): URL {
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  interface Attempted {
    sent: Sent;
    waits: [string, number][];
  }

  /** Time passes only in waits, and each passes at once. */
  async function send(stop = new AbortController(), stopAfterWaits = Infinity): Promise<Attempted> {
    const waits: [string, number][] = [];
    let time = now;
    const clock: Clock = {
      now: () => time,
      sleep: async (ms) => {
        time += ms;
        if (waits.length >= stopAfterWaits) {
          stop.abort();
        }
        await Promise.resolve();
      },
    };
    const sent = await sendSamples(
      { url: address(), token: 'device-token' },
      [sample],
      clock,
      stop.signal,
      (reason, ms) => waits.push([reason, ms]),
    );
    return { sent, waits };
  }

  const refusal = (code: string): unknown => ({ error: { code, message: `is ${code}` } });

  describe('sendSamples', () => {
    it.each([
      [400, 'malformed'],
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [413, 'too_large'],
      [422, 'invalid'],
    ])('stops at %i and says the server’s reason', async (status, code) => {
      replies = [{ status, body: refusal(code) }];
      await expect(send()).resolves.toEqual({
        sent: { outcome: 'refused', status, code, message: `is ${code}` },
        waits: [],
      });
      expect(heard).toHaveLength(1);
    });

    it.each([
      ['another server', { status: 404, body: '<h1>Not here</h1>' }, 404],
      ['a success that is not an answer to this call', { status: 200, body: { ok: true } }, 200],
      [
        'a redirection, to which the token must not go',
        { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
        307,
      ],
    ])('stops at %s', async (_name, reply, status) => {
      replies = [reply];
      expect((await send()).sent).toEqual({
        outcome: 'refused',
        status,
        code: 'unknown_response',
        message: 'this is not how a Wardlight server answers',
      });
      expect(heard).toHaveLength(1);
    });

    it('sends the samples as the contract says, with the token and without asking for compression', async () => {
      replies = [{ status: 200, body: taken }];
      await expect(send()).resolves.toEqual({ sent: { outcome: 'answered', response: taken }, waits: [] });
      expect(heard).toMatchObject([
        {
          method: 'POST',
          url: '/api/v2/vitals',
          headers: {
            authorization: 'Bearer device-token',
            'content-type': 'application/json',
            'accept-encoding': 'identity',
          },
        },
      ]);
      expect(JSON.parse(heard[0]?.body ?? '')).toEqual({
        sentAt: '2026-05-01T10:00:00.000Z',
        isRecording: true,
        samples: [{ mrn: 'A-1', kind: 'spo2', value: 97, quality: 'good', takenAt: '2026-05-01T09:59:59.000Z' }],
      });
    });

    it('repeats the same samples with the clock of each attempt until the server has answered', async () => {
      replies = [
        'hang up',
        { status: 503, headers: { 'retry-after': '7' } },
        { status: 429 },
        { status: 408 },
        { status: 502, body: 'gateway' },
        { status: 200, body: taken },
      ];
      const { sent, waits } = await send();
      expect(sent).toEqual({ outcome: 'answered', response: taken });
      expect(waits).toEqual([
        [expect.stringMatching(/^no answer \([A-Z_]+\)$/), 1_000],
        ['the server answers 503', 7_000],
        ['the server answers 429', 4_000],
        ['the server answers 408', 8_000],
        ['the server answers 502', 10_000],
      ]);
      const bodies = heard.map(({ body }) => ingestBody.extend({ sentAt: z.string() }).parse(JSON.parse(body)));
      expect(new Set(bodies.map(({ samples }) => JSON.stringify(samples))).size).toBe(1);
      expect(bodies.map(({ sentAt }) => (Date.parse(sentAt) - now) / 1_000)).toEqual([0, 1, 8, 12, 20, 30]);
    });

    it('never waits longer than ten seconds by itself', async () => {
      replies = [...Array.from({ length: 6 }, () => ({ status: 503 })), { status: 200, body: taken }];
      expect((await send()).waits.map(([, ms]) => ms)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    });

    it('ends at once when it is stopped, before a call or while it waits', async () => {
      expect((await send(aborted())).sent).toEqual({ outcome: 'stopped' });
      replies = [{ status: 503 }, { status: 200, body: taken }];
      expect((await send(new AbortController(), 1)).sent).toEqual({ outcome: 'stopped' });
      expect(heard).toHaveLength(1);
    });
  });

  function aborted(): AbortController {
    const controller = new AbortController();
    controller.abort();
    return controller;
  }

  describe('readRetryAfter', () => {
    it.each([
      [null, null],
      ['soon', null],
      ['0', 0],
      ['120', 120_000],
      [new Date(now + 30_000).toUTCString(), 30_000],
      [new Date(now - 30_000).toUTCString(), 0],
    ])('reads %s as %s ms', (header, ms) => {
      expect(readRetryAfter(header, now)).toBe(ms);
    });
  });
});

describe('totals', () => {
  it('adds answers up and counts rejections by code', () => {
    const totals = newTotals();
    const rejected = [0, 1].map((index) => ({ index, code: 'impossible_value' as const, message: 'is above 100' }));
    addResponse(totals, 5, { accepted: 2, duplicates: 1, corrections: 1, rejected });
    addResponse(totals, 1, {
      accepted: 0,
      duplicates: 0,
      corrections: 0,
      rejected: [{ index: 0, code: 'unknown_patient', message: 'none' }],
    });
    expect(countRejected(totals)).toBe(3);
    expect(summaryLines(totals)).toEqual([
      'Sent 6; calls repeated 0',
      '  accepted: 2',
      '  duplicates: 1',
      '  corrections: 1',
      '  rejected impossible_value: 2',
      '  rejected unknown_patient: 1',
    ]);
  });

  it('says that nothing was rejected', () => {
    expect(summaryLines(newTotals()).at(-1)).toBe('  rejected: 0');
  });
});
