import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { entryOf, planOf, play, settingOf, start, steady, activeRule } from '../../test/stream';
import type { StreamState } from './fold';
import type { Entry, Plan } from './plan';
import { createStream, resumesFrom, resumeStream, takeEntryOfStream, toKeep, type Stream } from './stream';

interface Arrived {
  entry: Entry;
  receivedAt: number;
}

/** A stretch of a stream: a value that lasts, seconds without any before it, and how it comes. */
const stretch = fc.record({
  value: fc.constantFrom(70, 77, 78, 84, 87, 88, 89, 90, 91, 92, 93, 94, 97),
  seconds: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 10, max: 90 })),
  silence: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(4, 9, 10, 11, 29, 31, 120, 400) },
  ),
  isDoubtful: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  deviceId: fc.constantFrom(1, 1, 1, 2),
  flow: fc.option(fc.constantFrom(0, 2), { freq: 6 }),
});
const stretches = fc.array(stretch, { minLength: 1, maxLength: 12 });

/** The values of a stream in the order of measuring. Rates reach their limits by the same numbers, doubled. */
function entriesOf(
  parts: readonly (typeof stretch extends fc.Arbitrary<infer T> ? T : never)[],
  name: 'oxygenation' | 'rate',
): Entry[] {
  let second = 0;
  return parts.flatMap(({ value, seconds, silence, isDoubtful, deviceId, flow }, part) => {
    const from = second + silence;
    second = from + seconds;
    const kind = name === 'oxygenation' ? 'spo2' : part % 3 === 2 ? 'pulseRate' : 'heartRate';
    const shown = name === 'oxygenation' ? value : (value - 60) * 5;
    const values = steady(name, kind, shown, from, second - 1).map((entry) => ({ ...entry, isDoubtful, deviceId }));
    return name === 'oxygenation' && flow !== null ? [entryOf(name, 'oxygenFlow', from, flow), ...values] : values;
  });
}

/** How each value of a stream is on its way: seconds it takes, up to a minute, and whether it is sent twice. */
const ways = fc.infiniteStream(
  fc.record({
    takes: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 60 }) },
    ),
    again: fc.option(fc.integer({ min: 0, max: 90 }), { freq: 4 }),
    shuffle: fc.nat(1_000),
  }),
);

function arrive(
  entries: readonly Entry[],
  way: Iterator<{ takes: number; again: number | null; shuffle: number }>,
): Arrived[] {
  return entries
    .flatMap((entry) => {
      const { takes, again, shuffle } = way.next().value as { takes: number; again: number | null; shuffle: number };
      const first = { entry, receivedAt: entry.at + takes * 1_000, shuffle };
      return again === null
        ? [first]
        : [first, { entry, receivedAt: first.receivedAt + again * 1_000, shuffle: 1_000 - shuffle }];
    })
    .sort((a, b) => (a.receivedAt === b.receivedAt ? a.shuffle - b.shuffle : a.receivedAt - b.receivedAt));
}

const takeAll = (plan: Plan, arrived: readonly Arrived[]): Stream =>
  arrived.reduce(
    (stream, { entry, receivedAt }) => takeEntryOfStream(stream, plan, entry, receivedAt),
    createStream(plan),
  );

/**
 * The same in every field; jest's own way through the day of a trend takes a thousand times longer, so it only
 * explains.
 */
function expectSame(actual: Stream, expected: Stream): void {
  if (!isDeepStrictEqual(actual, expected)) {
    // oxlint-disable-next-line jest/no-conditional-expect -- fails whenever it is reached
    expect(actual).toEqual(expected);
  }
}

const names = ['oxygenation', 'rate'] as const;

describe.each(names)('the stream of %s', (name) => {
  const plan = planOf(name, settingOf({ scale: 2 }));

  it('ends the same however its values come: shuffled, twice, up to a minute late', () => {
    fc.assert(
      fc.property(stretches, ways, (parts, way) => {
        const entries = entriesOf(parts, name);
        const arrived = arrive(entries, way);
        const end = Math.max(...arrived.map(({ receivedAt }) => receivedAt));
        const last = {
          entry: { ...entryOf(name, name === 'rate' ? 'heartRate' : 'spo2', 0, 95), at: end, measuredAt: end },
          receivedAt: end,
        };
        const inOrder = entries.map((entry) => ({ entry, receivedAt: entry.at }));
        expectSame(takeAll(plan, [...arrived, last]), takeAll(plan, [...inOrder, last]));
      }),
      { numRuns: 100 },
    );
  });

  it('is after a restart what it was before, at each of its points', () => {
    fc.assert(
      fc.property(stretches, ways, fc.nat(1_000), (parts, way, every) => {
        const arrived = arrive(entriesOf(parts, name), way);
        let stream = createStream(plan);
        let kept: { text: string; state: StreamState | null } = { text: 'null', state: null };
        arrived.forEach(({ entry, receivedAt }, index) => {
          stream = takeEntryOfStream(stream, plan, entry, receivedAt);
          if (toKeep(stream) !== kept.state) {
            kept = { text: JSON.stringify(toKeep(stream)), state: toKeep(stream) };
          }
          if (index % 29 === every % 29 || index > arrived.length - 4) {
            const stored = JSON.parse(kept.text) as StreamState | null;
            expectSame(restart(plan, stored, arrived.slice(0, index + 1)), stream);
          }
        });
      }),
      { numRuns: 30 },
    );
  });

  it('is not changed by values that are more than a minute late', () => {
    fc.assert(
      fc.property(stretches, fc.nat(10_000), fc.integer({ min: 61, max: 5_000 }), (parts, place, lateS) => {
        const entries = entriesOf(parts, name);
        const stream = takeAll(
          plan,
          entries.map((entry) => ({ entry, receivedAt: entry.at })),
        );
        const now = Math.max(...entries.map(({ at }) => at));
        const at = now - lateS * 1_000;
        const late = {
          ...(entries[place % entries.length] ?? entryOf(name, 'spo2', 0, 70)),
          at,
          measuredAt: at,
          deviceId: 9,
        };
        expect(takeEntryOfStream(stream, plan, late, now)).toBe(stream);
      }),
    );
  });
});

/** What the store gives back: each value once, the last ones whole, the older ones as the last of their minute. */
function restart(plan: Plan, stored: StreamState | null, arrived: readonly Arrived[]): Stream {
  const once = new Map<string, Arrived>();
  for (const one of arrived) {
    const key = `${one.entry.at} ${one.entry.source} ${one.entry.deviceId}`;
    once.set(key, once.get(key) ?? one);
  }
  const rows = [...once.values()].sort((a, b) =>
    a.entry.at === b.entry.at ? a.entry.deviceId - b.entry.deviceId : a.entry.at - b.entry.at,
  );
  const until = resumesFrom(Math.max(...rows.map(({ receivedAt }) => receivedAt)));
  // The last three values of each device tell its pace.
  const cuts = plan.sources.flatMap(({ isOxygenFlow }, source) =>
    [1, 2].flatMap((device) => {
      const of = rows.filter(({ entry }) => entry.source === source && entry.deviceId === device && entry.at < until);
      return isOxygenFlow || of.length === 0 ? [] : [of.at(-3)?.entry.at ?? 0];
    }),
  );
  const cut = Math.min(until, ...cuts);
  const whole = Math.floor(cut / 60_000) * 60_000;
  const minutes = plan.sources.map((_, source) => {
    const last = new Map<number, number>();
    for (const { entry } of rows.filter((row) => row.entry.source === source && row.entry.at < whole)) {
      last.set(Math.floor(entry.at / 60_000), entry.value);
    }
    return [...last].map(([minute, value]) => ({ minute, last: value }));
  });
  return resumeStream(
    plan,
    stored,
    rows.filter(({ entry }) => entry.at >= whole),
    minutes,
  );
}

describe('a memory that other rules have kept', () => {
  it('starts again, and evaluates every present rule', () => {
    const plan = planOf('oxygenation', settingOf());
    const kept = toKeep(createStream(plan));
    const groups = kept.groups.map((group) => ({ ...group, states: group.states.slice(1) }));
    const older: StreamState = { ...kept, groups };
    const resumed = resumeStream(plan, older, [], []);
    const low = steady('oxygenation', 'spo2', 86, 0, 15);
    const stream = low.reduce((so, entry) => takeEntryOfStream(so, plan, entry, entry.at), resumed);
    expect(stream.head.state).toEqual(
      low.reduce((so, entry) => takeEntryOfStream(so, plan, entry, entry.at), createStream(plan)).head.state,
    );
    expect(stream.head.state.groups[0]?.episode?.rule).toBe('spo2.low');
  });
});

describe('a value that was corrected', () => {
  const plan = planOf('oxygenation', settingOf());

  it('replaces the one before it, and what that one raised is withdrawn', () => {
    const low = steady('oxygenation', 'spo2', 87, 0, 15);
    const now = start + 15_000;
    const stream = play(plan, low);
    expect(activeRule(plan, stream, 'spo2')).toBe('high spo2.low');
    const corrected = low
      .slice(3, 10)
      .reduce((before, entry) => takeEntryOfStream(before, plan, { ...entry, value: 97 }, now), stream);
    expect(activeRule(plan, corrected, 'spo2')).toBe('none');
  });
});

describe('a trend', () => {
  const plan = planOf('oxygenation', settingOf());
  const hours = (value: number, from: number, until: number): Entry[] =>
    steady('oxygenation', 'spo2', value, from * 3_600, until * 3_600 - 20, 20);

  it('is raised when 15 minutes are three points below the day for 15 minutes', () => {
    const dropped = [...hours(99, 0, 6), ...hours(96, 6, 6.5)];
    expect(activeRule(plan, play(plan, dropped), 'spo2')).toBe('low spo2.drop');
    expect(activeRule(plan, play(plan, [...hours(99, 0, 6), ...hours(97, 6, 8)]), 'spo2')).toBe('none');
  });

  it('waits for its 15 minutes after the median has fallen', () => {
    // The median of 15 minutes falls with the eighth of them; then 15 minutes more.
    const at = (minutes: number): string =>
      activeRule(plan, play(plan, [...hours(99, 0, 6), ...hours(96, 6, 6 + minutes / 60)]), 'spo2');
    expect(at(23)).toBe('none');
    expect(at(24)).toBe('low spo2.drop');
  });

  it('needs four hours of values', () => {
    expect(activeRule(plan, play(plan, [...hours(99, 0, 3.4), ...hours(96, 3.4, 3.9)]), 'spo2')).toBe('none');
    expect(activeRule(plan, play(plan, [...hours(99, 0, 4), ...hours(96, 4, 4.5)]), 'spo2')).toBe('low spo2.drop');
  });

  it('ends when the difference is two', () => {
    const dropped = [...hours(99, 0, 6), ...hours(96, 6, 6.5)];
    expect(activeRule(plan, play(plan, [...dropped, ...hours(97, 6.5, 6.8)]), 'spo2')).toBe('none');
  });

  it('is not judged while the clock of the device is wrong', () => {
    const blocked = planOf('oxygenation', settingOf({ evaluatesTrends: false }));
    expect(activeRule(blocked, play(blocked, [...hours(99, 0, 6), ...hours(96, 6, 7)]), 'spo2')).toBe('none');
    const before = play(plan, [...hours(99, 0, 6), ...hours(96, 6, 6.5)]);
    expect(activeRule(blocked, play(blocked, hours(96, 6.5, 6.6), before), 'spo2')).toBe('none');
  });

  it.each([
    ['down', 120, 90],
    ['up', 60, 90],
  ])('of a rate is raised when it goes %s by thirty', (_, before, after) => {
    const rate = planOf('rate', settingOf());
    const of = (value: number, from: number, until: number): Entry[] =>
      steady('rate', 'pulseRate', value, from * 3_600, until * 3_600 - 20, 20);
    expect(activeRule(rate, play(rate, [...of(before, 0, 6), ...of(after, 6, 6.5)]), 'rate')).toBe('low hr.jump');
    const nearly = after < before ? after + 1 : after - 1;
    expect(activeRule(rate, play(rate, [...of(before, 0, 6), ...of(nearly, 6, 6.5)]), 'rate')).not.toBe('low hr.jump');
  });
});
