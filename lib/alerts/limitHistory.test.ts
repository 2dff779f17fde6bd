import fc from 'fast-check';
import { limitHistory, limitsAt, type LimitFacts } from './limitHistory';
import { adjustableRules, type LimitValues } from './limits';

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
    ({ priority, parameter, is, value, onOxygen }) => `${priority} ${parameter} ${is} ${value}${onOxygen ? ' *' : ''}`,
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
