import fc from 'fast-check';
import { activeRule, planOf, play, settingOf, steady } from '../../test/stream';
import { continuousRules } from './continuousRules';
import { type LimitFacts, limitHistory, limitsAt } from './limitHistory';
import { compareLimits, coveredMs } from './limitPreview';
import {
  type AdjustableRule,
  adjustableRules,
  defaultBounds,
  isByScale,
  limitFaults,
  type LimitValues,
  type PatientLimits,
  ruleOf,
} from './limits';
import { totalOf } from './priority';
import type { RetrospectiveEntry } from './retrospective';
import { planOf as planOf2, streams } from './streams';

describe('limits', () => {
  const usual = { scale: 1, bounds: defaultBounds, isComfortCare: false } as const;

  describe('limitFaults', () => {
    it.each<[AdjustableRule, LimitValues, object]>([
      ['spo2.low', { low: 79 }, { low: 'out_of_bounds' }],
      ['spo2.low', { low: 80 }, {}],
      ['spo2.low', { low: 92 }, {}],
      ['spo2.low', { low: 93 }, { low: 'out_of_bounds' }],
      ['spo2.low', { low: 85.5 }, { low: 'out_of_bounds' }],
      ['spo2.low', { low: Number.NaN }, { low: 'out_of_bounds' }],
      ['spo2.low', { high: 95 }, { high: 'no_such_limit' }],
      ['spo2.low', { low: null }, { low: 'never_off' }],
      ['spo2.below', { low: null }, {}],
      ['spo2.over_o2', { high: 96 }, { high: 'not_for_this_scale' }],
      ['hr.extreme', { low: 29, high: 181 }, { low: 'out_of_bounds', high: 'out_of_bounds' }],
      ['hr.extreme', { low: 30, high: 180 }, {}],
      ['hr.extreme', { low: 50, high: 120 }, {}],
      ['hr.extreme', { low: 51, high: 119 }, { low: 'out_of_bounds', high: 'out_of_bounds' }],
      ['hr.extreme', { high: null }, { high: 'never_off' }],
      ['hr.fast', { high: null }, {}],
    ])('judges %s %j', (rule, values, faults) => {
      expect(limitFaults(rule, values, usual)).toEqual(faults);
    });

    it('lets a HIGH limit be switched off in comfort care, and only there', () => {
      expect(limitFaults('hr.extreme', { low: null, high: null }, { ...usual, isComfortCare: true })).toEqual({});
    });

    it('knows the bounds of a site', () => {
      const bounds = { ...defaultBounds, 'spo2.low': { low: { min: 86, max: 90 } } };
      expect(limitFaults('spo2.low', { low: 85 }, { ...usual, bounds })).toEqual({ low: 'out_of_bounds' });
    });
  });

  it('knows which rules have limits for each SpO2 scale', () => {
    expect(adjustableRules.filter(isByScale)).toEqual([
      'spo2.low',
      'spo2.below',
      'spo2.over_o2',
      'spo2.mild',
      'spo2.over_o2_lo',
    ]);
  });

  describe('ruleOf', () => {
    const after = (limits: PatientLimits, value: number, more: { isComfortCare?: boolean } = {}): string => {
      const plan = planOf('oxygenation', settingOf({ limits, ...more }));
      return activeRule(plan, play(plan, steady('oxygenation', 'spo2', value, 0, 20)), 'spo2');
    };

    it('moves a limit for one patient, its clear value and the desaturation with it', () => {
      expect(ruleOf('spo2.low', { ...usual, limits: { 'spo2.low': { low: 85 } } }).limits).toEqual({
        raise: [{ is: 'below', value: 85 }],
        clear: [{ is: 'atLeast', value: 87 }],
      });
      expect(after({ 'spo2.low': { low: 85 } }, 85)).toBe('none');
      expect(after({ 'spo2.low': { low: 85 } }, 84)).toBe('high spo2.low');
      expect(after({ 'spo2.low': { low: 85 } }, 75)).toBe('high spo2.low');
      expect(after({ 'spo2.low': { low: 85 } }, 74)).toBe('high spo2.desat');
    });

    it('moves one side of a rule that has two', () => {
      expect(ruleOf('hr.extreme', { ...usual, limits: { 'hr.extreme': { high: 160 } } }).limits).toEqual({
        raise: [
          { is: 'atMost', value: 40 },
          { is: 'atLeast', value: 160 },
        ],
        clear: [
          { is: 'atLeast', value: 45 },
          { is: 'atMost', value: 155 },
        ],
      });
    });

    it('switches a HIGH limit off in comfort care; the default is back when that ends', () => {
      const off = { 'spo2.low': { low: null } };
      expect(after(off, 60, { isComfortCare: true })).toBe('none');
      expect(after(off, 60)).toBe('high spo2.desat');
    });

    it('ends an active condition when its rule is switched off', () => {
      const before = planOf('oxygenation', settingOf());
      const off = planOf('oxygenation', settingOf({ limits: { 'spo2.below': { low: null } } }));
      const stream = play(before, steady('oxygenation', 'spo2', 91, 0, 300));
      expect(activeRule(before, stream, 'spo2')).toBe('medium spo2.below');
      expect(activeRule(off, play(off, steady('oxygenation', 'spo2', 91, 301, 301), stream), 'spo2')).toBe(
        'low spo2.mild',
      );
    });

    it('never leaves a patient without a HIGH limit on each side', () => {
      const side = fc.option(fc.integer({ min: -10, max: 400 }));
      const values = fc.record({ low: side, high: side }, { requiredKeys: [] });
      const limits = fc.dictionary(fc.constantFrom(...adjustableRules), values);
      fc.assert(
        fc.property(limits, fc.constantFrom<1 | 2>(1, 2), (wanted, scale) => {
          for (const id of ['spo2.desat', 'spo2.low', 'hr.extreme'] as const) {
            const rule = ruleOf(id, { ...usual, scale, limits: wanted });
            expect(rule.limits?.raise).toHaveLength(continuousRules[id].limits[scale].raise.length);
            expect(rule.limits?.clear).toHaveLength(continuousRules[id].limits[scale].clear.length);
          }
        }),
      );
    });
  });
});

describe('limitHistory', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const now = Date.UTC(2026, 2, 7, 14);
  const window = { from: now, to: now + hour };

  const plain: LimitFacts = {
    profile: 'continuous',
    dateOfBirth: '1950-03-07',
    scale: 1,
    timeZone: 'UTC',
    limits: [],
    targets: [],
    comfortCares: [],
  };

  const own = (rule: string, values: LimitValues, setAt: number, scale: 1 | 2 | null = null) => ({
    isOwn: true,
    rule,
    scale,
    values,
    setAt,
  });
  const ofSite = (...given: Parameters<typeof own>) => ({ ...own(...given), isOwn: false });

  /** "high spo2 below 88", with a star if it applies on oxygen only. */
  function linesAt(change: Partial<LimitFacts>, at = now): string[] {
    return limitsAt({ ...plain, ...change }, at).lines.map(
      ({ priority, parameter, is, value, onOxygen }) =>
        `${priority} ${parameter} ${is} ${value}${onOxygen ? ' *' : ''}`,
    );
  }

  describe('the limits of a patient at an instant', () => {
    it.each<[string, Partial<LimitFacts>, string[]]>([
      [
        'nothing set',
        {},
        [
          'high spo2 below 88',
          'high spo2 below 78',
          'medium spo2 atMost 91',
          'high rate atMost 40',
          'high rate atLeast 150',
          'medium rate atMost 45',
          'medium rate atLeast 131',
        ],
      ],
      [
        'scale 2',
        { scale: 2 },
        [
          'high spo2 below 85',
          'high spo2 below 75',
          'medium spo2 atMost 87',
          'medium spo2 atLeast 97 *',
          'high rate atMost 40',
          'high rate atLeast 150',
          'medium rate atMost 45',
          'medium rate atLeast 131',
        ],
      ],
      [
        'the home profile',
        { profile: 'home' },
        [
          'high spo2 atMost 92',
          'medium spo2 atMost 94',
          'high rate atMost 40',
          'high rate atLeast 131',
          'medium rate atMost 50',
          'medium rate atLeast 111',
        ],
      ],
      [
        'a child at home',
        { profile: 'home', dateOfBirth: '2015-03-07' },
        ['high spo2 atMost 92', 'medium spo2 atMost 94', 'high rate atMost 40'],
      ],
      [
        'a child, for whom the site’s limits of rates do not count',
        { dateOfBirth: '2015-03-07', limits: [ofSite('hr.extreme', { high: 140 }, now - hour)] },
        ['high spo2 below 88', 'high spo2 below 78', 'medium spo2 atMost 91', 'high rate atMost 40'],
      ],
      [
        'a child with limits of a physician',
        { dateOfBirth: '2015-03-07', limits: [own('hr.extreme', { low: 60, high: 190 }, now - hour)] },
        [
          'high spo2 below 88',
          'high spo2 below 78',
          'medium spo2 atMost 91',
          'high rate atMost 60',
          'high rate atLeast 190',
        ],
      ],
    ])('with %s', (_name, change, expected) => {
      expect(linesAt(change)).toEqual(expected);
    });

    it.each<[string, LimitFacts['limits'], string]>([
      ['the site’s', [ofSite('spo2.low', { low: 86 }, now - hour, 1)], 'high spo2 below 86'],
      ['the site’s of the other scale not', [ofSite('spo2.low', { low: 82 }, now - hour, 2)], 'high spo2 below 88'],
      [
        'the patient’s own over the site’s, whichever is newer',
        [own('spo2.low', { low: 90 }, now - hour, 1), ofSite('spo2.low', { low: 86 }, now - minute, 1)],
        'high spo2 below 90',
      ],
      [
        'the newest',
        [own('spo2.low', { low: 90 }, now - hour, 1), own('spo2.low', { low: 84 }, now - minute, 1)],
        'high spo2 below 84',
      ],
      [
        'the site’s again after the patient’s own were taken back',
        [
          ofSite('spo2.low', { low: 86 }, now - 3 * hour, 1),
          own('spo2.low', { low: 90 }, now - 2 * hour, 1),
          own('spo2.low', {}, now - hour, 1),
        ],
        'high spo2 below 86',
      ],
      ['one that is set later not', [own('spo2.low', { low: 84 }, now + 1, 1)], 'high spo2 below 88'],
      ['one that is not allowed not', [own('spo2.low', { low: 20 }, now - hour, 1)], 'high spo2 below 88'],
      [
        'HIGH limits that are off without comfort care not',
        [own('spo2.low', { low: null }, now - hour, 1)],
        'high spo2 below 88',
      ],
    ])('has %s', (_name, limits, expected) => {
      expect(linesAt({ limits })[0]).toBe(expected);
    });

    it('has no HIGH limit that is off in comfort care, only as long as that lasts', () => {
      const facts = {
        limits: [own('spo2.low', { low: null }, now - hour, 1)],
        comfortCares: [{ from: now, until: now + minute }],
      };
      expect(linesAt(facts, now - 1)).toContain('high spo2 below 88');
      expect(linesAt(facts, now)).not.toContain('high spo2 below 88');
      expect(linesAt(facts, now + minute)).toContain('high spo2 below 88');
    });

    it('has the limits of adults from the sixteenth birthday on, by the calendar of the site', () => {
      const dateOfBirth = '2010-03-07';
      const midnight = Date.UTC(2026, 2, 7);
      expect(linesAt({ dateOfBirth }, midnight - 1)).not.toContain('high rate atLeast 150');
      expect(linesAt({ dateOfBirth }, midnight)).toContain('high rate atLeast 150');
      expect(linesAt({ dateOfBirth, timeZone: 'America/New_York' }, midnight)).not.toContain('high rate atLeast 150');
    });

    it('has the target that was set, and says that the default is not confirmed', () => {
      const targets = [{ scale: 2 as const, low: 86, high: 90, setAt: now }];
      const at = (instant: number) => {
        const { scale, target, isTargetConfirmed } = limitsAt({ ...plain, scale: 2, targets }, instant);
        return [scale, target.low, target.high, isTargetConfirmed];
      };
      expect(at(now - 1)).toEqual([1, 94, 98, false]);
      expect(at(now)).toEqual([2, 86, 90, true]);
      expect(limitsAt({ ...plain, scale: 2 }, now).target).toEqual({ low: 88, high: 92 });
    });
  });

  describe('the history of limits', () => {
    it('has a step for each change in the window, and none for what changes nothing', () => {
      const facts: LimitFacts = {
        ...plain,
        scale: 2,
        limits: [
          own('spo2.low', { low: 90 }, now - hour, 1),
          own('news2.high', { high: 9 }, now + 5 * minute),
          own('spo2.low', { low: 84 }, now + 10 * minute, 1),
          own('spo2.low', { low: 84 }, now + 11 * minute, 1),
          own('hr.high', { high: 120 }, now + 2 * hour),
        ],
        targets: [{ scale: 2, low: 88, high: 92, setAt: now + 20 * minute }],
      };
      expect(
        limitHistory(facts, window).map(({ from, scale, lines }) => [
          (from - now) / minute,
          scale,
          lines.find(({ priority }) => priority === 'high')?.value,
        ]),
      ).toEqual([
        [0, 1, 90],
        [10, 1, 84],
        [20, 2, 85],
      ]);
    });

    it('at every instant is what held then', () => {
      const instant = fc.integer({ min: now - 2 * hour, max: now + 2 * hour });
      const limits = fc.array(
        fc.record({
          isOwn: fc.boolean(),
          rule: fc.constantFrom(...adjustableRules),
          scale: fc.constantFrom(1 as const, 2 as const, null),
          values: fc.record(
            { low: fc.option(fc.integer({ min: 30, max: 99 })), high: fc.option(fc.integer({ min: 60, max: 220 })) },
            { requiredKeys: [] },
          ),
          setAt: instant,
        }),
      );
      const targets = fc.array(
        fc.record({
          scale: fc.constantFrom(1 as const, 2 as const),
          low: fc.integer({ min: 80, max: 90 }),
          high: fc.integer({ min: 91, max: 99 }),
          setAt: instant,
        }),
      );
      const comfortCares = fc.array(
        fc.tuple(instant, fc.nat({ max: hour })).map(([from, length]) => ({ from, until: from + length })),
      );
      fc.assert(
        fc.property(limits, targets, comfortCares, instant, (set, aims, cares, at) => {
          const byTime = <Item extends { setAt: number }>(items: Item[]): Item[] =>
            [...items].sort((a, b) => a.setAt - b.setAt);
          const facts = { ...plain, limits: byTime(set), targets: byTime(aims), comfortCares: cares };
          const steps = limitHistory(facts, window);
          expect(steps[0]?.from).toBe(window.from);
          expect(steps.every(({ from }, index) => index === 0 || from > (steps[index - 1]?.from ?? from))).toBe(true);
          const inside = Math.min(Math.max(at, window.from), window.to - 1);
          expect(steps.filter(({ from }) => from <= inside).at(-1)).toMatchObject(limitsAt(facts, inside));
        }),
      );
    });
  });
});

describe('limitPreview', () => {
  const second = 1_000;
  const minute = 60 * second;
  const start = Date.UTC(2026, 4, 1, 10);
  const span = { from: start, to: start + 4 * 60 * minute };
  const spo2 = streams.oxygenation.kinds.indexOf('spo2');

  const planWith = (limits: PatientLimits) =>
    planOf2('oxygenation', {
      scale: 1,
      limits,
      isComfortCare: false,
      expectedEveryMs: () => second,
      evaluatesTrends: false,
    });
  const present = planWith({});
  const looser = planWith({ 'spo2.low': { low: 82 } });

  /** SpO2 a second: its values, each for so many seconds. */
  function play(parts: readonly (readonly [value: number, seconds: number])[], from = start): RetrospectiveEntry[] {
    return parts
      .flatMap(([value, seconds]) => Array.from({ length: seconds }, () => value))
      .map((value, place) => ({
        at: from + place * second,
        measuredAt: from + place * second,
        source: spo2,
        deviceId: 1,
        isAssigned: true,
        isValid: value > 0,
        value,
        isDoubtful: false,
        hasStoppedStating: false,
        isRetrospective: false,
      }));
  }
  const compare = (parts: Parameters<typeof play>[0], proposed = looser, standbys: (typeof span)[] = []) =>
    compareLimits({ now: present, proposed }, play(parts), span, standbys);

  describe('a comparison of limits', () => {
    it('counts what would have been milder apart from what would not have been raised at all', () => {
      const off = planWith({ 'spo2.low': { low: 82 }, 'spo2.below': { low: 80 }, 'spo2.mild': { low: 80 } });
      const ill = [[97, 60], [85, 120], [97, 600]] as const; // prettier-ignore
      // Too short for the MEDIUM rule that watches the same values.
      expect(compare(ill)).toMatchObject({ now: { high: 1 }, missed: { high: 1 } });
      expect(compare(ill, off)).toMatchObject({ now: { high: 1 }, proposed: { high: 0 }, missed: { high: 1 } });
      const longer = [[97, 60], [85, 900], [97, 600]] as const; // prettier-ignore
      expect(compare(longer)).toEqual({
        now: { high: 1, medium: 0, low: 0 },
        proposed: { high: 0, medium: 1, low: 0 },
        missed: { high: 0, medium: 0, low: 0 },
        milder: { high: 1, medium: 0, low: 0 },
      });
    });

    it('leaves out what a whole standby covers, and nothing that goes on after it', () => {
      const ill = [[97, 60], [85, 120], [97, 600]] as const; // prettier-ignore
      const standby = { from: start, to: start + 10 * minute };
      expect(totalOf(compare(ill, looser, [standby]).now)).toBe(0);
      expect(totalOf(compare(ill, looser, [{ ...standby, to: start + 2 * minute }]).now)).toBe(1);
    });

    it('leaves out what had ended before, and counts what was active at the beginning', () => {
      const before = (minutes: number) =>
        compareLimits(
          { now: present, proposed: looser },
          play([[97, 60], [85, 300], [97, 600]], span.from - minutes * minute), // prettier-ignore
          span,
          [],
        ).now.high;
      expect([before(20), before(3)]).toEqual([0, 1]);
    });

    it('misses nothing and changes no number with the same limits', () => {
      const part = fc.tuple(fc.integer({ min: 70, max: 100 }), fc.integer({ min: 1, max: 400 }));
      fc.assert(
        fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
          const { now, proposed, missed, milder } = compare(parts, planWith({ 'spo2.low': { low: 88 } }));
          expect(proposed).toEqual(now);
          expect(totalOf(missed) + totalOf(milder)).toBe(0);
        }),
      );
    });

    it('misses nothing with limits that are tighter', () => {
      const part = fc.tuple(fc.integer({ min: 70, max: 100 }), fc.integer({ min: 1, max: 400 }));
      fc.assert(
        fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
          const { missed, milder } = compare(parts, planWith({ 'spo2.low': { low: 92 } }));
          expect(totalOf(missed) + totalOf(milder)).toBe(0);
        }),
      );
    });
  });

  describe('the time with readings', () => {
    const covered = (entries: RetrospectiveEntry[]): number => coveredMs(present, entries, span) / minute;

    it('counts no silence and no time without a signal', () => {
      expect(covered([])).toBe(0);
      expect(covered(play([[0, 3_600]]))).toBe(0);
      const hours = [...play([[97, 1_800]]), ...play([[97, 1_800]], start + 60 * minute)];
      // Each half hour, and the half minute after its last value.
      expect(Math.round(covered(hours))).toBe(61);
    });

    it('is never more than the time itself', () => {
      expect(covered(play([[97, 6 * 3_600]]))).toBe(240);
      expect(covered(play([[97, 3_600]], start - 30 * minute))).toBeCloseTo(30.5, 1);
    });
  });
});
