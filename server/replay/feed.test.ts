import fc from 'fast-check';
import { fastestSpeed, knownAtMs, nextDueAt, planFeed, takeDue, type DueSample, type Feed } from './feed';
import type { RecordedSample } from './recording';

const now = Date.UTC(2026, 4, 1, 10, 0, 0);
const second = 1_000;
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
