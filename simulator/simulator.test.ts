import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { kinds, type VitalKind } from '../lib/vitals/kinds';
import type { IngestResponse } from '../lib/vitals/schema';
import { readRecording } from '../server/replay/readRecording';
import { openLine } from './callServer';
import { cast } from './cast';
import type { Reading, Subject } from './course';
import { historyBlocks, instants, wholeMinutes } from './history';
import { subjectOf, type WireSample } from './measure';
import { branch, chance, drift } from './noise';
import { type SimulatedGateway, startSimulator } from './simulator';
import { stories, type StoryName } from './stories';

const second = 1_000;
const minute = 60 * second;

describe('openLine', () => {
  const sentAt = '2026-05-01T10:00:00.000Z';
  const answer = { accepted: 1, duplicates: 0, corrections: 0, rejected: [] };
  const sample = { mrn: 'DEMO-001', kind: 'spo2', value: 97, quality: 'good', takenAt: sentAt } as const;

  let server: Server;
  let calls: { url: string; headers: IncomingHttpHeaders; body: string; port: number }[];
  let reply: { status: number; text: string };
  let url: URL;

  beforeEach(async () => {
    calls = [];
    reply = { status: 200, text: JSON.stringify(answer) };
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        calls.push({ url: request.url ?? '', headers: request.headers, body, port: request.socket.remotePort ?? 0 });
        response.writeHead(reply.status).end(reply.text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it.each([
    ['a refusal', 401, '{}', 'the server answers 401'],
    ['a failure', 503, '', 'the server answers 503'],
  ])('rejects with the status: %s', async (_, status, text, message) => {
    reply = { status, text };
    const line = openLine(url, 'token');
    await expect(line.send(sentAt, [sample])).rejects.toThrow(message);
    line.close();
  });

  it.each(['', '[]', '{"accepted":"1"}'])('rejects what is no response to this call: %s', async (text) => {
    reply = { status: 200, text };
    const line = openLine(url, 'token');
    await expect(line.send(sentAt, [sample])).rejects.toThrow();
    line.close();
  });

  it('rejects when no server listens', async () => {
    const line = openLine(new URL('http://127.0.0.1:1'), 'token');
    await expect(line.send(sentAt, [sample])).rejects.toThrow('ECONNREFUSED');
    line.close();
  });

  it('sends as a device does, over one connection that stays open', async () => {
    const line = openLine(url, 'secret-token');
    await expect(line.send(sentAt, [sample])).resolves.toEqual(answer);
    await line.send(sentAt, [sample]);
    line.close();
    expect(calls[0]).toMatchObject({
      url: '/api/v2/vitals',
      headers: { authorization: 'Bearer secret-token', 'content-type': 'application/json' },
      body: JSON.stringify({ sentAt, isRecording: true, samples: [sample] }),
    });
    expect(calls[1]?.port).toBe(calls[0]?.port);
  });
});

describe('history', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const until = Date.UTC(2026, 4, 1, 10, 0, 20);

  const blocks = (isSent: (at: number) => boolean = () => false) => [...historyBlocks(until, isSent)];

  describe('historyBlocks', () => {
    it('sends the newest first, and in the end a day without a hole', () => {
      const starts = blocks().map(([first]) => first ?? NaN);
      expect(starts).toEqual(starts.toSorted((a, b) => b - a));
      const all = new Set(blocks().flat());
      const seconds = instants(until - hour - 20_000, until, 1_000);
      const minutes = instants(Math.ceil((until - 24 * hour) / minute) * minute, until, minute);
      expect([...seconds, ...minutes].filter((at) => !all.has(at))).toEqual([]);
      expect(all.size).toBe(blocks().flat().length);
    });

    it('sends nothing of the time of the live values, and nothing older than a day', () => {
      const all = blocks().flat();
      expect(Math.max(...all)).toBe(until - 1_000);
      expect(Math.min(...all)).toBeGreaterThanOrEqual(until - 24 * hour);
    });

    it('keeps each call of a gateway small', () => {
      expect(Math.max(...blocks().map(({ length }) => length))).toBeLessThanOrEqual(60);
    });

    it('leaves out what was sent', () => {
      const told = (until - 30 * minute) / minute;
      const all = blocks((at) => at < told).flat();
      expect(all.filter((at) => at / minute < Math.floor(told))).toEqual([]);
      expect(all.length).toBeGreaterThan(29 * 60);
      expect(blocks(() => true).flat()).toEqual([]);
    });
  });

  describe('wholeMinutes', () => {
    it('does not trust the first and the last minute of a stretch', () => {
      const isWhole = wholeMinutes(new Set([10, 11, 12, 13, 20, 30, 31]));
      expect(instants(9, 33, 1).filter(isWhole)).toEqual([11, 12]);
    });
  });
});

describe('noise', () => {
  const seed = fc.integer({ min: 0, max: 0xffff_ffff });

  describe('chance', () => {
    it('is the same for the same seed and place, from 0 up to 1', () => {
      fc.assert(
        fc.property(seed, fc.integer({ min: -1e12, max: 1e12 }), (s, place) => {
          const drawn = chance(s, place);
          expect(chance(s, place)).toBe(drawn);
          expect(drawn).toBeGreaterThanOrEqual(0);
          expect(drawn).toBeLessThan(1);
        }),
      );
    });

    it('fills every tenth alike, wherever the places lie', () => {
      for (const from of [-5_000, 0, 1_777_629_600, 1_777_629_600_000]) {
        const tenths = Array.from({ length: 10 }, () => 0);
        for (let place = from; place < from + 10_000; place += 1) {
          const tenth = Math.floor(chance(7, place) * 10);
          tenths[tenth] = (tenths[tenth] ?? 0) + 1;
        }
        expect(Math.min(...tenths)).toBeGreaterThan(850);
        expect(Math.max(...tenths)).toBeLessThan(1_150);
      }
    });

    it('differs between seeds', () => {
      expect(new Set(Array.from({ length: 1_000 }, (_, s) => chance(s, 5))).size).toBe(1_000);
      expect(new Set(Array.from({ length: 50 }, (_, use) => branch(1, use))).size).toBe(50);
    });
  });

  describe('drift', () => {
    it('stays between -1 and 1 and never jumps', () => {
      fc.assert(
        fc.property(seed, fc.integer({ min: -1e11, max: 1e11 }), (s, t) => {
          const here = drift(s, t, 60_000);
          expect(Math.abs(here)).toBeLessThanOrEqual(1);
          // A cosine's steepest second within a minute: 2 * pi / 2 / 60.
          expect(Math.abs(drift(s, t + 1_000, 60_000) - here)).toBeLessThanOrEqual(Math.PI / 60);
        }),
      );
    });
  });
});

describe('recordings', () => {
  /**
   * Real recordings of de-identified patients, which are not part of this repository: the simulator is measured against
   * them.
   */
  const folder = process.env.RECORDINGS_DIR ?? resolve(process.cwd(), '../shared/data');

  function describeIfThere(name: string): typeof describe {
    if (existsSync(join(folder, name))) {
      return describe;
    }
    process.stderr.write(
      `simulator: ${name} skipped, because ${join(folder, name)} is not there (RECORDINGS_DIR names another folder)\n`,
    );
    return describe.skip;
  }

  interface Timed {
    at: number;
    value: number;
  }

  /** The values of one kind in the recordings of a folder that hold a signal, a list for each file. */
  function recorded(name: string, isFile: (file: string) => boolean, kind: VitalKind): Timed[][] {
    return readdirSync(join(folder, name))
      .filter(isFile)
      .map((file) =>
        readRecording(readFileSync(join(folder, name, file), 'utf8'), {}).samples.flatMap((sample) =>
          sample.kind === kind && sample.quality === 'good' && typeof sample.value === 'number'
            ? [{ at: sample.atMs, value: sample.value }]
            : [],
        ),
      );
  }

  /** What the simulator measures on all patients of a story, second by second. */
  function simulated(story: StoryName, take: (reading: Reading) => boolean, lastsMs: number): Timed[][] {
    return cast
      .flatMap(({ roles }) => roles)
      .filter((role) => role.story === story)
      .map((role) => {
        const subject = subjectOf(role);
        return instants(0, lastsMs, second).flatMap((at) =>
          stories[story]
            .measure(subject, at)
            .filter(take)
            .map(({ value }) => ({ at, value })),
        );
      });
  }

  const ordered = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);
  const quantile = (numbers: readonly number[], share: number): number =>
    ordered(numbers)[Math.round(share * (numbers.length - 1))] ?? NaN;
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;

  /** How far the value moves from one second to the next, on average. */
  function step(series: readonly Timed[]): number {
    const steps = series.flatMap(({ at, value }, index) => {
      const before = series[index - 1];
      return before !== undefined && at - before.at === second ? [Math.abs(value - before.value)] : [];
    });
    return mean(steps);
  }

  /** The spread (standard deviation) within a minute, the middle one of all minutes. */
  function spread(series: readonly Timed[]): number {
    const minutes = byMinute(series);
    return quantile(
      [...minutes.values()]
        .filter((values) => values.length > 50)
        .map((values) => {
          const middle = mean(values);
          return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
        }),
      0.5,
    );
  }

  function byMinute(series: readonly Timed[]): Map<number, number[]> {
    const minutes = new Map<number, number[]>();
    for (const { at, value } of series) {
      const place = Math.floor(at / minute);
      minutes.set(place, [...(minutes.get(place) ?? []), value]);
    }
    return minutes;
  }

  /** Falls of four points or more from one charted value to the next. */
  function drops(series: readonly Timed[]): number[] {
    return series.flatMap(({ value }, index) => {
      const before = series[index - 1];
      return before !== undefined && before.value - value >= 4 ? [before.value - value] : [];
    });
  }

  /** Every simulated bed lies where nine tenths of the recorded ones do, and their middles are not far apart. */
  function expectAlike(ours: readonly number[], theirs: readonly number[], withinFactor: number): void {
    for (const one of ours) {
      expect(one).toBeGreaterThanOrEqual(quantile(theirs, 0.05));
      expect(one).toBeLessThanOrEqual(quantile(theirs, 0.95));
    }
    const ratio = quantile(ours, 0.5) / quantile(theirs, 0.5);
    expect(ratio).toBeGreaterThan(1 / withinFactor);
    expect(ratio).toBeLessThan(withinFactor);
  }

  describeIfThere('bidmc-numerics')('the variation of a steady bed', () => {
    const isRecord = (file: string): boolean => file.startsWith('bidmc_');
    const eightMinutes = 8 * minute;

    it.each([
      ['SpO2 from second to second', 'spo2', step],
      ['SpO2 within a minute', 'spo2', spread],
      ['heart rate from second to second', 'heartRate', step],
      ['heart rate within a minute', 'heartRate', spread],
    ] as const)('is that of recorded beds: %s', (_, kind, measure) => {
      const ours = simulated(
        'steady',
        (reading) => (kind === 'spo2' ? reading.kind === 'spo2' : reading.kind.endsWith('Rate')),
        eightMinutes,
      );
      expectAlike(ours.map(measure), recorded('bidmc-numerics', isRecord, kind).map(measure), 2.5);
    });

    it('has gaps as often and as long as recorded beds', () => {
      const gapsOf = (all: Timed[][], lengthMs: (series: Timed[]) => number) => {
        const gaps = all.flatMap((series) =>
          series.flatMap(({ at }, index) => {
            const before = series[index - 1];
            return before !== undefined && at - before.at > second ? [(at - before.at) / second - 1] : [];
          }),
        );
        const total = all.reduce((sum, series) => sum + lengthMs(series) / second, 0);
        return { share: gaps.reduce((sum, length) => sum + length, 0) / total, length: mean(gaps) };
      };
      const lengthOf = (series: Timed[]): number => (series.at(-1)?.at ?? 0) - (series[0]?.at ?? 0) + second;
      const theirs = gapsOf(recorded('bidmc-numerics', isRecord, 'spo2'), lengthOf);
      const ours = gapsOf(
        simulated('steady', ({ kind }) => kind === 'spo2', 12 * 60 * minute),
        lengthOf,
      );
      expect(ours.length).toBeCloseTo(theirs.length, 0);
      expect(ours.share / theirs.share).toBeGreaterThan(0.5);
      expect(ours.share / theirs.share).toBeLessThan(2);
    });
  });

  describeIfThere('physionet-2019')('the depth of drops', () => {
    const charted = (): number[] => recorded('physionet-2019', (file) => file.endsWith('.psv'), 'spo2').flatMap(drops);

    it('is in sleep apnoea that of most charted drops', () => {
      const dips = simulated('sleepApnoea', ({ kind }) => kind === 'spo2', 60 * minute).flatMap(depths);
      expect(quantile(dips, 0.1)).toBeGreaterThanOrEqual(quantile(charted(), 0.1));
      expect(quantile(dips, 0.9)).toBeLessThanOrEqual(quantile(charted(), 0.9));
      expect(Math.abs(quantile(dips, 0.5) - quantile(charted(), 0.5))).toBeLessThanOrEqual(2);
    });

    it('is in fast desaturations that of the deepest tenth, no deeper than what was ever charted', () => {
      const falls = simulated('fastDesaturation', ({ kind }) => kind === 'spo2', 180 * minute)
        .flatMap(depths)
        .filter((depth) => depth > 8);
      expect(falls.length).toBeGreaterThan(15);
      expect(quantile(falls, 0.1)).toBeGreaterThanOrEqual(quantile(charted(), 0.9) - 1);
      expect(quantile(falls, 0.9)).toBeLessThanOrEqual(quantile(charted(), 0.96) + 1);
    });

    /** How deep each fall of four points or more goes below the value that it began from. */
    function depths(series: Timed[]): number[] {
      const found: number[] = [];
      let highest = -Infinity;
      let lowest: number | null = null;
      for (const { value } of series) {
        if (lowest === null) {
          highest = Math.max(highest, value);
          lowest = value <= highest - 4 ? value : null;
        } else if (value >= lowest + 3) {
          found.push(highest - lowest);
          highest = value;
          lowest = null;
        } else {
          lowest = Math.min(lowest, value);
        }
      }
      return found;
    }
  });

  describeIfThere('mimic-waveform-numerics')('a probe that is off', () => {
    it('is off as large a share of the time, and as long at a time, as on a recorded bed', () => {
      const [file = 'no csv there'] = readdirSync(join(folder, 'mimic-waveform-numerics')).filter((name) =>
        name.endsWith('.csv'),
      );
      const { samples } = readRecording(readFileSync(join(folder, 'mimic-waveform-numerics', file), 'utf8'), {});
      const signal = samples.filter(({ kind }) => kind === 'spo2').map(({ quality }) => quality === 'good');
      const runs = signal.reduce<number[]>((lengths, isThere, index) => {
        if (isThere) {
          return lengths;
        }
        return index > 0 && signal[index - 1] === false ? lengths.with(-1, (lengths.at(-1) ?? 0) + 1) : [...lengths, 1];
      }, []);
      const offMinutes = simulated(
        'sensorOff',
        ({ kind, quality }) => kind === 'spo2' && quality === 'invalid',
        60 * minute,
      ).map((series) => series.length / 60);
      for (const minutes of offMinutes) {
        expect(Math.abs(minutes / 60 - signal.filter((isThere) => !isThere).length / signal.length)).toBeLessThan(0.05);
        expect(minutes).toBeGreaterThanOrEqual(quantile(runs, 0.25));
        expect(minutes).toBeLessThanOrEqual(quantile(runs, 0.75));
      }
    });
  });
});

describe('simulator', () => {
  const start = Date.UTC(2026, 4, 1, 10, 0, 0);
  const [bedside] = cast;
  const home = cast.at(-1);
  if (bedside === undefined || home === undefined) {
    throw new Error('The cast is empty');
  }

  const taken: IngestResponse = { accepted: 1, duplicates: 0, corrections: 0, rejected: [] };

  interface Sent {
    at: number;
    sentAt: string;
    times: number[];
  }

  /** A world whose time moves only when the test moves it, and a server that answers as the test says. */
  function world({ part = bedside ?? cast[0], stored = new Set<number>() } = {}) {
    let time = start;
    let sleepers: { at: number; wake: () => void }[] = [];
    const sent: Sent[] = [];
    const troubles: string[] = [];
    const door: { answer: (samples: readonly WireSample[]) => Promise<IngestResponse>; closed: number } = {
      answer: () => Promise.resolve(taken),
      closed: 0,
    };
    const gateway: SimulatedGateway = {
      name: part?.name ?? '',
      roles: part?.roles ?? [],
      line: {
        send: async (sentAt, samples) => {
          const answer = await door.answer(samples);
          sent.push({ at: time, sentAt, times: [...new Set(samples.map(({ takenAt }) => Date.parse(takenAt)))] });
          return answer;
        },
        close: () => {
          door.closed += 1;
        },
      },
      storedMinutes: () => Promise.resolve(stored),
    };
    const simulator = startSimulator({
      gateways: [gateway],
      startedAt: start,
      clock: {
        now: () => time,
        sleep: (ms, signal) =>
          new Promise((resolve) => {
            sleepers.push({ at: time + ms, wake: () => resolve() });
            signal.onabort = () => {
              sleepers.forEach(({ wake }) => wake());
            };
          }),
      },
      onTrouble: (name, reason) => troubles.push(`${name}: ${reason}`),
    });
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    /** Wakes all sleepers up to then, in order. */
    const pass = async (ms: number): Promise<void> => {
      const target = time + ms;
      for (;;) {
        await settle();
        const next = sleepers.toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined || next.at > target) {
          break;
        }
        sleepers = sleepers.filter((one) => one !== next);
        time = Math.max(time, next.at);
        next.wake();
      }
      time = target;
    };
    /** The machine sleeps: time passes without waking anyone in between. */
    const freeze = (ms: number): void => {
      time += ms;
    };
    const live = () => sent.filter(({ at, times }) => times.every((one) => at - one < 30 * second && one >= start));
    return { simulator, sent, live, troubles, door, pass, freeze };
  }

  /** As if all but the last minutes were stored: then there is almost no history to send. */
  const everything = new Set(Array.from({ length: 1_441 }, (_, index) => start / minute - 1_440 + index));

  describe('startSimulator', () => {
    it('sends every second once, a second a call, with the time at which it is sent', async () => {
      const { simulator, live, pass } = world({ stored: everything });
      await pass(5 * second);
      expect(live().map(({ at, times }) => [at - start, times.map((one) => one - start)])).toEqual(
        [0, 1, 2, 3, 4, 5].map((place) => [place * second, [place * second]]),
      );
      expect(live().every(({ at, sentAt }) => Date.parse(sentAt) === at)).toBe(true);
      await simulator.stop();
    });

    it('sends live values before the history is complete, which it sends from now back to a day ago', async () => {
      const { simulator, sent, live, pass } = world();
      await pass(10 * second);
      await simulator.historySent;
      expect(live().length).toBeGreaterThan(0);
      const oldest = sent
        .filter(({ times }) => times.some((one) => one < start))
        .map(({ times }) => Math.min(...times));
      expect(oldest).toEqual(oldest.toSorted((a, b) => b - a));
      expect(oldest.at(-1)).toBe(start - 24 * 60 * minute);
      await simulator.stop();
    });

    it('rests three times as long as a call of the history took', async () => {
      const { simulator, sent, door, pass, freeze } = world();
      door.answer = (samples) => {
        if (samples.some(({ takenAt }) => Date.parse(takenAt) < start)) {
          freeze(100);
        }
        return Promise.resolve(taken);
      };
      await pass(10 * second);
      const history = sent.filter(({ times }) => times.some((one) => one < start)).map(({ at }) => at);
      // A call lasts 100 ms and 300 ms belong to others: the next one ends 400 ms later.
      expect(new Set(history.slice(1).map((at, index) => at - (history[index] ?? NaN)))).toEqual(new Set([400]));
      await simulator.stop();
    });

    it('keeps what the server did not take, sends it with the next call, and reports once what is wrong', async () => {
      const { simulator, live, door, troubles, pass } = world({ stored: everything });
      await pass(2 * second);
      door.answer = () => Promise.reject(new Error('the server answers 503'));
      await pass(4 * second);
      door.answer = () => Promise.resolve(taken);
      await pass(second);
      expect(
        live()
          .at(-1)
          ?.times.map((one) => (one - start) / second),
      ).toEqual([3, 4, 5, 6, 7]);
      expect(troubles).toEqual([`${bedside?.name ?? ''}: the server answers 503`]);
      await simulator.stop();
    });

    it('fills the gap as history when the machine slept', async () => {
      const { simulator, sent, pass, freeze } = world({ stored: everything });
      await pass(10 * second);
      freeze(10 * minute);
      await pass(20 * second);
      const told = new Set(sent.flatMap(({ times }) => times));
      const missing = Array.from({ length: 600 }, (_, index) => start + index * second).filter((one) => !told.has(one));
      expect(missing).toEqual([]);
      await simulator.stop();
    });

    it('does not repeat samples that the server has rejected', async () => {
      const { simulator, sent, door, troubles, pass } = world({ stored: everything });
      door.answer = () =>
        Promise.resolve({
          ...taken,
          rejected: [{ index: 0, code: 'unknown_patient', message: 'no patient has this mrn' }],
        });
      await pass(3 * second);
      const times = sent.flatMap((call) => call.times);
      expect(new Set(times).size).toBe(times.length);
      expect(troubles).toEqual([`${bedside?.name ?? ''}: unknown_patient`]);
      await simulator.stop();
    });

    it('makes no call if nothing was measured', async () => {
      const { simulator, live, pass } = world({ part: home, stored: everything });
      await pass(30 * second);
      expect(live()).toEqual([]);
      await simulator.stop();
    });

    it('sends nothing more once it is stopped, and closes its connection', async () => {
      const { simulator, sent, door, pass } = world();
      await pass(2 * second);
      await simulator.stop();
      const before = sent.length;
      await pass(10 * second);
      expect(sent).toHaveLength(before);
      expect(door.closed).toBe(1);
    });
  });
});

describe('stories', () => {
  const hour = 60 * minute;
  const names = Object.keys(stories) as StoryName[];

  const subjectsOf = (story: StoryName): Subject[] =>
    cast
      .flatMap(({ roles }) => roles)
      .filter((role) => role.story === story)
      .map(subjectOf);

  const at = fc.integer({ min: -48 * 3_600, max: 48 * 3_600 }).map((seconds) => seconds * second);

  /** What the story's devices measured in a window, each second. */
  function told(story: StoryName, subject: Subject, from: number, to: number): { t: number; readings: Reading[] }[] {
    return instants(from, to, second).map((t) => ({ t, readings: stories[story].measure(subject, t) }));
  }

  function valuesOf(story: StoryName, subject: Subject, kind: VitalKind, from: number, to: number): Reading[] {
    return told(story, subject, from, to).flatMap(({ readings }) =>
      readings.filter((reading) => reading.kind === kind),
    );
  }

  function median(numbers: readonly number[]): number {
    return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
  }

  const medianOf = (story: StoryName, subject: Subject, kind: VitalKind, from: number, to: number): number =>
    median(valuesOf(story, subject, kind, from, to).map(({ value }) => value));

  describe('the stories', () => {
    it('play all, on the cast', () => {
      expect(new Set(cast.flatMap(({ roles }) => roles.map(({ story }) => story)))).toEqual(new Set(names));
    });

    describe.each(names)('%s', (name) => {
      const subjects = subjectsOf(name);
      const anybody = fc.constantFrom(...subjects);

      it('has the same values in any order of calls', () => {
        fc.assert(
          fc.property(anybody, fc.array(at, { minLength: 1, maxLength: 20 }), (subject, times) => {
            const forwards = times.map((t) => stories[name].measure(subject, t));
            const backwards = times.toReversed().map((t) => stories[name].measure({ ...subject }, t));
            expect(backwards.reverse()).toEqual(forwards);
          }),
        );
      });

      it('is another course for another seed', () => {
        const [subject] = subjects;
        if (subject === undefined) {
          throw new Error('No patient plays this story');
        }
        const day = (seed: number) =>
          JSON.stringify(instants(-12 * hour, 0, minute).map((t) => stories[name].measure({ ...subject, seed }, t)));
        expect(day(1)).not.toBe(day(2));
      });

      it('sends nothing that no device could measure, each kind once, "no signal" as invalid', () => {
        fc.assert(
          fc.property(anybody, at, (subject, t) => {
            const readings = stories[name].measure(subject, t);
            expect(new Set(readings.map(({ kind }) => kind)).size).toBe(readings.length);
            for (const { kind, value, quality } of readings) {
              const { plausible, signalFrom } = kinds[kind];
              expect(value).toBeGreaterThanOrEqual(plausible.min);
              expect(value).toBeLessThanOrEqual(plausible.max);
              expect(quality === 'invalid').toBe(signalFrom !== null && value < signalFrom);
            }
          }),
          { numRuns: 300 },
        );
      });
    });

    it('keeps a steady bed within a few points and beats of itself for hours', () => {
      for (const subject of subjectsOf('steady')) {
        const spo2 = valuesOf('steady', subject, 'spo2', -3 * hour, 0).map(({ value }) => value);
        const rate = valuesOf('steady', subject, subject.rate, -3 * hour, 0).map(({ value }) => value);
        expect(Math.max(...spo2) - Math.min(...spo2)).toBeLessThanOrEqual(5);
        expect(Math.min(...spo2)).toBeGreaterThanOrEqual(92);
        expect(Math.max(...rate) - Math.min(...rate)).toBeLessThanOrEqual(20);
      }
    });

    it('lets the slow deterioration fall hour by hour while the rate climbs, and recover after treatment', () => {
      for (const subject of subjectsOf('slowDeterioration')) {
        const hours = [-5, -3.5, -2, -0.5, 1].map((from) => ({
          spo2: medianOf('slowDeterioration', subject, 'spo2', from * hour, (from + 0.5) * hour),
          rate: medianOf('slowDeterioration', subject, subject.rate, from * hour, (from + 0.5) * hour),
        }));
        for (const [index, { spo2, rate }] of hours.entries()) {
          const before = hours[index - 1];
          expect(before === undefined || (spo2 < before.spo2 && rate > before.rate)).toBe(true);
        }
        // At the opening of the ward it is well under way.
        expect(medianOf('slowDeterioration', subject, 'spo2', 0, 5 * minute)).toBeLessThanOrEqual(91);
        expect(medianOf('slowDeterioration', subject, 'spo2', 2 * hour, 2.4 * hour)).toBeLessThanOrEqual(88);
        expect(medianOf('slowDeterioration', subject, 'spo2', 4 * hour, 5 * hour)).toBeGreaterThanOrEqual(95);
      }
    });

    it('lets the fast desaturation fall below 85 within six minutes and recover, three times an hour', () => {
      for (const subject of subjectsOf('fastDesaturation')) {
        const lows = (from: number, to: number) =>
          valuesOf('fastDesaturation', subject, 'spo2', from, to).map(({ value }) => value);
        expect(Math.min(...lows(0, 6 * minute))).toBeLessThan(85);
        expect(Math.min(...lows(9 * minute, 20 * minute))).toBeGreaterThanOrEqual(93);
        for (const start of [-60, -40, -20, 20, 40].map((minutes) => minutes * minute)) {
          expect(Math.min(...lows(start, start + 20 * minute))).toBeLessThan(85);
          expect(Math.min(...lows(start + 9 * minute, start + 20 * minute))).toBeGreaterThanOrEqual(93);
        }
      }
    });

    it('keeps the COPD patients between 86 and 92, on oxygen and on scale 2', () => {
      for (const subject of subjectsOf('copd')) {
        const spo2 = valuesOf('copd', subject, 'spo2', -2 * hour, hour).map(({ value }) => value);
        expect(Math.min(...spo2)).toBeGreaterThanOrEqual(86);
        expect(Math.max(...spo2)).toBeLessThanOrEqual(92);
        expect(valuesOf('copd', subject, 'oxygenFlow', -8 * hour, 0).map(({ value }) => value)).toEqual([2, 2]);
      }
      const scales = cast.flatMap(({ roles }) =>
        roles.map(({ story, patient }) => (story === 'copd') === (patient.spo2Scale === 2)),
      );
      expect(scales).not.toContain(false);
    });

    it('lets sleep apnoea dip by four points or more 10 to 40 times an hour, from the first five minutes on', () => {
      for (const subject of subjectsOf('sleepApnoea')) {
        for (const from of [-6 * hour, 0, 9 * hour]) {
          const dips = countDips(valuesOf('sleepApnoea', subject, 'spo2', from, from + hour).map(({ value }) => value));
          expect(dips).toBeGreaterThanOrEqual(10);
          expect(dips).toBeLessThanOrEqual(40);
        }
        expect(
          countDips(valuesOf('sleepApnoea', subject, 'spo2', 0, 5 * minute).map(({ value }) => value)),
        ).toBeGreaterThanOrEqual(1);
      }
    });

    it('calls every implausible value of the artefact questionable, and every other one good', () => {
      for (const subject of subjectsOf('artefact')) {
        const spo2 = valuesOf('artefact', subject, 'spo2', 0, 6 * minute);
        const spikes = spo2.filter(({ value }) => value < 88);
        expect(spikes.length).toBeGreaterThan(20);
        expect(spo2.filter(({ value, quality }) => value < 88 !== (quality === 'questionable'))).toEqual([]);
        const beats = valuesOf('artefact', subject, subject.rate, 0, 6 * minute);
        expect(beats.filter(({ value, quality }) => value >= 150 !== (quality === 'questionable'))).toEqual([]);
      }
    });

    it('loses the probe’s signal at the start and for twelve minutes of every hour, not the electrodes’', () => {
      for (const subject of subjectsOf('sensorOff')) {
        const off = valuesOf('sensorOff', subject, 'spo2', 0, hour).filter(({ quality }) => quality === 'invalid');
        expect(off.every(({ value }) => value === 0)).toBe(true);
        expect(off.length / 60).toBeGreaterThan(11);
        expect(off.length / 60).toBeLessThanOrEqual(12);
        expect(
          valuesOf('sensorOff', subject, 'spo2', 0, 7 * minute).every(({ quality }) => quality === 'invalid'),
        ).toBe(true);
        expect(
          valuesOf('sensorOff', subject, 'spo2', 9 * minute, 50 * minute).every(({ quality }) => quality === 'good'),
        ).toBe(true);
        expect(valuesOf('sensorOff', subject, 'heartRate', 0, 7 * minute).length).toBeGreaterThan(400);
      }
    });

    it('has no values of a silent gateway for five hours from 20 minutes before the opening on', () => {
      const roles = cast.filter(({ roles: ofGateway }) => ofGateway.some(({ story }) => story === 'silentGateway'));
      expect(roles).toHaveLength(1);
      expect(
        roles.flatMap(({ roles: ofGateway }) => ofGateway.filter(({ story }) => story !== 'silentGateway')),
      ).toEqual([]);
      for (const subject of subjectsOf('silentGateway')) {
        expect(told('silentGateway', subject, -20 * minute, 4.6 * hour).flatMap(({ readings }) => readings)).toEqual(
          [],
        );
        expect(valuesOf('silentGateway', subject, 'spo2', -hour, -20 * minute).length).toBeGreaterThan(2_300);
      }
    });

    it('checks patients at home three times a day, at whole minutes, with nothing in between', () => {
      for (const subject of subjectsOf('homeSpotChecks')) {
        const checks = told('homeSpotChecks', subject, -24 * hour, 0).filter(({ readings }) => readings.length > 0);
        expect(checks).toHaveLength(3);
        expect(checks.every(({ t }) => t % minute === 0)).toBe(true);
        expect(checks.map(({ readings }) => readings.map(({ kind }) => kind))).toEqual(
          Array.from({ length: 3 }, () => ['spo2', 'pulseRate', 'temperature']),
        );
      }
    });
  });

  /**
   * Falls of at least four points below the highest value since the last dip, each ended by a rise of at least three.
   */
  function countDips(values: readonly number[]): number {
    let dips = 0;
    let isDown = false;
    let highest = -Infinity;
    let lowest = Infinity;
    for (const value of values) {
      if (isDown) {
        lowest = Math.min(lowest, value);
        if (value >= lowest + 3) {
          isDown = false;
          highest = value;
        }
      } else {
        highest = Math.max(highest, value);
        if (value <= highest - 4) {
          dips += 1;
          isDown = true;
          lowest = value;
        }
      }
    }
    return dips;
  }
});
