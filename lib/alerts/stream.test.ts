import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { createLife, high, middle, mild, worst } from '../../test/alertLife';
import { fuzzRuns } from '../../test/fuzzRuns';
import { createWithAlerts, evaluateSample } from '../../test/ruleStateWithAlerts';
import { activeRule, current, entryOf, planOf, play, settingOf, start, steady } from '../../test/stream';
import { accept, acknowledge, pauseAudio, reassign, reject, resolve, take } from './actions';
import type { Alert } from './alert';
import type { Episode } from './episode';
import { isFeedIdle } from './evaluateGroups';
import type { StreamState } from './fold';
import { defaultNews2Limits } from './news2Rules';
import { onVersion } from './onVersion';
import type { Entry, Plan } from './plan';
import { type Holder, releaseOf } from './releaseOf';
import { plansOf, type RuleState } from './ruleState';
import { ruleVersion } from './ruleVersion';
import { createSpotCheck, spotToKeep, takeReading } from './spotCheck';
import type { SpotParameter } from './spotRules';
import { idleNews2, stepNews2 } from './stepNews2';
import { nothingRead, readDeviceState, readRuleState, type StoredRuleState, writeRuleState } from './storedRuleState';
import { storedStream, storedStreamOf, streamStateOf } from './storedStream';
import { createStream, resumesFrom, resumeStream, type Stream, takeEntryOfStream, toKeep } from './stream';
import { byStream, streamNames } from './streams';
import { withdraw } from './withdraw';
import { withdrawValue } from './withdrawValue';

const minute = 60_000;

describe('stream', () => {
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
        { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 8) },
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
        { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 24) },
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
    // The last three values of each device tell its pace, and those of a minute what it is compared with.
    const cuts = plan.sources.flatMap(({ isOxygenFlow }, source) =>
      [1, 2].flatMap((device) => {
        const of = rows.filter(({ entry }) => entry.source === source && entry.deviceId === device && entry.at < until);
        const last = of.at(-1)?.entry.at ?? 0;
        return isOxygenFlow || of.length === 0 ? [] : [of.at(-3)?.entry.at ?? 0, last - 60_000];
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
      expect(activeRule(rate, play(rate, [...of(before, 0, 6), ...of(nearly, 6, 6.5)]), 'rate')).not.toBe(
        'low hr.jump',
      );
    });
  });
});

describe('what is kept over a restart', () => {
  const plans = plansOf(settingOf());

  /** A patient with something in every place: raised, ended, on oxygen, a reading that waits. */
  function keptOf(): { ruleState: RuleState; kept: Omit<StoredRuleState, 'rules'> } {
    let ruleState = createWithAlerts(plans);
    for (let second = 0; second < 240; second += 1) {
      const at = start + second * 1_000;
      const common = { measuredAt: at, deviceId: 1, isAssigned: true, hasStoppedStating: false };
      for (const sample of [
        { ...common, kind: 'oxygenFlow', value: 2, quality: 'good' } as const,
        { ...common, kind: 'spo2', value: second < 60 ? 86 : 96, quality: 'good' } as const,
        { ...common, kind: 'heartRate', value: 152, quality: 'questionable' } as const,
        { ...common, kind: 'perfusionIndex', value: 0.2, quality: 'good' } as const,
      ]) {
        ruleState = evaluateSample(ruleState, plans, sample, at, { isHeld: false }).ruleState;
      }
    }
    const setting = (parameter: SpotParameter) => ({ parameter, scale: 1, baseline: null }) as const;
    const reading = (value: number, at: number) => ({ at, source: 0, deviceId: 1, value });
    const amber = takeReading(createSpotCheck(), setting('spo2'), reading(94, start), start);
    const heavy = [80, 83].reduce(
      (check, value, day) =>
        takeReading(
          check,
          setting('weight'),
          reading(value, start + day * 24 * 60 * minute),
          start + day * 24 * 60 * minute,
        ),
      createSpotCheck(),
    );
    // More than two hours after the first one nothing can come before it any more.
    const later = takeReading(amber, setting('spo2'), reading(95, start + 200 * minute), start + 200 * minute);
    const low: Episode = {
      rule: 'battery.low',
      priority: 'low',
      startedAt: start,
      count: 1,
      since: start,
      endedAt: null,
      lowest: null,
      highest: null,
      source: null,
      unconfirmedUntil: null,
    };
    const part = { at: start, value: 90, points: 3, source: 'monitor' } as const;
    const score = { least: 6, isComplete: false, parts: { spo2: part, pulse: part } };
    const kept = {
      streams: byStream((name) => storedStreamOf(name, toKeep(ruleState[name]))),
      spot: { spo2: spotToKeep(later), weight: heavy.head },
      technical: { battery: low },
      signalsFrom: start,
      resetAt: { rate: start, readings: start + minute },
      news2: stepNews2(idleNews2, score, defaultNews2Limits, start),
    };
    return { ruleState, kept };
  }

  const { kept, ruleState } = keptOf();
  const text = writeRuleState(kept);
  const written = JSON.parse(text) as Record<string, object>;

  it('is the same after JSON', () => {
    const { state, unread } = readRuleState(text);
    expect(unread).toEqual([]);
    expect(state).toEqual(kept);
    expect(kept.streams.oxygenation.episodes.spo2).toMatchObject({ rule: 'spo2.low', lowest: 86 });
    expect(kept.streams.oxygenation.oxygen).toMatchObject({ flow: 2 });
    expect(kept.spot.weight?.weights).toHaveLength(2);
    expect(kept.news2.timers['news2.aggregate']?.phase).toBe('pending');
  });

  it.each(streamNames)('is the state of the stream %s again, timer by timer', (name) => {
    expect(streamStateOf(name, plans[name], kept.streams[name])).toEqual(toKeep(ruleState[name]));
  });

  it('names kinds, parameters and rules, and no place in a table', () => {
    const [feed, ...others] = kept.streams.rate.feeds;
    expect(others).toEqual([]);
    expect(feed).toMatchObject({
      kind: 'heartRate',
      timers: { rate: { 'hr.extreme': { phase: 'active' } }, rateQuality: { 'signal.poor': { phase: 'active' } } },
    });
    expect(written.rules).toBe(ruleVersion);
  });

  it('is taken over by name from a release with other rules', () => {
    const { rate } = kept.streams;
    const other = {
      ...rate,
      feeds: rate.feeds.map((feed) => ({
        ...feed,
        timers: { rate: { 'hr.former': feed.timers.rate?.['hr.extreme'], ...feed.timers.rate } },
      })),
    };
    const { state, unread } = readRuleState(JSON.stringify({ ...written, streams: { ...kept.streams, rate: other } }));
    expect(unread).toEqual([]);
    const groups = streamStateOf('rate', plans.rate, state.streams.rate ?? rate).groups.map(({ states }) => states);
    expect(groups[0]).toEqual(toKeep(ruleState.rate).groups[0]?.states);
    expect(groups[1]?.every(({ phase }) => phase === 'idle')).toBe(true);
  });

  it('is to be rebuilt where it was kept by places, and the rest is read', () => {
    const streams = byStream((name) => toKeep(ruleState[name]));
    const read = readRuleState(JSON.stringify({ ...written, streams }));
    expect(read).toEqual({ state: { ...kept, streams: {} }, unread: [...streamNames] });
  });

  it.each(['spot', 'technical', 'news2', 'signalsFrom'] as const)(
    'is read without its %s, which is to be rebuilt',
    (field) => {
      const { state, unread } = readRuleState(JSON.stringify({ ...written, [field]: undefined }));
      expect(unread).toEqual([field]);
      expect(state).toEqual({ ...kept, [field]: null });
    },
  );

  it('leaves out a parameter that this release does not know', () => {
    const technical = { ...kept.technical, glucose: kept.technical.battery };
    expect(readRuleState(JSON.stringify({ ...written, technical })).state.technical).toEqual(kept.technical);
    expect(readDeviceState(JSON.stringify({ technical }))).toEqual(kept.technical);
  });

  it('is read whatever text it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (any) => {
        const { state, unread } = readRuleState(any);
        expect(unread.length > 0 || state !== nothingRead).toBe(true);
        readDeviceState(any);
      }),
    );
  });

  it('is read whatever one of its values is, and makes a state of each stream', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (any, place) => {
        let index = -1;
        const damaged = JSON.stringify(written, (_, value: unknown) => {
          index += 1;
          return index === place % 80 ? any : value;
        });
        const { state } = readRuleState(damaged);
        const made = streamNames.flatMap((name) => {
          const stream = state.streams[name];
          return stream === undefined
            ? []
            : [streamStateOf(name, plans[name], stream).groups.length - plans[name].groups.length];
        });
        expect(made.every((difference) => difference === 0)).toBe(true);
      }),
    );
  });
});

describe('withdrawValue', () => {
  const minute = 60;
  const oxygenation = planOf('oxygenation', settingOf());
  const typed = (second: number, value: number, more: Partial<Entry> = {}): Entry =>
    entryOf('oxygenation', 'spo2', second, value, { deviceId: -7, ...more });
  const monitor = (value: number, from: number, until: number): Entry[] =>
    steady('oxygenation', 'spo2', value, from, until);
  const spo2 = (stream: Stream): string => activeRule(oxygenation, stream, 'spo2');
  const withdrawAll = (plan: Plan, stream: Stream, entries: readonly Entry[]): Stream =>
    entries.reduce((after, entry) => withdrawValue(after, plan, entry), stream);

  describe('a value that was typed in and is withdrawn', () => {
    it.each([
      ['the newest', [typed(0, 84), typed(180, 83)], 1, 'high spo2.low'],
      ['the newest, worse one', [typed(0, 84), typed(180, 70)], 1, 'high spo2.low'],
      ['the earlier', [typed(0, 84), typed(180, 83)], 0, 'high spo2.low'],
      ['one between two', [typed(0, 84), typed(180, 83), typed(360, 82)], 1, 'high spo2.low'],
      ['the newest of another user', [typed(0, 84), typed(180, 83, { deviceId: -9 })], 1, 'high spo2.low'],
    ] as const)('ends no alert that another reading justifies: %s', (_, entries, place, expected) => {
      const stream = play(oxygenation, entries);
      const after = withdrawAll(oxygenation, stream, entries.slice(place, place + 1));
      expect(spo2(after)).toBe(expected);
      expect(current(oxygenation, after, 'spo2')?.startedAt).toBe(entries[place === 0 ? 1 : 0]?.at);
    });

    it.each([[[0, 1]], [[1, 0]]])('ends what two raised together when both are withdrawn, in the order %s', (order) => {
      const entries = [typed(0, 84), typed(180, 83)];
      const chosen = order.flatMap((place) => entries[place] ?? []);
      const after = withdrawAll(oxygenation, play(oxygenation, entries), chosen);
      expect([spo2(after), after.head.state.groups[0]?.episode]).toEqual(['none', null]);
    });

    it('is not what confirms a first reading any more', () => {
      const entries = [typed(0, 84), typed(180, 83)];
      const after = withdrawAll(oxygenation, play(oxygenation, entries), entries.slice(1));
      expect(current(oxygenation, after, 'spo2')?.unconfirmedUntil).toBe(start + 15 * minute * 1_000);
    });

    it('takes its extreme out of the episode', () => {
      const entries = [typed(0, 84), typed(180, 70), typed(360, 83)];
      const after = withdrawAll(oxygenation, play(oxygenation, entries), entries.slice(1, 2));
      expect(current(oxygenation, after, 'spo2')).toMatchObject({ lowest: 83, highest: 84 });
    });

    it('answers nothing any more: the red reading before it is raised again', () => {
      const entries = [typed(0, 84), typed(180, 97)];
      expect(spo2(play(oxygenation, entries))).toBe('none');
      expect(spo2(withdrawAll(oxygenation, play(oxygenation, entries), entries.slice(1)))).toBe('high spo2.low');
    });

    it('does not hide a reading that was measured before it and arrived after it', () => {
      const late = { ...typed(0, 84), at: start + 300_000 };
      const stream = play(oxygenation, [typed(180, 97), late]);
      expect(spo2(stream)).toBe('none');
      expect(spo2(withdrawValue(stream, oxygenation, typed(180, 97)))).toBe('high spo2.low');
    });

    it('answers no monitor any more that raised an alert and has been silent since', () => {
      const low = [...monitor(84, 0, 30), typed(600, 97)];
      const stream = play(oxygenation, low);
      expect(spo2(stream)).toBe('none');
      expect(spo2(withdrawValue(stream, oxygenation, typed(600, 97)))).toBe('high spo2.low');
      const later = play(oxygenation, [typed(900, 97)], stream);
      expect(spo2(withdrawValue(later, oxygenation, typed(600, 97)))).toBe('none');
    });

    it('leaves what the monitor raises, and ends what the monitor had ended before it', () => {
      const before = play(oxygenation, [typed(0, 84), ...monitor(97, 1, 17 * minute)]);
      expect(spo2(before)).toBe('none');
      const wrong = typed(18 * minute, 80);
      const raised = play(oxygenation, [wrong, ...monitor(97, 18 * minute + 1, 20 * minute)], before);
      expect(spo2(raised)).toBe('high spo2.low');
      expect(spo2(withdrawValue(raised, oxygenation, wrong))).toBe('none');
      const low = play(oxygenation, monitor(84, 20 * minute + 1, 21 * minute), raised);
      expect(spo2(withdrawValue(low, oxygenation, wrong))).toBe('high spo2.low');
    });

    it('costs no value of the monitor that was measured before it was withdrawn and arrives after it', () => {
      const wrong = typed(0, 80);
      const stream = play(oxygenation, [wrong, ...monitor(97, 1, 100)]);
      const after = withdrawValue(stream, oxygenation, wrong);
      expect(after.until).toBe(stream.until);
    });

    it('is a rate: the ECG rate that another reading of the pulse answered is raised again', () => {
      const plan = planOf('rate', settingOf());
      const of = (kind: 'heartRate' | 'pulseRate', second: number, value: number): Entry =>
        entryOf('rate', kind, second, value, { deviceId: -7 });
      const entries = [of('heartRate', 0, 30), of('pulseRate', 20 * minute, 80)];
      expect(activeRule(plan, play(plan, entries), 'rate')).toBe('none');
      const after = withdrawAll(plan, play(plan, entries), entries.slice(1));
      expect(activeRule(plan, after, 'rate')).toBe('high hr.extreme');
    });

    it('changes nothing if it is not known, or too old', () => {
      const stream = play(oxygenation, [typed(0, 84), typed(121 * minute, 84), typed(125 * minute, 84)]);
      expect(withdrawValue(stream, oxygenation, typed(1, 84))).toBe(stream);
      expect(withdrawValue(stream, oxygenation, typed(0, 84))).toBe(stream);
    });
  });

  /** A reading that is typed in: seconds after the one before, and how long ago it was measured then. */
  const reading = fc.record({
    gap: fc.integer({ min: 1, max: 30 * minute }),
    lateS: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 * minute }) },
    ),
    value: fc.constantFrom(70, 77, 84, 87, 88, 89, 91, 92, 93, 97),
    isPulse: fc.boolean(),
    deviceId: fc.constantFrom(-7, -9),
    flow: fc.option(fc.constantFrom(0, 2), { freq: 8 }),
    isWithdrawn: fc.boolean(),
    /** When it is withdrawn: after so many more readings. */
    after: fc.nat(6),
  });
  type Reading = typeof reading extends fc.Arbitrary<infer Of> ? Of : never;

  interface Step {
    entry: Entry;
    now: number;
    isWithdrawn: boolean;
  }

  /** The last two hours of readings. */
  function stepsOf(readings: readonly Reading[], name: 'oxygenation' | 'rate'): Step[] {
    let second = 0;
    const steps = readings.map(({ gap, lateS, value, isPulse, deviceId, isWithdrawn }): Step => {
      second += gap;
      const now = start + second * 1_000;
      const measuredAt = now - lateS * 1_000;
      const of = { at: Math.max(measuredAt, now - 60_000), measuredAt, deviceId };
      const entry =
        name === 'oxygenation'
          ? entryOf(name, 'spo2', 0, value, of)
          : entryOf(name, isPulse ? 'pulseRate' : 'heartRate', 0, (value - 60) * 5, of);
      return { entry, now, isWithdrawn };
    });
    const end = steps.at(-1)?.now ?? start;
    // Each moment has one reading.
    const isFirst = ({ entry }: Step, index: number): boolean =>
      steps.findIndex((one) => one.entry.measuredAt === entry.measuredAt) === index;
    return steps.filter(isFirst).filter(({ entry }) => entry.at > end - 2 * 3_600_000);
  }

  describe.each(['oxygenation', 'rate'] as const)('readings of %s', (name) => {
    const plan = planOf(name, settingOf({ scale: 2 }));
    const take = (stream: Stream, { entry, now }: Step): Stream => takeEntryOfStream(stream, plan, entry, now);
    const phasesOf = ({ head: { state } }: Stream): unknown =>
      state.feeds.flatMap(({ source }, feed) =>
        isFeedIdle(plan, state.groups, feed)
          ? []
          : state.groups.map(({ states, episode }, place) => {
              const { length = 0 } = plan.groups[place]?.rules ?? [];
              const timers = states.slice(feed * length, (feed + 1) * length);
              const isLasting = episode?.endedAt === null;
              return [source, timers, isLasting && [episode.rule, episode.priority, episode.unconfirmedUntil]];
            }),
      );
    const flows = (readings: readonly Reading[]): Entry[] =>
      name === 'rate'
        ? []
        : readings.flatMap(({ flow }) => (flow === null ? [] : [entryOf(name, 'oxygenFlow', 0, flow)]));

    it('leave the state that would be without those that are withdrawn, whenever and in whatever order', () => {
      fc.assert(
        fc.property(fc.array(reading, { minLength: 1, maxLength: 10 }), (readings) => {
          const steps = stepsOf(readings, name);
          const first = flows(readings).slice(0, 1);
          let stream = play(plan, first);
          steps.forEach((step, index) => {
            stream = take(stream, step);
            steps.slice(0, index + 1).forEach((one, place) => {
              const { after = 0 } = readings[place] ?? {};
              if (
                one.isWithdrawn &&
                (place + after === index || (index === steps.length - 1 && place + after > index))
              ) {
                stream = withdrawValue(stream, plan, one.entry);
              }
            });
          });
          const without = steps.filter(({ isWithdrawn }) => !isWithdrawn).reduce(take, play(plan, first));
          expect(phasesOf(stream)).toEqual(phasesOf(without));
        }),
        fuzzRuns,
      );
    });

    it('can be withdrawn after a restart', () => {
      const of = { value: 70, isPulse: false, deviceId: -7, flow: null, isWithdrawn: false, after: 0 } as const;
      // A value that came late was answered by the first; after a restart it must not count as the last one before.
      const answered: Reading[] = [
        { ...of, gap: 1, lateS: 0 },
        { ...of, gap: 61, lateS: 63 },
        { ...of, gap: 1_730, lateS: 0 },
        { ...of, gap: 4, lateS: 1_796 },
      ];
      fc.assert(
        fc.property(fc.array(reading, { minLength: 1, maxLength: 8 }), (readings) => {
          const steps = stepsOf(readings, name);
          const stream = steps.reduce(take, createStream(plan));
          const stored = storedStream.parse(JSON.parse(JSON.stringify(storedStreamOf(name, toKeep(stream)))));
          const kept: StreamState = streamStateOf(name, plan, stored);
          const values = steps.map(({ entry, now }) => ({ entry, receivedAt: now }));
          const resumed = resumeStream(plan, kept, values, []);
          const wrong = steps.filter(({ isWithdrawn }) => isWithdrawn).map(({ entry }) => entry);
          expect(phasesOf(withdrawAll(plan, resumed, wrong))).toEqual(phasesOf(withdrawAll(plan, stream, wrong)));
        }),
        { numRuns: 100, examples: [[answered]] },
      );
    });
  });
});

describe('an acceptance', () => {
  const start = 1_000 * minute;
  const accepted = { is: 'accepted', by: 7, at: start - minute, unitId: 1 } as const;
  const away = { start, isAssigned: false, isAnyoneElseAssigned: true };
  const holder: Holder = { isActive: true, isSignedIn: true, canSee: true, coversUnit: true, unitId: 1, shift: null };
  const at = (more: Partial<Holder>, now = start + 30 * minute, of = accepted) =>
    releaseOf(of, { ...holder, ...more }, now);

  it.each([
    ['lasts while its holder is here', {}, null],
    ['ends when its holder is disabled', { isActive: false, canSee: false }, 'disabled'],
    ['ends when its holder has no session left', { isSignedIn: false, canSee: false }, 'signed_out'],
    ['ends when its holder can no longer see the patient', { canSee: false }, 'out_of_reach'],
    ['ends when the patient moves to a unit that its holder does not cover', { unitId: 2, coversUnit: false }, 'moved'],
    ['lasts when the patient moves to a unit that its holder covers', { unitId: 2 }, null],
    ['lasts in a unit that its holder never covered', { coversUnit: false }, null],
    ['lasts when the patient leaves all units', { unitId: null, coversUnit: false }, null],
    ['ends in a shift that has others', { shift: away }, 'previous_shift'],
    ['lasts in a shift that has its holder', { shift: { ...away, isAssigned: true } }, null],
    ['lasts in a shift that has no one', { shift: { ...away, isAnyoneElseAssigned: false } }, null],
  ])('%s', (_, more, expected) => {
    expect(at(more)).toBe(expected);
  });

  it('lasts for the first half hour of a shift, and if it was given in it', () => {
    expect(at({ shift: away }, start + 30 * minute - 1)).toBeNull();
    expect(releaseOf({ ...accepted, at: start }, { ...holder, shift: away }, start + 60 * minute)).toBeNull();
  });
});

describe('withVersion', () => {
  const nurse = 7;
  const other = 8;

  const life = () => createLife().take(high);
  const versionOf = ({ alert }: { alert: Alert | null }): number => alert?.version ?? 0;

  describe('the version of an alert', () => {
    it('begins with 1 and stays while time passes, steps are asked, and users pause or cannot come', () => {
      const alert = life();
      alert.wait(10 * minute);
      alert.act((one, at) => pauseAudio(one, nurse, minute, at)).act((one, at) => reject(one, other, 'busy', at));
      expect(alert.events.map(({ is }) => is)).toContain('asked');
      expect(versionOf(alert)).toBe(1);
    });

    it('grows when a user asks another to take it, and not when the one who was asked cannot come', () => {
      const alert = life().act((one, at) => reassign(one, nurse, other, at));
      expect(versionOf(alert)).toBe(2);
      alert.wait(1_000).act((one, at) => reject(one, other, 'busy', at));
      expect(alert.alert?.reassigned).toBeNull();
      expect(versionOf(alert)).toBe(2);
    });

    it.each([
      ['acknowledges', (alert: Alert, at: number) => acknowledge(alert, nurse, at)],
      ['accepts', (alert: Alert, at: number) => accept(alert, nurse, 1, at)],
      ['takes', (alert: Alert, at: number) => take(alert, nurse, { unitId: 1 }, at)],
      ['resolves', (alert: Alert, at: number) => resolve(alert, nurse, { is: 'artefact', note: '' }, at)],
    ])('grows when a user %s it, and once', (_, action) => {
      expect(versionOf(life().wait(1_000).act(action).wait(5_000))).toBe(2);
    });

    it('grows when the condition ends, begins again, gets worse within a priority, and becomes milder', () => {
      const alert = createLife().take(middle);
      const versions = [versionOf(alert)];
      for (const tier of [high, worst, null, high]) {
        versions.push(versionOf(alert.wait(minute).take(tier)));
      }
      versions.push(versionOf(createLife().take(middle).wait(minute).take(mild)));
      expect(versions).toEqual([1, 2, 3, 4, 5, 2]);
    });
  });

  describe('an action for a version', () => {
    const seen = (alert: Alert, version: number, by: number, at: number) =>
      onVersion(alert, { version, by, is: 'acknowledged' }, at, (one, now) => acknowledge(one, by, now));

    it('is refused for another version, and for a closed alert', () => {
      const alert = life().wait(minute).take(worst);
      expect(alert.act((one, at) => seen(one, 1, nurse, at)).refused).toBe('alert_changed');
      expect(alert.alert?.acknowledged).toBeNull();
      alert.take(null).act((one, at) => seen(one, 3, nurse, at));
      expect(alert.alert?.closed).not.toBeNull();
      expect(alert.act((one, at) => seen(one, 4, other, at)).refused).toBe('alert_closed');
    });

    it('is done once if its user sends it again, also after it closed the alert', () => {
      const alert = life().wait(minute).take(null);
      const { version = 0 } = alert.alert ?? {};
      alert.act((one, at) => seen(one, version, nurse, at));
      const lines = alert.events.length;
      expect(alert.act((one, at) => seen(one, version, nurse, at)).refused).toBeNull();
      expect(alert.events).toHaveLength(lines);
      expect(alert.act((one, at) => seen(one, version, other, at)).refused).toBe('alert_closed');
    });

    it('is done again if its user was asked by name since', () => {
      const once = life().act((one, at) => seen(one, 1, nurse, at));
      const alert = { ...(once.alert as Alert), acknowledged: { by: nurse, at: -1 }, undo: null };
      const asked = alert.escalation.asked.map((step) => ({ ...step, to: { ...step.to, userIds: [nurse] } }));
      const again = { ...alert, escalation: { ...alert.escalation, asked } };
      expect(seen(alert, 2, nurse, 1)).toMatchObject({ events: [] });
      expect(seen(again, 2, nurse, 1)).toMatchObject({ events: [{ is: 'acknowledged', by: nurse, at: 1 }] });
    });
  });

  describe('an action that is taken back', () => {
    const undo = (by: number) => (alert: Alert, at: number) => withdraw(alert, by, at);

    it('is refused to another user, after 15 s, and when something happened', () => {
      const taken = () => life().act((one, at) => take(one, nurse, { unitId: 1 }, at));
      expect(taken().act(undo(other)).refused).toBe('undo_by_somebody_else');
      expect(taken().jump(15_001).act(undo(nurse)).refused).toBe('undo_too_late');
      expect(taken().take(worst).act(undo(nurse)).refused).toBe('alert_changed');
      expect(
        taken()
          .act((one, at) => pauseAudio(one, other, minute, at))
          .act(undo(nurse)).refused,
      ).toBe('alert_changed');
      expect(taken().wait(15_000).act(undo(nurse)).refused).toBeNull();
      expect(life().act(undo(nurse)).refused).toBe('alert_changed');
    });

    it('is refused once a first reading was confirmed since', () => {
      const taken = life().act((one, at) => take(one, nurse, { unitId: 1 }, at)).alert;
      const { undo: done = null } = taken ?? {};
      if (taken === null || done === null) {
        throw new Error('It was not taken');
      }
      const before = { ...done.before, unconfirmedUntil: 5_000 };
      const waits = { ...taken, unconfirmedUntil: 5_000, undo: { ...done, before } };
      expect(typeof withdraw(waits, nurse, 4_999)).toBe('object');
      expect(withdraw(waits, nurse, 5_000)).toBe('alert_changed');
      expect(withdraw({ ...waits, unconfirmedUntil: null }, nurse, 4_999)).toBe('alert_changed');
    });

    it('leaves the acknowledgement of another user, and takes no part of a take back alone', () => {
      const alert = life()
        .act((one, at) => acknowledge(one, other, at))
        .act((one, at) => take(one, nurse, { unitId: 1 }, at))
        .act(undo(nurse));
      expect(alert.alert).toMatchObject({ acknowledged: { by: other }, responsibility: null });
      expect(alert.events.map(({ is }) => is)).not.toContain('acknowledgement_withdrawn');
      const both = life()
        .act((one, at) => take(one, nurse, { unitId: 1 }, at))
        .act(undo(nurse));
      expect(both.alert).toMatchObject({ acknowledged: null, responsibility: null });
    });
  });

  describe('an alert that another user is asked to take', () => {
    it('asks the next step if no one answers in the first step’s time, and keeps its owner', () => {
      const alert = life()
        .act((one, at) => take(one, nurse, { unitId: 1 }, at))
        .act((one, at) => reassign(one, nurse, other, at));
      const { step = 0 } = alert.alert?.escalation ?? {};
      expect(alert.wait(minute - 1_000).alert?.escalation.step).toBe(step);
      expect(alert.wait(1_000).alert).toMatchObject({ escalation: { step: step + 1 }, responsibility: { by: nurse } });
    });

    it('refuses to ask the user who asks, or who has it', () => {
      const alert = life().act((one, at) => accept(one, other, 1, at));
      expect(alert.act((one, at) => reassign(one, nurse, nurse, at)).refused).toBe('cannot_be_asked');
      expect(alert.act((one, at) => reassign(one, nurse, other, at)).refused).toBe('cannot_be_asked');
    });
  });
});
