import type { IngestResponse } from '../lib/vitals/schema';
import { cast } from './cast';
import { startSimulator, type SimulatedGateway } from './simulator';
import type { WireSample } from './measure';

const second = 1_000;
const minute = 60 * second;
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

  it('sends live values before the history is complete, which it sends from the newest back to a day ago', async () => {
    const { simulator, sent, live, pass } = world();
    await pass(10 * second);
    await simulator.historySent;
    expect(live().length).toBeGreaterThan(0);
    const oldest = sent.filter(({ times }) => times.some((one) => one < start)).map(({ times }) => Math.min(...times));
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

  it('keeps what the server did not take and sends it with the next call, and reports once what is wrong', async () => {
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
