import fc from 'fast-check';
import { fuzzRuns } from '../../test/fuzzRuns';
import { createWithAlerts, evaluateSample, raiseHeld, type RuleStateWithAlerts } from '../../test/ruleStateWithAlerts';
import { activeRule, current, entryOf, planOf, play, settingOf, start, steady } from '../../test/stream';
import { hasSignal, kinds, type VitalKind, vitalKinds } from '../vitals/kinds';
import { type Alert, isOpen } from './alert';
import { type ContinuousRuleId, continuousRules, type Spo2Scale } from './continuousRules';
import { type Active, type Episode, nextEpisode } from './episode';
import { isBeyondAll, isBeyondAny } from './limit';
import type { Parameter } from './parameters';
import type { Entry } from './plan';
import { isMoreUrgent } from './priority';
import { quantile } from './quantile';
import { plansOf, type RuleSample } from './ruleState';
import { storedStream, storedStreamOf, streamStateOf } from './storedStream';
import { createStream, episodesOf, takeEntriesOfStream } from './stream';
import { planOf as planOf2, type StreamName, streamNames, streams, trendKinds } from './streams';
import {
  canEvaluateTrends,
  evaluateBattery,
  evaluateDeviceClock,
  evaluateGateway,
  evaluateMonitor,
  evaluateSignals,
  type Signal,
} from './technicalRules';
import { createWindow, type Order, takeEntries, takeEntry, type Window } from './window';

describe('continuousRules', () => {
  interface Edge {
    rule: ContinuousRuleId;
    scale: Spo2Scale;
    kind: VitalKind;
    stream: StreamName;
    parameter: Parameter;
    /** The last value that violates the rule and the first that does not. */
    violates: number;
    fits: number;
    delayS: number;
    /** What is active before the delay is over: no milder tier is sooner. */
    clears: number;
    clearsNot: number;
    holdS: number;
  }

  const spo2 = { kind: 'spo2', stream: 'oxygenation', parameter: 'spo2' } as const;
  const heart = { kind: 'heartRate', stream: 'rate', parameter: 'rate' } as const;
  const pulse = { kind: 'pulseRate', stream: 'rate', parameter: 'rate' } as const;

  const spo2Edges: Edge[] = [
    { ...spo2, rule: 'spo2.desat', scale: 1, violates: 77, fits: 78, delayS: 1, clears: 90, clearsNot: 89, holdS: 30 },
    { ...spo2, rule: 'spo2.desat', scale: 2, violates: 74, fits: 75, delayS: 1, clears: 87, clearsNot: 86, holdS: 30 },
    { ...spo2, rule: 'spo2.low', scale: 1, violates: 87, fits: 88, delayS: 15, clears: 90, clearsNot: 89, holdS: 30 },
    { ...spo2, rule: 'spo2.low', scale: 2, violates: 84, fits: 85, delayS: 15, clears: 87, clearsNot: 86, holdS: 30 },
    {
      ...spo2,
      rule: 'spo2.below',
      scale: 1,
      violates: 91,
      fits: 92,
      delayS: 300,
      clears: 93,
      clearsNot: 92,
      holdS: 60,
    },
    {
      ...spo2,
      rule: 'spo2.below',
      scale: 2,
      violates: 87,
      fits: 88,
      delayS: 300,
      clears: 88,
      clearsNot: 87,
      holdS: 60,
    },
    { ...spo2, rule: 'spo2.mild', scale: 1, violates: 93, fits: 94, delayS: 900, clears: 94, clearsNot: 93, holdS: 60 },
  ];

  const rateEdges = [heart, pulse].flatMap((rate): Edge[] => [
    { ...rate, rule: 'hr.extreme', scale: 1, violates: 40, fits: 41, delayS: 15, clears: 45, clearsNot: 44, holdS: 30 },
    {
      ...rate,
      rule: 'hr.extreme',
      scale: 1,
      violates: 150,
      fits: 149,
      delayS: 15,
      clears: 145,
      clearsNot: 146,
      holdS: 30,
    },
    {
      ...rate,
      rule: 'hr.high',
      scale: 1,
      violates: 131,
      fits: 130,
      delayS: 60,
      clears: 125,
      clearsNot: 126,
      holdS: 60,
    },
    { ...rate, rule: 'hr.low', scale: 1, violates: 45, fits: 46, delayS: 60, clears: 50, clearsNot: 49, holdS: 60 },
    {
      ...rate,
      rule: 'hr.fast',
      scale: 2,
      violates: 111,
      fits: 110,
      delayS: 600,
      clears: 105,
      clearsNot: 106,
      holdS: 60,
    },
  ]);

  const edges: Edge[] = [
    ...spo2Edges,
    ...rateEdges,
    {
      kind: 'perfusionIndex',
      stream: 'perfusion',
      parameter: 'perfusion',
      rule: 'signal.perfusion',
      scale: 1,
      violates: 0.2,
      fits: 0.3,
      delayS: 60,
      clears: 0.3,
      clearsNot: 0.2,
      holdS: 60,
    },
  ];

  it('tries every rule about a value at its limits: on oxygen below, all others here', () => {
    const tried = Object.entries(continuousRules).flatMap(([id, facts]) =>
      facts.input === 'value' && !('onOxygen' in facts) ? [id] : [],
    );
    expect([...new Set<string>(edges.map(({ rule }) => rule))].sort()).toEqual(tried.sort());
  });

  describe.each(edges)('$rule of $kind, scale $scale, at $violates', (edge) => {
    const { rule, scale, kind, stream, parameter, delayS, holdS } = edge;
    const plan = planOf(stream, settingOf({ scale }));
    const { priority } = continuousRules[rule];
    const isRaised = (entries: ReturnType<typeof steady>): boolean => {
      const state = play(plan, entries);
      const place = plan.groups.findIndex((group) => group.parameter === parameter);
      const rules = plan.groups[place]?.rules ?? [];
      const states = state.head.state.groups[place]?.states ?? [];
      return states.some(({ phase }, index) => phase === 'active' && rules[index % rules.length]?.id === rule);
    };
    const raised = steady(stream, kind, edge.violates, 0, delayS);

    it('is raised when its delay is over and not a second before', () => {
      expect(isRaised(steady(stream, kind, edge.violates, 0, delayS - 1))).toBe(false);
      expect(isRaised(raised)).toBe(true);
      expect(current(plan, play(plan, raised), parameter)).toMatchObject({ priority, count: 1, endedAt: null });
    });

    it('is not raised by the value next to its limit, however long', () => {
      expect(isRaised(steady(stream, kind, edge.fits, 0, 2 * delayS + 60))).toBe(false);
    });

    it('ends when the clear value has held, and not a second before', () => {
      const from = delayS + 1;
      expect(isRaised([...raised, ...steady(stream, kind, edge.clears, from, from + holdS - 1)])).toBe(true);
      expect(isRaised([...raised, ...steady(stream, kind, edge.clears, from, from + holdS)])).toBe(false);
    });

    it('does not end at the value next to the clear one, however long', () => {
      const from = delayS + 1;
      expect(isRaised([...raised, ...steady(stream, kind, edge.clearsNot, from, from + 3 * holdS + 60)])).toBe(true);
    });
  });

  describe('oxygen', () => {
    const plan = planOf('oxygenation', settingOf({ scale: 2 }));
    const air = entryOf('oxygenation', 'oxygenFlow', 0, 0);
    const onOxygen = entryOf('oxygenation', 'oxygenFlow', 0, 0.5);

    it.each([
      ['spo2.over_o2', 'medium', 97, 96, 600, 95, 96],
      ['spo2.over_o2_lo', 'low', 93, 92, 1_800, 92, 93],
    ])('%s is raised on oxygen only, after its delay', (rule, priority, violates, fits, delayS, clears, clearsNot) => {
      const last = (entries: ReturnType<typeof steady>): string => activeRule(plan, play(plan, entries), 'spo2');
      expect(last([onOxygen, ...steady('oxygenation', 'spo2', violates, 0, delayS - 1)])).toBe('none');
      const raised = [onOxygen, ...steady('oxygenation', 'spo2', violates, 0, delayS)];
      expect(last(raised)).toBe(`${priority} ${rule}`);
      expect(last([onOxygen, ...steady('oxygenation', 'spo2', fits, 0, delayS)])).toBe('none');
      expect(last([air, ...steady('oxygenation', 'spo2', violates, 0, delayS)])).toBe('none');
      expect(last(steady('oxygenation', 'spo2', violates, 0, delayS))).toBe('none');
      const from = delayS + 1;
      expect(last([...raised, ...steady('oxygenation', 'spo2', clearsNot, from, from + 120)])).toBe(
        `${priority} ${rule}`,
      );
      expect(last([...raised, ...steady('oxygenation', 'spo2', clears, from, from + 60)])).not.toBe(
        `${priority} ${rule}`,
      );
    });

    it('is over when the patient breathes air, whatever the value', () => {
      const raised = [onOxygen, ...steady('oxygenation', 'spo2', 99, 0, 600)];
      const after = [
        ...raised,
        entryOf('oxygenation', 'oxygenFlow', 601, 0),
        ...steady('oxygenation', 'spo2', 99, 602, 662),
      ];
      expect(activeRule(plan, play(plan, after), 'spo2')).toBe('none');
    });

    it('does not raise anything on scale 1', () => {
      const first = planOf('oxygenation', settingOf({ scale: 1 }));
      expect(activeRule(first, play(first, [onOxygen, ...steady('oxygenation', 'spo2', 99, 0, 3_600)]), 'spo2')).toBe(
        'none',
      );
    });

    it('that was measured before what is known changes nothing', () => {
      const old = entryOf('oxygenation', 'oxygenFlow', 10, 0, { measuredAt: onOxygen.at - 1 });
      expect(activeRule(plan, play(plan, [onOxygen, old, ...steady('oxygenation', 'spo2', 97, 11, 611)]), 'spo2')).toBe(
        'medium spo2.over_o2',
      );
    });
  });

  describe('the bands', () => {
    /** The priority that a value gets when it lasts: what the table of clinical.md section 2.4 says about each. */
    const expected = (scale: Spo2Scale, value: number, onOxygen: boolean): string => {
      if (scale === 1) {
        return value < 88 ? 'high' : value <= 91 ? 'medium' : value <= 93 ? 'low' : 'none';
      }
      if (value < 85) {
        return 'high';
      }
      if (value <= 87) {
        return 'medium';
      }
      return !onOxygen || value <= 92 ? 'none' : value <= 96 ? 'low' : 'medium';
    };

    it.each([
      [1, false],
      [1, true],
      [2, false],
      [2, true],
    ] as const)('of SpO2 leave no value out on scale %d (on oxygen: %s)', (scale, isOnOxygen) => {
      const plan = planOf('oxygenation', settingOf({ scale, everyMs: 30_000 }));
      for (let value = 1; value <= 100; value += 1) {
        const flow = entryOf('oxygenation', 'oxygenFlow', 0, isOnOxygen ? 2 : 0);
        const state = play(plan, [flow, ...steady('oxygenation', 'spo2', value, 0, 3_600, 30)]);
        expect([value, current(plan, state, 'spo2')?.priority ?? 'none']).toEqual([
          value,
          expected(scale, value, isOnOxygen),
        ]);
      }
    });

    it('of the rates leave no value out', () => {
      const plan = planOf('rate', settingOf({ everyMs: 30_000 }));
      for (let value = 0; value <= kinds.heartRate.plausible.max; value += 1) {
        const priority =
          value <= 40 || value >= 150 ? 'high' : value <= 45 || value >= 131 ? 'medium' : value >= 111 ? 'low' : 'none';
        const state = play(plan, steady('rate', 'heartRate', value, 0, 1_200, 30));
        expect([value, current(plan, state, 'rate')?.priority ?? 'none']).toEqual([value, priority]);
      }
    });

    it('and the values that end them never overlap: nothing violates a rule and ends it', () => {
      const both: [string, number][] = [];
      for (const [id, facts] of Object.entries(continuousRules)) {
        for (const limits of [facts.limits[1], facts.limits[2]]) {
          for (let tenths = 0; limits !== null && limits.clear.length > 0 && tenths <= 3_000; tenths += 1) {
            const value = tenths / 10;
            if (isBeyondAny(limits.raise, value) && isBeyondAll(limits.clear, value)) {
              both.push([id, value]);
            }
          }
        }
      }
      expect(both).toEqual([]);
    });

    it('stand in the tables from the most urgent to the least', () => {
      const order = { high: 0, medium: 1, low: 2 };
      for (const { groups } of Object.values(streams)) {
        for (const { rules } of groups) {
          const urgency = rules.map((id) => order[continuousRules[id].priority]);
          expect(urgency).toEqual([...urgency].sort((a, b) => a - b));
        }
      }
    });
  });
});

describe('stepRule', () => {
  const plan = planOf('oxygenation', settingOf());
  const of = (value: number, from: number, until = from): Entry[] => steady('oxygenation', 'spo2', value, from, until);
  const after = (...parts: Entry[][]): string => activeRule(plan, play(plan, parts.flat()), 'spo2');

  describe('a rule’s timer', () => {
    it.each([
      ['survives five seconds within the limit', [of(87, 0, 4), of(88, 5, 9), of(87, 10, 15)], 'high spo2.low'],
      ['begins again after more', [of(87, 0, 4), of(88, 5, 10), of(87, 11, 25)], 'none'],
      ['and then needs its whole delay', [of(87, 0, 4), of(88, 5, 10), of(87, 11, 26)], 'high spo2.low'],
      ['tells only of a value that violates', [of(87, 0, 14), of(88, 15, 18)], 'none'],
      ['runs on through ten seconds of silence', [of(87, 0, 5), of(87, 15)], 'high spo2.low'],
      ['does not count a longer silence', [of(87, 0, 5), of(87, 16, 24)], 'none'],
      ['and goes on after it', [of(87, 0, 5), of(87, 16, 26)], 'high spo2.low'],
      ['is held for up to thirty seconds', [of(87, 0, 5), of(87, 35, 45)], 'high spo2.low'],
      ['is cancelled by more than thirty seconds of silence', [of(87, 0, 5), of(87, 36, 50)], 'none'],
      ['and then begins again', [of(87, 0, 5), of(87, 36, 51)], 'high spo2.low'],
      ['needs two values for a desaturation', [of(77, 0)], 'none'],
      ['needs them in a row', [of(77, 0), of(88, 1), of(77, 2)], 'none'],
      ['needs no more than two', [of(77, 0, 1)], 'high spo2.desat'],
    ])('%s', (_, parts, expected) => {
      expect(after(...parts)).toBe(expected);
    });
  });

  describe('a saw-tooth (section 00, A8)', () => {
    /** Repeats a low and a better value, each for some seconds, until some second; `every` seconds a value. */
    const saw = (
      [low, lowS]: readonly [number, number],
      [better, betterS]: readonly [number, number],
      until: number,
      every = 1,
      kind: 'spo2' | 'heartRate' = 'spo2',
    ): Entry[] =>
      steady(kind === 'spo2' ? 'oxygenation' : 'rate', kind, low, 0, until, every).map((entry) => ({
        ...entry,
        value: ((entry.at - start) / 1_000) % (lowS + betterS) < lowS ? low : better,
      }));

    it.each([
      ['86 for 14 s, 88 for 6 s', saw([86, 14], [88, 6], 119), 'none'],
      ['86 for 14 s, 88 for 6 s', saw([86, 14], [88, 6], 121), 'high spo2.low'],
      ['80 for 10 s, 92 for 6 s', saw([80, 10], [92, 6], 119), 'none'],
      ['80 for 10 s, 92 for 6 s', saw([80, 10], [92, 6], 129), 'high spo2.low'],
      ['87 for 14 s, 97 for 9 s', saw([87, 14], [97, 9], 139), 'high spo2.low'],
      ['87 for 14 s, 97 for 10 s: less than 60 %', saw([87, 14], [97, 10], 600), 'none'],
      ['two of 87 and one of 90, each 10 s', saw([87, 20], [90, 10], 130, 10), 'high spo2.low'],
      [
        'a fifth of the time without a value',
        saw([86, 14], [88, 6], 121).filter((_, at) => at < 40 || at > 62),
        'high',
      ],
      ['more than a fifth without one', saw([86, 14], [88, 6], 121).filter((_, at) => at < 40 || at > 66), 'none'],
    ])('of %s', (_, entries, expected) => {
      expect(after(entries)).toContain(expected);
    });

    it('of a rate counts one direction alone', () => {
      const rates = planOf('rate', settingOf());
      const rateAfter = (entries: Entry[]): string => activeRule(rates, play(rates, entries), 'rate');
      expect(rateAfter(saw([38, 14], [60, 6], 121, 1, 'heartRate'))).toBe('high hr.extreme');
      expect(rateAfter(saw([160, 14], [120, 6], 121, 1, 'heartRate'))).toBe('high hr.extreme');
      const both = saw([38, 7], [160, 7], 150, 1, 'heartRate').map((entry, at) => ({
        ...entry,
        value: at % 20 > 13 ? 60 : entry.value,
      }));
      expect(rateAfter(both)).not.toContain('high');
    });

    it('is over like any other, and needs two minutes again once its alert has ended', () => {
      const raised = play(plan, saw([86, 14], [88, 6], 121));
      const later = (entries: Entry[], s: number): Entry[] =>
        entries.map((entry) => ({ ...entry, at: entry.at + s * 1_000, measuredAt: entry.measuredAt + s * 1_000 }));
      const well = play(plan, of(97, 122, 190), raised);
      expect(activeRule(plan, well, 'spo2')).toBe('none');
      const again = (s: number): string =>
        activeRule(plan, play(plan, later(saw([86, 14], [88, 6], s), 191), well), 'spo2');
      expect([again(119), again(121)]).toEqual(['none', 'high spo2.low']);
    });

    it('goes on over a restart, and is forgotten two minutes after its last low value', () => {
      const half = play(plan, saw([86, 14], [88, 6], 60));
      const kept = streamStateOf(
        'oxygenation',
        plan,
        storedStream.parse(JSON.parse(JSON.stringify(storedStreamOf('oxygenation', half.head.state)))),
      );
      expect(kept.groups).toEqual(half.head.state.groups);
      expect(episodesOf(play(plan, of(97, 61, 181), half))).toEqual([null, null]);
      expect(play(plan, of(97, 61, 181), half).head.state.groups.every(({ isCalm }) => isCalm)).toBe(true);
    });
  });

  describe('a condition', () => {
    const low = of(87, 0, 15);

    it.each([
      ['does not end while nothing comes', [low, of(87, 4_000)], 'high spo2.low'],
      [
        'does not end when the clear value is interrupted',
        [low, of(90, 16, 45), of(89, 46), of(90, 47, 76)],
        'high spo2.low',
      ],
      ['ends when it then holds', [low, of(90, 16, 45), of(89, 46), of(94, 47, 77)], 'none'],
      ['does not count a silence as recovery', [low, of(95, 16), of(95, 47)], 'high spo2.low'],
      ['ends after it when the clear value holds again', [low, of(95, 16), of(95, 47, 77)], 'none'],
    ])('%s', (_, parts, expected) => {
      expect(after(...parts)).toBe(expected);
    });

    it('is not ended by values that the device doubts', () => {
      const doubtful = of(97, 16, 200).map((entry) => ({ ...entry, isDoubtful: true }));
      expect(after(low, doubtful)).toBe('high spo2.low');
    });

    it('is raised by values that the device doubts: they may be true', () => {
      expect(after(of(87, 0, 15).map((entry) => ({ ...entry, isDoubtful: true })))).toBe('high spo2.low');
    });

    it('becomes milder instead of ending while a milder tier is violated', () => {
      expect(after(low, of(91, 16, 46))).toBe('medium spo2.below');
      expect(after(low, of(91, 16, 46), of(93, 47, 107))).toBe('low spo2.mild');
      expect(after(low, of(91, 16, 46), of(93, 47, 107), of(94, 108, 168))).toBe('none');
    });

    it('is one alert with the tiers that fold into it', () => {
      const [episode] = episodesOf(play(plan, [of(87, 0, 30), of(77, 31, 40), of(89, 41, 50)].flat()));
      expect(episode).toEqual({
        rule: 'spo2.desat',
        priority: 'high',
        startedAt: start + 15_000,
        count: 1,
        since: start + 15_000,
        endedAt: null,
        lowest: 77,
        highest: 89,
        source: 1,
        unconfirmedUntil: null,
        side: 'low',
      });
    });

    it('that begins again within five minutes joins the episode before it', () => {
      const ended = [...low, ...of(95, 16, 46)];
      const end = 46;
      const again = (from: number): unknown =>
        episodesOf(play(plan, [...ended, ...of(95, end + 1, from - 1), ...of(87, from, from + 15)]))[0];
      expect(again(end + 300 - 15)).toMatchObject({
        startedAt: start + 15_000,
        count: 2,
        since: start + (end + 300) * 1_000,
        endedAt: null,
      });
      expect(again(end + 301 - 15)).toMatchObject({ startedAt: start + (end + 301) * 1_000, count: 1 });
    });
  });

  describe('a feed of ten minutes', () => {
    const slow = planOf('oxygenation', settingOf({ everyMs: 600_000 }));
    const at = (values: readonly number[]): Entry[] =>
      values.map((value, index) => entryOf('oxygenation', 'spo2', index * 600, value));
    const each = (...values: number[]): string => activeRule(slow, play(slow, at(values)), 'spo2');

    it('needs two values in a row for a milder rule whose delay is shorter', () => {
      expect(each(90)).toBe('none');
      expect(each(90, 94, 90)).toBe('none');
      expect(each(90, 90)).toBe('medium spo2.below');
    });

    it('ends it with two clear values in a row', () => {
      expect(each(90, 90, 95)).toBe('medium spo2.below');
      expect(each(90, 90, 95, 95)).toBe('none');
    });

    it('that was said to be fast is not silenced by its own gaps', () => {
      expect(activeRule(plan, play(plan, at([87])), 'spo2')).toBe('none');
      expect(activeRule(plan, play(plan, at([87, 87])), 'spo2')).toBe('high spo2.low');
      expect(activeRule(plan, play(plan, at([90, 90, 90])), 'spo2')).toBe('medium spo2.below');
    });
  });

  describe('a feed of a minute', () => {
    const slow = planOf('oxygenation', settingOf({ everyMs: 60_000 }));
    const each = (...values: number[]): string =>
      activeRule(
        slow,
        play(
          slow,
          values.map((value, index) => entryOf('oxygenation', 'spo2', index * 60, value)),
        ),
        'spo2',
      );

    it('needs the delay of a milder rule if that is longer', () => {
      expect(each(90, 90, 90, 90, 90)).toBe('none');
      expect(each(90, 90, 90, 90, 90, 90)).toBe('medium spo2.below');
    });
  });

  describe('the quality of a signal', () => {
    const doubt = (entries: Entry[]): Entry[] => entries.map((entry) => ({ ...entry, isDoubtful: true }));
    const quality = (...parts: Entry[][]): string => activeRule(plan, play(plan, parts.flat()), 'spo2Quality');

    it('is raised when the device doubts it for a minute, and not a second before', () => {
      expect(quality(doubt(of(97, 0, 59)))).toBe('none');
      expect(quality(doubt(of(97, 0, 60)))).toBe('low signal.poor');
    });

    it('is good again after half a minute', () => {
      expect(quality(doubt(of(97, 0, 60)), of(97, 61, 90))).toBe('low signal.poor');
      expect(quality(doubt(of(97, 0, 60)), of(97, 61, 91))).toBe('none');
    });
  });

  describe('two sources of a rate', () => {
    const rate = planOf('rate', settingOf());
    const both = (heart: number, pulse: number, until: number): Entry[] =>
      steady('rate', 'heartRate', heart, 0, until).flatMap((entry, second) => [
        entry,
        entryOf('rate', 'pulseRate', second, pulse),
      ]);

    it('are judged each by itself and raise one alert', () => {
      const state = play(rate, both(155, 155, 15));
      expect(activeRule(rate, state, 'rate')).toBe('high hr.extreme');
      expect(episodesOf(state).filter((episode) => episode !== null)).toHaveLength(1);
    });

    it('raise at most MEDIUM by the oximeter while the ECG is live and within the HIGH limits', () => {
      expect(activeRule(rate, play(rate, both(75, 155, 200)), 'rate')).toBe('medium hr.extreme');
      expect(activeRule(rate, play(rate, both(80, 30, 200)), 'rate')).toBe('medium hr.extreme');
      expect(activeRule(rate, play(rate, both(41, 30, 15)), 'rate')).toBe('medium hr.extreme');
      expect(activeRule(rate, play(rate, both(40, 30, 15)), 'rate')).toBe('high hr.extreme');
      expect(activeRule(rate, play(rate, both(149, 155, 15)), 'rate')).toBe('medium hr.extreme');
    });

    it('raise HIGH by the oximeter when the ECG is gone, or doubts its own rate', () => {
      const later = (until: number): Entry[] => [...both(80, 30, 20), ...steady('rate', 'pulseRate', 30, 21, until)];
      expect(activeRule(rate, play(rate, later(30)), 'rate')).toBe('medium hr.extreme');
      expect(activeRule(rate, play(rate, later(31)), 'rate')).toBe('high hr.extreme');
      const doubted = both(80, 30, 20).map((entry) => (entry.value === 80 ? { ...entry, isDoubtful: true } : entry));
      expect(activeRule(rate, play(rate, doubted), 'rate')).toBe('high hr.extreme');
    });

    it('raise HIGH by the ECG whatever the oximeter shows', () => {
      expect(activeRule(rate, play(rate, both(30, 80, 15)), 'rate')).toBe('high hr.extreme');
    });

    it('end conditions of the other when it is off: after 30 s of silence and 30 s of the clear value', () => {
      const later = (until: number): Entry[] => [...both(75, 155, 15), ...steady('rate', 'heartRate', 75, 16, until)];
      expect(activeRule(rate, play(rate, later(75)), 'rate')).toBe('medium hr.extreme');
      expect(activeRule(rate, play(rate, later(76)), 'rate')).toBe('none');
    });

    it('keep the extremes of the one that raised', () => {
      expect(episodesOf(play(rate, both(75, 155, 20)))[0]).toMatchObject({ lowest: 155, highest: 155, source: 1 });
      expect(episodesOf(play(rate, both(35, 30, 20)))[0]).toMatchObject({ lowest: 35, highest: 35, source: 0 });
      const after = [...both(80, 30, 20), ...both(35, 30, 60).filter(({ at }) => at > start + 20_000)];
      expect(episodesOf(play(rate, after))[0]).toMatchObject({ priority: 'high', lowest: 30, source: 1 });
    });

    it('raise a cardiac arrest', () => {
      expect(activeRule(rate, play(rate, steady('rate', 'heartRate', 0, 0, 15)), 'rate')).toBe('high hr.extreme');
    });
  });
});

describe('the streams of a patient', () => {
  const rulesOf = (name: (typeof streamNames)[number]) => streams[name].groups.flatMap(({ rules }) => [...rules]);

  it('are all in the list by which they are evaluated, kept and loaded', () => {
    expect([...streamNames].sort()).toEqual(Object.keys(streams).sort());
  });

  it.each(Object.keys(continuousRules))('have the rule %s, which would never raise an alert otherwise', (rule) => {
    expect(streamNames.flatMap(rulesOf)).toContain(rule);
  });

  it('have each parameter once: two streams would overwrite each other’s alert', () => {
    const inStreams = streamNames.flatMap((name) => streams[name].groups.map(({ parameter }) => parameter));
    expect(inStreams).toEqual([...new Set(inStreams)]);
  });

  it.each(streamNames.flatMap((name) => streams[name].kinds.map((kind) => [kind, name] as const)))(
    'take the samples of %s into the stream %s and no other',
    (kind, name) => {
      const plans = plansOf(settingOf());
      const before = createWithAlerts(plans);
      const value = kinds[kind].signalFrom ?? kinds[kind].plausible.min;
      expect(hasSignal(kind, value)).toBe(true);
      const source = { deviceId: 1, isAssigned: true, hasStoppedStating: false };
      const sample = { kind, measuredAt: 1_000_000, ...source, value, quality: 'good' } as const;
      const { ruleState } = evaluateSample(before, plans, sample, 1_000_000, { isHeld: false });
      expect(streamNames.filter((one) => ruleState[one] !== before[one])).toEqual([name]);
    },
  );

  it('keep a day of each kind whose trend a rule evaluates', () => {
    expect(trendKinds).toEqual(['spo2', 'heartRate', 'pulseRate']);
    for (const name of streamNames) {
      const { sources } = planOf2(name, settingOf());
      expect(sources.map(({ hasTrend }) => hasTrend)).toEqual(
        streams[name].kinds.map((kind) => vitalKinds.includes(kind) && trendKinds.includes(kind)),
      );
    }
  });
});

describe('technicalRules', () => {
  const start = 1_000_000_000;
  const signalOf = (more: Partial<Signal> = {}): Signal => ({
    expectedEveryMs: 1_000,
    validAt: start,
    lastSeenAt: start,
    isUnreliable: false,
    hasStoppedStating: false,
    ...more,
  });
  const usual = { isContinuousRequired: false };

  describe('a signal that no value comes from', () => {
    const raised = (ms: number, isContinuousRequired = false): string[] =>
      evaluateSignals([signalOf()], start + ms, { isContinuousRequired }).reporting.map(
        ({ rule, priority }) => `${priority} ${rule}`,
      );

    it.each([
      [59_999, false, []],
      [60_000, false, ['low reporting.short']],
      [299_999, false, ['low reporting.short']],
      [300_000, false, ['medium reporting.medium']],
      [899_999, true, ['medium reporting.medium']],
      [900_000, true, ['high reporting.long']],
      [900_000, false, ['medium reporting.medium']],
    ])('for %d ms (must be continuous: %s) is raised as %j', (ms, isRequired, expected) => {
      expect(raised(ms, isRequired)).toEqual(expected);
    });

    it('is raised with the time at which it was due, however late the tick is', () => {
      expect(evaluateSignals([signalOf()], start + 200_000, usual).reporting).toEqual([
        { rule: 'reporting.short', priority: 'low', since: start + 60_000 },
      ]);
    });

    it('that comes once a minute is silent after four of them', () => {
      const slow = signalOf({ expectedEveryMs: 60_000 });
      expect(evaluateSignals([slow], start + 239_999, usual).reporting).toEqual([]);
      expect(evaluateSignals([slow], start + 240_000, usual).reporting).toHaveLength(1);
    });

    it('is the probe, and not silence, while the device says that it has none', () => {
      const off = signalOf({ lastSeenAt: start + 130_000 });
      expect(evaluateSignals([off], start + 131_000, usual)).toEqual({
        reporting: [],
        sensor: [{ rule: 'sensor.off', priority: 'medium', since: start + 120_000 }],
      });
    });

    it('that comes and goes is unreliable, in place of the sensor alerts', () => {
      const sensor = (ms: number, isContinuousRequired = true): string[] => {
        const flapping = signalOf({ isUnreliable: true, lastSeenAt: start + ms });
        const found = evaluateSignals([flapping], start + ms, { isContinuousRequired });
        expect(found.reporting).toEqual([]);
        return found.sensor.map(({ rule, priority }) => `${priority} ${rule}`);
      };
      expect(sensor(1_000)).toEqual(['medium sensor.unreliable']);
      expect(sensor(200_000)).toEqual(['medium sensor.unreliable']);
      expect(sensor(900_000)).toEqual(['medium sensor.unreliable', 'high sensor.long']);
    });

    it('of a device that stopped stating its quality is a LOW alert of its own', () => {
      const unstated = signalOf({ hasStoppedStating: true });
      expect(evaluateSignals([unstated], start, usual)).toMatchObject({
        reporting: [],
        sensor: [{ rule: 'sensor.unstated', priority: 'low' }],
      });
    });

    it('is silence again when the device falls silent too', () => {
      const off = signalOf({ lastSeenAt: start + 130_000 });
      expect(evaluateSignals([off], start + 140_001, usual)).toMatchObject({
        reporting: [{ priority: 'low' }],
        sensor: [],
      });
    });

    it.each([
      [29_999, undefined],
      [30_000, 'low'],
      [119_999, 'low'],
      [120_000, 'medium'],
      [899_999, 'medium'],
      [900_000, 'high'],
    ])('with the probe off for %d ms is raised as %s if it must be continuous', (ms, priority) => {
      const off = signalOf({ lastSeenAt: start + ms });
      expect(evaluateSignals([off], start + ms, { isContinuousRequired: true }).sensor[0]?.priority).toBe(priority);
    });
  });

  describe('a gateway', () => {
    it.each([
      [59_999, undefined],
      [60_000, 'medium'],
      [299_999, 'medium'],
      [300_000, 'high'],
    ])('that is silent for %d ms is raised as %s', (ms, priority) => {
      expect(evaluateGateway({ expectedEveryMs: 1_000, lastSeenAt: start }, start + ms)?.priority).toBe(priority);
    });
  });

  describe('a battery', () => {
    it.each([
      [21, null, undefined],
      [20, null, 'low'],
      [11, null, 'low'],
      [10, null, 'medium'],
      [0, null, 'medium'],
      [80, 30, undefined],
      [80, 29, 'medium'],
      [null, 29, 'medium'],
      [null, null, undefined],
    ])('at %s %% with %s min left is raised as %s', (percent, minutesLeft, priority) => {
      expect(evaluateBattery({ percent, minutesLeft }, start)?.priority).toBe(priority);
    });
  });

  describe('a clock', () => {
    it.each([
      [60_000, undefined, true],
      [60_001, 'low', true],
      [-60_001, 'low', true],
      [300_000, 'low', true],
      [300_001, 'low', false],
      [-300_001, 'low', false],
    ])('that is off by %d ms is raised as %s; trends can be evaluated: %s', (offsetMs, priority, canJudge) => {
      expect(evaluateDeviceClock(offsetMs, start)?.priority).toBe(priority);
      expect(canEvaluateTrends(offsetMs)).toBe(canJudge);
    });
  });

  describe('a monitor', () => {
    it.each([
      ['has sent nothing', null, null, null],
      ['sends values of a patient of ours', null, start, null],
      ['was refused', start, null, 'monitor.identity'],
      ['was refused after it was right', start, start - 1, 'monitor.identity'],
      ['was right in between', start, start + 59_999, 'monitor.identity'],
      ['has been right for a minute', start, start + 60_000, null],
    ])('that %s (%s, %s) is raised by %s', (_, refusedAt, takenAt, rule) => {
      const refused = refusedAt === null ? null : { at: refusedAt, reason: 'identity' as const };
      expect(evaluateMonitor({ refused, takenAt })?.rule ?? null).toBe(rule);
    });
  });
});

describe('values that arrive together', () => {
  interface Reading {
    at: number;
    value: number;
  }

  /** Folds readings into a text of them, and counts how many were folded. */
  function counted(): Order<Reading, string> & { steps: number } {
    const order = {
      steps: 0,
      step: (fold: string, { at, value }: Reading) => {
        order.steps += 1;
        return `${fold} ${at}:${value}`;
      },
      compare: (a: Reading, b: Reading) => a.at - b.at,
      isRepeat: (a: Reading, b: Reading) => a.value === b.value,
      retrospectiveAfterMs: 60_000,
      slotMs: 15_000,
    };
    return order;
  }

  const now = 1_000_000;
  const oneByOne = (window: Window<Reading, string>, readings: readonly Reading[]): Window<Reading, string> => {
    const order = counted();
    return readings.reduce((before, reading) => takeEntry(before, reading, now, order), window);
  };

  const readings = fc.array(
    fc.record({ at: fc.integer({ min: now - 70_000, max: now }), value: fc.integer({ min: 0, max: 2 }) }),
    { maxLength: 40 },
  );

  it('have the result of taking one after the other: late, twice and corrected ones too', () => {
    fc.assert(
      fc.property(readings, readings, (earlier, together) => {
        const window = oneByOne(createWindow<Reading, string>(''), earlier);
        expect(takeEntries(window, together, now, counted()).head).toBe(oneByOne(window, together).head);
      }),
    );
  });

  it('change nothing when all of them are repeats or too late', () => {
    const window = oneByOne(createWindow<Reading, string>(''), [
      { at: now - 2_000, value: 1 },
      { at: now - 1_000, value: 2 },
    ]);
    const together = [
      { at: now - 90_000, value: 5 },
      { at: now - 2_000, value: 1 },
    ];
    expect(takeEntries(window, together, now, counted())).toBe(window);
  });

  it('have the later values evaluated again once, not once for each of them', () => {
    const window = oneByOne(
      createWindow<Reading, string>(''),
      Array.from({ length: 600 }, (_, index) => ({ at: now - 60_000 + index * 100, value: 1 })),
    );
    const order = counted();
    const buffer = Array.from({ length: 500 }, (_, index) => ({ at: now - 5 - index * 100, value: 2 }));
    takeEntries(window, buffer, now, order);
    expect(order.steps).toBeLessThanOrEqual(1_100);
  });
});

describe('ruleState', () => {
  const plans = plansOf(settingOf());
  const awake = { isHeld: false };
  const held = { isHeld: true };

  const sampleOf = (second: number, value: number, more: Partial<RuleSample> = {}): RuleSample => ({
    kind: 'spo2',
    measuredAt: start + second * 1_000,
    deviceId: 1,
    isAssigned: false,
    hasStoppedStating: false,
    value,
    quality: 'good',
    ...more,
  });
  const low = (from: number, until: number, more: Partial<RuleSample> = {}): RuleSample[] =>
    Array.from({ length: until - from + 1 }, (_, index) => sampleOf(from + index, 86, more));
  const play = (
    samples: readonly RuleSample[],
    how = awake,
    from: RuleStateWithAlerts = createWithAlerts(plans),
  ): { ruleState: RuleStateWithAlerts; log: string[] } =>
    samples.reduce<{ ruleState: RuleStateWithAlerts; log: string[] }>(
      ({ ruleState, log }, sample) => {
        const after = evaluateSample(ruleState, plans, sample, sample.measuredAt, how);
        return {
          ruleState: after.ruleState,
          log: [...log, ...after.events.map(({ parameter, event }) => `${parameter} ${event.is}`)],
        };
      },
      { ruleState: from, log: [] },
    );

  describe('takeSample', () => {
    it.each([
      ['a signal that the device calls invalid', low(0, 60, { quality: 'invalid' })],
      ['no signal', low(0, 60, { value: 0 })],
      ['a pulse that no oximeter can see', low(0, 60, { kind: 'pulseRate', value: 19 })],
      ['a kind that has no continuous rules', low(0, 60, { kind: 'temperature', value: 41 })],
    ])('raises nothing for %s', (_, samples) => {
      const { ruleState, log } = play(samples);
      expect([ruleState.alerts, log]).toEqual([{}, []]);
      expect(streamNames.flatMap((name) => episodesOf(ruleState[name])).every((episode) => episode === null)).toBe(
        true,
      );
    });

    it('withdraws what rested on values that the device calls invalid afterwards', () => {
      const raised = play(low(0, 15));
      expect(raised.log).toEqual(['spo2 raised']);
      const corrected = low(0, 15).map((sample) => ({ ...sample, quality: 'invalid' as const }));
      const now = start + 16_000;
      const events = corrected.reduce<{ ruleState: RuleStateWithAlerts; log: string[] }>(
        ({ ruleState, log }, sample) => {
          const after = evaluateSample(ruleState, plans, sample, now, awake);
          return { ruleState: after.ruleState, log: [...log, ...after.events.map(({ event }) => event.is)] };
        },
        { ruleState: raised.ruleState, log: [] },
      );
      expect(events.log).toEqual(['withdrawn']);
    });

    it('raises nothing for values that are too late, and keeps the same state', () => {
      const { ruleState } = play([sampleOf(100, 97)]);
      const late = sampleOf(39, 70);
      expect(evaluateSample(ruleState, plans, late, start + 100_000, awake).ruleState).toBe(ruleState);
    });

    it('raises an alert in the sample that ends the delay, and ends it with its clear value', () => {
      expect(play(low(0, 14)).log).toEqual([]);
      const raised = play(low(0, 15));
      expect(raised.log).toEqual(['spo2 raised']);
      expect(raised.ruleState.alerts.spo2).toMatchObject({
        rule: 'spo2.low',
        priority: 'high',
        condition: 'active',
        startedAt: start + 15_000,
      });
      const over = play(low(16, 46, { value: 95 }), awake, raised.ruleState);
      expect(over.log).toEqual(['spo2 ended']);
      expect(over.ruleState.alerts.spo2).toMatchObject({ condition: 'ended', latched: true, closed: null });
    });

    it('judges the value as it is displayed', () => {
      expect(play(low(0, 30, { value: 87.5 })).log).toEqual([]);
      expect(play(low(0, 30, { value: 87.49 })).log).toEqual(['spo2 raised']);
    });

    it('ends an ECG condition when the ECG is off and the pulse holds the clear value, and not before', () => {
      const rate = (kind: 'heartRate' | 'pulseRate', value: number, from: number, until: number): RuleSample[] =>
        low(from, until, { kind, value });
      const both = rate('heartRate', 160, 0, 20).flatMap((sample) => [
        sample,
        { ...sample, kind: 'pulseRate', value: 80 } as const,
      ]);
      const raised = play(both);
      expect(raised.log).toEqual(['rate raised']);
      // A pulse says nothing against an ECG that is still there.
      const still = rate('heartRate', 160, 21, 120).flatMap((sample) => [
        sample,
        { ...sample, kind: 'pulseRate', value: 80 } as const,
      ]);
      expect(play(still, awake, raised.ruleState).log).toEqual([]);
      // 30 s after its last value the pulse speaks for it, and its clear value has to hold for 30 s more.
      const alone = rate('pulseRate', 80, 21, 80);
      expect(play(alone, awake, raised.ruleState).log).toEqual([]);
      expect(play(rate('pulseRate', 80, 21, 81), awake, raised.ruleState).log).toEqual(['rate ended']);
      expect(play(rate('pulseRate', 148, 21, 200), awake, raised.ruleState).log).not.toContain('rate ended');
      expect(
        play(
          rate('pulseRate', 80, 21, 200).map((one) => ({ ...one, quality: 'questionable' })),
          awake,
          raised.ruleState,
        ).log,
      ).not.toContain('rate ended');
    });

    it('raises a cardiac arrest, with the pulse beside it in the same alert', () => {
      const still = low(0, 15, { kind: 'heartRate', value: 0 }).flatMap((sample) => [
        sample,
        { ...sample, kind: 'pulseRate', value: 38 } as const,
      ]);
      expect(play(still).log).toEqual(['rate raised']);
    });

    it('knows a flow of oxygen that is written down later, from then on', () => {
      const second = plansOf(settingOf({ scale: 2 }));
      const flow = sampleOf(0, 2, { kind: 'oxygenFlow', measuredAt: start - 3_600_000 });
      let ruleState = evaluateSample(createWithAlerts(second), second, flow, start, awake).ruleState;
      for (const sample of low(0, 600, { value: 98 })) {
        ruleState = evaluateSample(ruleState, second, sample, sample.measuredAt, awake).ruleState;
      }
      expect(ruleState.alerts.spo2).toMatchObject({ rule: 'spo2.over_o2', priority: 'medium' });
    });

    it('holds new alerts in standby, and raises them afterwards if the condition still lasts', () => {
      const during = play(low(0, 100), held);
      expect(during.log).toEqual([]);
      const after = raiseHeld(during.ruleState, plans, start + 101_000);
      expect(after.events.map(({ event }) => event.is)).toEqual(['raised']);
      const typed = sampleOf(101, 80, { deviceId: -7, isAssigned: false });
      expect(play([typed], held, during.ruleState).log).toEqual(['spo2 raised']);
      const recovered = play(low(101, 131, { value: 96 }), held, during.ruleState);
      expect(raiseHeld(recovered.ruleState, plans, start + 132_000).events).toEqual([]);
    });
  });

  describe('a stream', () => {
    const part = fc.record({
      kind: fc.constantFrom('spo2', 'heartRate', 'pulseRate', 'perfusionIndex'),
      place: fc.constantFrom(0, 1, 2, 3),
      seconds: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 15, max: 80 })),
    });
    const valuesOf = {
      spo2: [70, 86, 91, 97],
      heartRate: [35, 75, 135, 160],
      pulseRate: [44, 75, 120, 150],
      perfusionIndex: [0.1, 0.2, 0.3, 2],
    };
    const way = fc.infiniteStream(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.option(fc.nat(60), { freq: 4 })));

    const standing = ({ alerts }: RuleStateWithAlerts): unknown[] =>
      Object.values(alerts)
        .filter((alert: Alert) => alert.condition === 'active')
        .map(({ parameter, since }) => ({ parameter, since }))
        .sort((a, b) => a.parameter.localeCompare(b.parameter));
    const episodeOf = (ruleState: RuleStateWithAlerts, parameter: Parameter): Episode | null =>
      streamNames
        .flatMap((name) =>
          plans[name].groups.map((group, index) => ({ group, of: episodesOf(ruleState[name])[index] })),
        )
        .find(({ group }) => group.parameter === parameter)?.of ?? null;
    const episodesIn = (ruleState: RuleStateWithAlerts): (Episode | null)[] =>
      streamNames.flatMap((name) => episodesOf(ruleState[name]));

    it('raises the same alerts if samples arrive shuffled, twice, delayed or in pieces', () => {
      fc.assert(
        fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), way, (parts, ways) => {
          const second = { spo2: 0, heartRate: 0, pulseRate: 0, perfusionIndex: 0 };
          const samples = parts
            .flatMap(({ kind, place, seconds }) => {
              const from = second[kind];
              second[kind] += seconds;
              return low(from, from + seconds - 1, { kind, value: valuesOf[kind][place] ?? 0 });
            })
            .sort((a, b) => a.measuredAt - b.measuredAt);
          const arrived = samples
            .flatMap((sample) => {
              const [takes, again] = ways.next().value as [number, number | null];
              const at = sample.measuredAt + takes * 1_000;
              return again === null
                ? [{ sample, at }]
                : [
                    { sample, at },
                    { sample, at: at + again * 1_000 },
                  ];
            })
            .sort((a, b) => a.at - b.at);
          const delivered = arrived.reduce(
            (ruleState, { sample, at }) => evaluateSample(ruleState, plans, sample, at, awake).ruleState,
            createWithAlerts(plans),
          );
          const ordered = samples.reduce(
            (ruleState, sample) => evaluateSample(ruleState, plans, sample, sample.measuredAt, awake).ruleState,
            createWithAlerts(plans),
          );
          expect(episodesIn(delivered)).toEqual(episodesIn(ordered));
          expect(standing(delivered)).toEqual(standing(ordered));
          for (const alert of Object.values(delivered.alerts)) {
            expect(alert.condition === 'ended' || isOpen(alert)).toBe(true);
            // A tier that flips keeps its alert at the higher priority for a while; it is never shown as milder.
            const episode = episodeOf(delivered, alert.parameter);
            const isMilder =
              alert.condition === 'active' && isMoreUrgent(episode?.priority ?? 'low', alert.conditionPriority);
            expect(isMilder).toBe(false);
          }
        }),
        { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 4) },
      );
    });
  });
});

describe('evaluatedSource', () => {
  const plan = planOf('oxygenation', settingOf());
  const monitor = { deviceId: 1, isAssigned: true };
  const other = { deviceId: 2 };
  const third = { deviceId: 3 };

  /** Returns a value a second of one device. */
  function values(value: number, from: number, until: number, more: Partial<Entry> = {}, every = 1): Entry[] {
    return Array.from({ length: Math.floor((until - from) / every) + 1 }, (_, index) =>
      entryOf('oxygenation', 'spo2', from + index * every, value, more),
    );
  }
  const off = (from: number, until: number, more: Partial<Entry> = {}): Entry[] =>
    values(0, from, until, { ...monitor, isValid: false, ...more });

  const together = (...streams: readonly Entry[][]): Entry[] =>
    streams.flat().sort((a, b) => (a.at === b.at ? a.deviceId - b.deviceId : a.at - b.at));
  const raisedBy = (entries: readonly Entry[]): string => activeRule(plan, play(plan, entries), 'spo2');

  describe('of an assigned device and another one', () => {
    it('the assigned one is evaluated while it is present', () => {
      expect(raisedBy(together(values(97, 0, 59, monitor), values(75, 0, 59, other)))).toBe('none');
      expect(raisedBy(together(values(75, 0, 300, monitor), values(97, 0, 300, other)))).toBe('high spo2.desat');
    });

    it.each([
      ['has its probe off', off(21, 60)],
      ['sends nothing more', []],
    ])('the other one is evaluated 10 s after the last valid value of an assigned one that %s', (_, more) => {
      const until = (second: number): string =>
        raisedBy(
          together(values(97, 0, 20, monitor), more, values(75, 0, second, other)).filter(
            ({ at }) => at <= start + second * 1_000,
          ),
        );
      expect(until(30)).toBe('none');
      expect(until(31)).toBe('high spo2.desat');
    });

    it('the timers of the other one count from its own first violation', () => {
      const entries = (second: number): Entry[] =>
        together(values(97, 0, 20, monitor), values(97, 0, 24, other), values(86, 25, second, other));
      expect(raisedBy(entries(39))).toBe('none');
      expect(raisedBy(entries(40))).toBe('high spo2.low');
    });

    it('the other one is evaluated at once if the assigned one has never had a value', () => {
      expect(raisedBy(together(off(0, 40), values(86, 0, 14, other)))).toBe('none');
      expect(raisedBy(together(off(0, 40), values(86, 0, 15, other)))).toBe('high spo2.low');
    });

    it('an assigned one that comes back has to clear what the other one raised, by its own hold', () => {
      const entries = (second: number): Entry[] =>
        together(
          values(97, 0, 20, monitor),
          off(21, 59),
          values(75, 0, second, other),
          values(97, 60, second, monitor),
        );
      expect(raisedBy(entries(89))).toBe('high spo2.desat');
      expect(raisedBy(entries(90))).toBe('none');
    });

    it('an assigned one that comes and goes ends nothing', () => {
      const blips = Array.from({ length: 14 }, (_, index) =>
        values(97, 60 + index * 14, 60 + index * 14, monitor),
      ).flat();
      const entries = together(
        values(97, 0, 20, monitor),
        off(21, 220).filter(({ at }) => (at - start - 60_000) % 14_000 !== 0),
        blips,
        values(75, 0, 220, other),
      );
      const stream = play(plan, entries);
      expect(activeRule(plan, stream, 'spo2')).toBe('high spo2.desat');
      expect(current(plan, stream, 'spo2')?.count).toBe(1);
    });

    it('the other one, alone now, ends what the assigned one raised before it went', () => {
      const entries = (second: number): Entry[] => together(values(80, 0, 40, monitor), values(97, 0, second, other));
      expect(raisedBy(entries(50))).toBe('high spo2.low');
      expect(raisedBy(entries(80))).toBe('high spo2.low');
      expect(raisedBy(entries(81))).toBe('none');
    });

    it('a slow assigned one is present for 1.5 times its pace, but not with 10 s of invalid values', () => {
      const slow = values(97, 0, 300, monitor, 30);
      expect(raisedBy(together(slow, values(75, 290, 345, other)))).toBe('none');
      expect(raisedBy(together(slow, values(75, 290, 346, other)))).toBe('high spo2.desat');
      expect(raisedBy(together(slow, off(301, 346), values(75, 290, 311, other)))).toBe('none');
      expect(raisedBy(together(slow, off(301, 346), values(75, 290, 312, other)))).toBe('high spo2.desat');
    });

    it('what another one did before a silence, while it did not count, is no condition', () => {
      const entries = together(values(97, 0, 100, monitor), values(75, 0, 40, other), values(97, 120, 125, other));
      expect(raisedBy(entries)).toBe('none');
    });

    /** Returns what two devices raise after some seconds, each with one value a second. */
    const doubtful = { isDoubtful: true };
    const raises = (assigned: number, second: number, s: number, [a, b]: [Partial<Entry>?, Partial<Entry>?] = []) =>
      raisedBy(together(values(assigned, 0, s, { ...monitor, ...a }), values(second, 0, s, { ...other, ...b })));

    it.each([
      ['a doubtful 97 hides no good 75', () => raises(97, 75, 1, [doubtful]), 'high spo2.desat'],
      ['nor a doubtful 97 a good 84', () => raises(97, 84, 15, [doubtful]), 'high spo2.low'],
      ['a doubtful 80 beside a good 97', () => raises(80, 97, 14, [doubtful]), 'none'],
      ['a doubtful 80 beside a good 97', () => raises(80, 97, 15, [doubtful]), 'medium spo2.disagree'],
      ['a doubtful 80 of the other one', () => raises(97, 80, 15, [undefined, doubtful]), 'medium spo2.disagree'],
      ['both doubtful', () => raises(80, 97, 15, [doubtful, doubtful]), 'high spo2.low'],
      ['97 and 72, both good', () => raises(97, 72, 59), 'none'],
      ['97 and 72, both good', () => raises(97, 72, 62), 'high spo2.desat'],
      ['96 and 86, both good', () => raises(96, 86, 62), 'high spo2.low'],
      ['97 and 90, both good', () => raises(97, 90, 60), 'medium spo2.disagree'],
      ['96 and 90 are near enough', () => raises(96, 90, 299), 'none'],
      ['100 and 92 are both well', () => raises(100, 92, 299), 'none'],
    ])('%s', (_, judged, expected) => {
      expect(judged()).toBe(expected);
    });

    it('what both raised ends when both are clear and agree, and both are judged until they agreed for 5 min', () => {
      const apart = together(values(97, 0, 90, monitor), values(72, 0, 90, other));
      const agreed = (second: number): Entry[] =>
        together(values(97, 91, second, monitor), values(96, 91, second, other));
      const until = (second: number): string => raisedBy([...apart, ...agreed(second)]);
      expect([until(120), until(121)]).toEqual(['high spo2.desat', 'none']);
      const again = (second: number): string =>
        raisedBy([...apart, ...agreed(second - 1), ...values(72, second, second + 1, other)]);
      expect([again(300), again(420)]).toEqual(['high spo2.desat', 'none']);
    });

    it('what is MEDIUM alone ends after 5 min of agreement', () => {
      const apart = together(values(97, 0, 90, monitor), values(90, 0, 90, other));
      const until = (second: number): string =>
        raisedBy([...apart, ...together(values(97, 91, second, monitor), values(96, 91, second, other))]);
      // Their medians agree 15 s later.
      expect([until(404), until(406)]).toEqual(['medium spo2.disagree', 'none']);
    });

    it('two are compared by the medians of 30 s, so that a wave of a moving hand is none', () => {
      const waves = Array.from({ length: 300 }, (_, second) =>
        values(second % 30 < 12 ? 84 : 97, second, second, other),
      ).flat();
      expect(raisedBy(together(values(97, 0, 299, monitor), waves))).toBe('none');
      const mostly = waves.map((entry) => ({ ...entry, value: entry.value === 97 ? 90 : 97 }));
      expect(raisedBy(together(values(97, 0, 299, monitor), mostly))).toBe('medium spo2.disagree');
    });
  });

  describe('of two that contradict each other until a person settles which one counts', () => {
    /** Second 70 to 670: the other one counts, and the assigned one, which reads 72, yields. */
    const settled = { counts: 2, yields: 1, at: start + 70_000, until: start + 670_000 };
    const low = (until: number): Entry[] => values(72, 0, until, monitor);
    const raisedIn = (entries: readonly Entry[]): string =>
      activeRule(plan, play({ ...plan, settled }, entries), 'spo2');
    const until = (second: number, entries: readonly Entry[]): string =>
      raisedIn(entries.filter(({ at }) => at <= start + second * 1_000));

    it('the one that yields raises nothing; what it had raised the other one has to clear', () => {
      const both = together(low(700), values(97, 0, 700, other));
      expect([69, 99, 110, 669].map((second) => until(second, both))).toEqual([
        'high spo2.desat',
        'high spo2.desat',
        'none',
        'none',
      ]);
      // Its own time has gone on: it is raised at once.
      expect(until(670, both)).toBe('high spo2.desat');
    });

    it('the one that yields keeps what it had raised after minutes', () => {
      const chosen = { ...plan, settled: { ...settled, at: start + 310_000, until: start + 400_000 } };
      const both = together(values(90, 0, 400, monitor), values(97, 0, 400, other));
      const at = (second: number): string =>
        activeRule(
          plan,
          play(
            chosen,
            both.filter((entry) => entry.at <= start + second * 1_000),
          ),
          'spo2',
        );
      expect([309, 399, 400].map(at)).toEqual(['medium spo2.below', 'none', 'medium spo2.below']);
    });

    it.each([
      ['has been silent for 10 s', [], 211],
      ['has had its probe off for 10 s', off(201, 300, { ...other, isAssigned: false }), 211],
      ['doubts its value', values(97, 201, 300, { ...other, isDoubtful: true }), 202],
      ['has a third one beside it', together(values(97, 201, 300, other), values(97, 201, 300, third)), 202],
    ] as const)('all count again at once when the one that counts %s', (_, more, second) => {
      const entries = together(low(300), values(97, 0, 200, other), [...more]);
      expect([200, second].map((at) => until(at, entries))).toEqual(['none', 'high spo2.desat']);
    });

    it('all count if one of the two sends too seldom to be a monitor', () => {
      expect(until(300, together(low(300), values(97, 0, 300, other, 30)))).toBe('high spo2.desat');
    });

    it('what a user types in counts', () => {
      const typed = values(80, 200, 200, { deviceId: -7 });
      expect(until(201, together(low(300), values(97, 0, 300, other), typed))).toBe('high spo2.low');
    });

    it('what was measured before it counts, although it arrives afterwards', () => {
      const chosen = { ...plan, settled: { counts: 1, yields: 2, at: start + 120_000, until: start + 670_000 } };
      const live = play(plan, together(values(97, 0, 120, monitor), values(90, 0, 79, other)));
      expect(activeRule(plan, live, 'spo2')).toBe('medium spo2.disagree');
      const after = takeEntriesOfStream(live, chosen, values(72, 80, 119, other), start + 121_000);
      expect(activeRule(plan, after, 'spo2')).toBe('high spo2.desat');
    });

    it('the one that counts is never raised later than if it were alone', () => {
      const part = fc.record({
        lasts: fc.integer({ min: 1, max: 45 }),
        counts: fc.constantFrom(97, 93, 91, 86, 75),
        yields: fc.constantFrom<number | 'off' | 'silent'>(97, 86, 75, 'off', 'silent'),
        isDoubtful: fc.boolean(),
      });
      fc.assert(
        fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), fc.boolean(), (parts, isAssigned) => {
          const chosen = { ...plan, settled: { counts: 1, yields: 2, at: start, until: Infinity } };
          const seconds = parts.flatMap((one) => Array.from({ length: one.lasts }, () => one));
          let [alone, both] = [createStream(plan), createStream(chosen)];
          seconds.forEach(({ counts, yields, isDoubtful }, second) => {
            const own = values(counts, second, second, { deviceId: 1, isAssigned });
            const isValid = yields !== 'off';
            const device = { deviceId: 2, isAssigned: !isAssigned, isDoubtful, isValid };
            const others = yields === 'silent' ? [] : values(yields === 'off' ? 0 : yields, second, second, device);
            alone = play(plan, own, alone);
            both = play(chosen, [...own, ...others], both);
            const [expected, found] = [current(plan, alone, 'spo2'), current(plan, both, 'spo2')];
            expect(expected !== null && (found === null || isMoreUrgent(expected.priority, found.priority))).toBe(
              false,
            );
          });
        }),
        { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 4) },
      );
    });
  });

  describe('of several devices without an assigned one', () => {
    it('each is evaluated, however fast another one is', () => {
      const entries = together(values(75, 0, 60, other, 10), values(97, 0, 60, third));
      expect(raisedBy(entries)).toBe('high spo2.desat');
    });

    it('one that duplicates the stream of another one never hides it, and never doubles it', () => {
      const twice = together(
        values(97, 0, 9, other),
        values(97, 0, 9, third),
        values(86, 10, 40, other),
        values(86, 10, 40, third),
      );
      const stream = play(plan, twice);
      expect(activeRule(plan, stream, 'spo2')).toBe('high spo2.low');
      expect(current(plan, stream, 'spo2')).toMatchObject({ startedAt: start + 25_000, count: 1 });
      const over = play(plan, together(values(97, 41, 72, other), values(97, 41, 72, third)), stream);
      expect(activeRule(plan, over, 'spo2')).toBe('none');
    });

    it('a flood of new devices keeps no more of them than there were in half an hour', () => {
      const entries = Array.from({ length: 200 }, (_, index) =>
        values(97, index * 600, index * 600, { deviceId: index + 1 }),
      ).flat();
      expect(play(plan, entries).head.state.feeds.length).toBeLessThan(10);
    });
  });

  describe('a value that a user typed in', () => {
    it('is evaluated although the assigned device is present', () => {
      expect(raisedBy(together(values(97, 0, 60, monitor), values(80, 30, 30, { deviceId: -7 })))).toBe(
        'high spo2.low',
      );
    });
  });

  it('no device hides the low values of another one that is the only one present', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat(59), value: fc.constantFrom(75, 97), device: fc.constantFrom(1, 2, 3) })),
        fc.boolean(),
        (noise, isAssigned) => {
          // A noisy device is present for at most 45 s more, by its pace.
          const early = noise.map(({ at, value, device }) =>
            entryOf('oxygenation', 'spo2', at, value, { deviceId: device, isAssigned: isAssigned && device === 1 }),
          );
          const unique = [...new Map(early.map((entry) => [`${entry.at} ${entry.deviceId}`, entry])).values()];
          const entries = together(unique, values(86, 55, 130, { deviceId: 4 }));
          return raisedBy(entries).startsWith('high');
        },
      ),
    );
  });

  it('starts without a device', () => {
    expect(createStream(plan).head.state.feeds.map(({ deviceId }) => deviceId)).toEqual([null, null]);
  });
});

describe('a device that sends 20 values a second', () => {
  const plan = planOf('oxygenation', settingOf());
  const aSecond = 20;

  /** Half a minute of 96 %, 20 values a second, with a dip to 60 %. */
  function dip(begins: number, lasts: number): Entry[] {
    return Array.from({ length: 30 * aSecond }, (_, index) => {
      const second = index / aSecond;
      return entryOf('oxygenation', 'spo2', second, second >= begins && second < begins + lasts ? 60 : 96);
    });
  }

  /** The rule that is active after the values of each second came in a call of their own. */
  function afterCalls(entries: readonly Entry[], isNewestFirst: boolean): string {
    let stream = createStream(plan);
    for (let from = 0; from < entries.length; from += aSecond) {
      const call = entries.slice(from, from + aSecond);
      const now = Math.max(...call.map(({ at }) => at)) + 1_000;
      stream = takeEntriesOfStream(stream, plan, isNewestFirst ? call.reverse() : call, now);
    }
    return activeRule(plan, stream, 'spo2');
  }

  it.each([
    [0.1, 20],
    [0.1, 20.5],
    [0.1, 20.75],
    [0.5, 20.05],
    [2, 20],
  ])('raises an alert by a dip of %d s, in whatever order it sends', (lasts, begins) => {
    const entries = dip(begins, lasts);
    expect([afterCalls(entries, false), afterCalls(entries, true)]).toEqual(['high spo2.desat', 'high spo2.desat']);
  });
});

describe('episode', () => {
  const plans = plansOf(settingOf());
  const rateGroup = plans.rate.groups.findIndex(({ parameter }) => parameter === 'rate');

  const sampleOf = (value: number, measuredAt: number): RuleSample => ({
    kind: 'heartRate',
    value,
    measuredAt,
    deviceId: 1,
    quality: 'good',
    isAssigned: false,
    hasStoppedStating: false,
  });

  /** Plays an ECG rate a second: its values, each for so many seconds. */
  function play(...parts: [value: number, seconds: number][]): { words: string[]; episode: Episode | null } {
    let ruleState = createWithAlerts(plans);
    const words: string[] = [];
    const values = parts.flatMap(([value, seconds]) => Array.from({ length: seconds }, () => value));
    values.forEach((value, second) => {
      const measuredAt = start + second * 1_000;
      const sample = sampleOf(value, measuredAt);
      const change = evaluateSample(ruleState, plans, sample, measuredAt, { isHeld: false });
      ({ ruleState } = change);
      words.push(...change.events.filter(({ parameter }) => parameter === 'rate').map(({ event }) => event.is));
    });
    return { words, episode: episodesOf(ruleState.rate)[rateGroup] ?? null };
  }

  describe('a rate that changes its side', () => {
    it('is a new raise after it was too slow and is too fast for 15 s, and keeps both extremes', () => {
      expect(play([35, 30], [155, 15]).words).toEqual(['raised']);
      const { words, episode } = play([35, 30], [155, 17]);
      expect(words).toEqual(['raised', 'raised_again']);
      expect(episode).toMatchObject({ side: 'high', count: 2, lowest: 35, highest: 155 });
    });

    it('is a new raise in the other direction as well', () => {
      expect(play([160, 30], [38, 17]).words).toEqual(['raised', 'raised_again']);
    });

    it('is none for an artefact, nor for one that flips with every value', () => {
      expect(play([35, 30], [155, 5], [35, 30]).words).toEqual(['raised']);
      const flips = Array.from({ length: 60 }, (_, place): [number, number] => [place % 2 === 0 ? 35 : 155, 1]);
      expect(play([35, 30], ...flips).words).toEqual(['raised']);
    });

    it('is none while values within the limits lie between', () => {
      expect(play([35, 30], [60, 10], [35, 30]).words).toEqual(['raised']);
    });
  });

  describe('an episode', () => {
    const active: Active[] = [{ rule: 'spo2.low', priority: 'high', since: 0 }];

    it('is the same object while nothing changes', () => {
      const first = nextEpisode(null, active, 0, 86, null, 'low');
      expect(nextEpisode(first, active, 1_000, 86, null, 'low')).toBe(first);
      const turning = nextEpisode(first, active, 2_000, 86, null, 'high');
      expect(nextEpisode(turning, active, 3_000, 86, null, 'high')).toBe(turning);
    });
  });
});

describe('the quantile of counted values', () => {
  it('is unknown without a value, and never 0', () => {
    expect(quantile(new Map(), 0.5)).toBeNull();
  });

  it.each([
    [[7], 0.5, 7],
    [[7], 0.9, 7],
    [[1, 3], 0.5, 1],
    [[1, 2, 3], 0.5, 2],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9, 9],
    [[0, 0, 0, 100], 0.5, 0],
  ])('of %j at %d is %d', (values, q, expected) => {
    expect(quantile(countsOf(values), q)).toBe(expected);
  });

  it('is a value that the share q does not exceed, and the smallest such value', () => {
    const values = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.constantFrom(0.5, 0.9), (all, q) => {
        const found = quantile(countsOf(all), q) ?? -1;
        const within = (limit: number): number => all.filter((value) => value <= limit).length;
        expect(all).toContain(found);
        expect(within(found)).toBeGreaterThanOrEqual(q * all.length - 1e-9);
        expect(within(found - 1)).toBeLessThan(q * all.length + 1e-9);
      }),
    );
  });

  function countsOf(values: readonly number[]): Map<number, number> {
    return values.reduce((counts, value) => counts.set(value, (counts.get(value) ?? 0) + 1), new Map<number, number>());
  }
});
