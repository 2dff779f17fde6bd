import fc from 'fast-check';
import { isBeyondAll } from './limit';
import { defaultNews2Limits, news2RuleIds, news2Rules, type News2Limits, type News2RuleId } from './news2Rules';
import { news2PartNames, type News2PartName, type News2Value, type News2Values } from './news2Values';
import { forgetNews2Parts, idleNews2, stepNews2, type News2State } from './stepNews2';

const start = 1_000_000_000;
const second = 1_000;
const minute = 60 * second;

type Source = News2Value['source'];
const normal: Record<News2PartName, number> = {
  respiratoryRate: 16,
  spo2: 98,
  oxygenFlow: 0,
  systolic: 120,
  pulse: 75,
  consciousness: 0,
  temperature: 37,
};

/** A score of some parts, with points as given; a part without points has a normal value. */
function valuesOf(
  points: Partial<Record<News2PartName, number>>,
  at: number,
  source: Source,
  value: Partial<Record<News2PartName, number>> = {},
): News2Values {
  const parts: Partial<Record<News2PartName, News2Value>> = {};
  for (const [name, of] of Object.entries(points) as [News2PartName, number][]) {
    parts[name] = { at, points: of, value: value[name] ?? normal[name], source };
  }
  return {
    least: Object.values(points).reduce((sum, of) => sum + of, 0),
    isComplete: Object.keys(points).length === 7,
    parts,
  };
}
const whole = (points: Partial<Record<News2PartName, number>>): Record<News2PartName, number> => ({
  respiratoryRate: 0,
  spo2: 0,
  oxygenFlow: 0,
  systolic: 0,
  pulse: 0,
  consciousness: 0,
  temperature: 0,
  ...points,
});
const step = (state: News2State, values: News2Values, at: number, limits: News2Limits = defaultNews2Limits) =>
  stepNews2(state, values, limits, at);
const ruleOf = ({ episode }: News2State): string | null =>
  episode === null || episode.endedAt !== null ? null : episode.rule;
/** Evaluates a monitor's values once a second, for so many seconds. */
function watch(
  state: News2State,
  points: Partial<Record<News2PartName, number>>,
  at: number,
  seconds: number,
): { state: News2State; at: number } {
  let after = state;
  for (let passed = 0; passed < seconds; passed += 1) {
    after = step(after, valuesOf(points, at + passed * second, 'monitor'), at + passed * second);
  }
  return { state: after, at: at + seconds * second };
}
const seven = { respiratoryRate: 3, systolic: 2, pulse: 2 };

describe('a score', () => {
  it.each([
    [4, null],
    [5, 'news2.aggregate'],
    [6, 'news2.aggregate'],
    [7, 'news2.high'],
    [18, 'news2.high'],
  ])('of %i in one typed full set raises %s at once', (sum, rule) => {
    const points = whole({ respiratoryRate: Math.min(2, sum), systolic: Math.max(0, sum - 2) });
    expect(ruleOf(step(idleNews2, valuesOf(points, start, 'typed'), start))).toBe(rule);
  });

  it.each([
    [4, null],
    [5, 'news2.aggregate'],
    [7, 'news2.high'],
  ])('whose lower bound is %i raises %s when a monitor has shown it for 60 s', (sum, rule) => {
    const points = { spo2: 3, pulse: sum - 3 };
    expect(ruleOf(watch(idleNews2, points, start, 60).state)).toBeNull();
    expect(ruleOf(watch(idleNews2, points, start, 61).state)).toBe(rule);
  });

  it('of single values is raised by two in a row of the same part, and not by another part', () => {
    const first = step(idleNews2, valuesOf(seven, start, 'typed'), start);
    expect(ruleOf(first)).toBeNull();
    expect(ruleOf(step(first, valuesOf(seven, start, 'typed'), start + 50 * minute))).toBeNull();
    const more = {
      ...valuesOf(seven, start, 'typed'),
      parts: { ...valuesOf(seven, start, 'typed').parts, ...valuesOf({ temperature: 0 }, start + 1, 'typed').parts },
    };
    expect(ruleOf(step(first, more, start + minute))).toBeNull();
    expect(ruleOf(step(first, valuesOf(seven, start + 1, 'typed'), start + minute))).toBe('news2.high');
    const good = step(first, valuesOf({ ...seven, pulse: 0 }, start + 1, 'typed'), start + minute);
    expect(ruleOf(step(good, valuesOf(seven, start + 2, 'typed'), start + 2 * minute))).toBe('news2.aggregate');
  });

  it('is not raised at once by a full set that was evaluated before it was high', () => {
    const well = step(idleNews2, valuesOf(whole({ systolic: 2 }), start, 'typed'), start);
    const typed = valuesOf(whole({ systolic: 2 }), start, 'typed');
    const worse: News2Values = {
      ...typed,
      least: 5,
      parts: { ...typed.parts, spo2: { at: start + minute, points: 3, value: 91, source: 'monitor' } },
    };
    expect(ruleOf(step(well, worse, start + minute))).toBeNull();
  });

  const raised = step(idleNews2, valuesOf(whole(seven), start, 'typed'), start);
  it('never ends because its values grow old', () => {
    const old = step(raised, valuesOf({ pulse: 2 }, start + 5 * 60 * minute, 'monitor'), start + 5 * 60 * minute);
    expect(ruleOf(old)).toBe('news2.high');
    expect(ruleOf(watch(old, {}, start + 6 * 60 * minute, 600).state)).toBe('news2.high');
  });

  it('ends two below with two values, and gives way to the milder rule first', () => {
    const typedAt = (points: Partial<Record<News2PartName, number>>, at: number) =>
      valuesOf(whole(points), at, 'typed');
    let state = step(raised, typedAt({ ...seven, systolic: 1 }, start + 1), start + 1);
    expect(ruleOf(step(state, typedAt({ ...seven, systolic: 1 }, start + 2), start + 2))).toBe('news2.high');
    state = step(state, typedAt({ ...seven, systolic: 0 }, start + 3), start + 3);
    expect(ruleOf(state)).toBe('news2.high');
    state = step(state, typedAt({ ...seven, systolic: 0 }, start + 4), start + 4);
    expect(ruleOf(state)).toBe('news2.aggregate');
    state = step(state, typedAt({ pulse: 2 }, start + 5), start + 5);
    state = step(state, typedAt({ pulse: 2 }, start + 6), start + 6);
    expect(ruleOf(state)).toBeNull();
  });

  it('ends when a monitor has shown it for 60 s, and a relapse starts that again', () => {
    const high = watch(idleNews2, { spo2: 3, pulse: 3, respiratoryRate: 3 }, start, 61);
    const better = { spo2: 1, pulse: 1, respiratoryRate: 1 };
    expect(ruleOf(watch(high.state, better, high.at, 60).state)).toBe('news2.high');
    expect(ruleOf(watch(high.state, better, high.at, 61).state)).toBeNull();
    const relapse = watch(watch(high.state, better, high.at, 59).state, { spo2: 3, pulse: 3 }, high.at + minute, 1);
    expect(ruleOf(watch(relapse.state, better, relapse.at, 60).state)).toBe('news2.high');
  });

  it('takes the thresholds of the patient, and none in comfort care', () => {
    const limits: News2Limits = {
      ...defaultNews2Limits,
      'news2.high': { raise: [{ is: 'atLeast', value: 9 }], clear: [{ is: 'atMost', value: 7 }] },
    };
    const set = valuesOf(whole({ respiratoryRate: 3, systolic: 3, pulse: 2 }), start, 'typed');
    expect(ruleOf(stepNews2(idleNews2, set, limits, start))).toBe('news2.aggregate');
  });

  it('without the parts of a device that was taken off goes on if the others are enough', () => {
    const high = watch(idleNews2, { spo2: 3, pulse: 3, respiratoryRate: 3 }, start, 61).state;
    const left = forgetNews2Parts(high, ['spo2'], defaultNews2Limits);
    expect(Object.keys(left.timers)).toEqual(['news2.aggregate']);
    expect(forgetNews2Parts(high, ['spo2', 'pulse'], defaultNews2Limits).timers).toEqual({});
  });
});

type Edge = [
  part: News2PartName,
  rule: News2RuleId,
  raising: number[],
  quiet: number[],
  clearing: number[],
  staying: number[],
];
describe('a single part with three points', () => {
  const edges: Edge[] = [
    ['respiratoryRate', 'news2.respiratoryRate', [8, 25, 32], [9, 24], [10, 22], [9, 23, 24]],
    ['systolic', 'news2.systolic', [90, 220], [91, 219], [95, 210], [91, 94, 211, 219]],
    ['temperature', 'news2.temperature', [35, 34], [35.1, 41], [35.5, 41], [35.1, 35.4]],
    ['consciousness', 'news2.consciousness', [1, 2, 3, 4], [0], [0], [1]],
  ];
  const one = (part: News2PartName, value: number, at: number, source: Source = 'typed'): News2Values =>
    valuesOf({ [part]: 0 }, at, source, { [part]: value });
  const cases = (which: 2 | 3 | 4 | 5) =>
    edges.flatMap((edge) => edge[which].map((value) => [edge[0], edge[1], value, edge[2][0] ?? 0] as const));
  const raise = (part: News2PartName, value: number) =>
    step(step(idleNews2, one(part, value, start), start), one(part, value, start + 1), start + 1);

  it.each(cases(2))('%s raises %s with two values of %d, and not with one', (part, rule, value) => {
    expect(ruleOf(step(idleNews2, one(part, value, start), start))).toBeNull();
    expect(ruleOf(raise(part, value))).toBe(rule);
  });
  it.each(cases(3))('%s does not raise %s with %d', (part, _, value) => {
    expect(ruleOf(raise(part, value))).toBeNull();
  });
  it.each(cases(4))('%s ends %s with two values of %d', (part, rule, value, bad) => {
    const once = step(raise(part, bad), one(part, value, start + 2), start + 2);
    expect(ruleOf(once)).toBe(rule);
    expect(ruleOf(step(once, one(part, value, start + 3), start + 3))).toBeNull();
  });
  it.each(cases(5))('%s does not end %s with %d', (part, rule, value, bad) => {
    const twice = step(raise(part, bad), one(part, value, start + 2), start + 2);
    expect(ruleOf(step(twice, one(part, value, start + 3), start + 3))).toBe(rule);
  });

  it('is raised at once by a typed full set, and by a monitor after 60 s', () => {
    const set = valuesOf(whole({ respiratoryRate: 3 }), start, 'typed', { respiratoryRate: 32 });
    expect(ruleOf(step(idleNews2, set, start))).toBe('news2.respiratoryRate');
    const first = step(idleNews2, one('respiratoryRate', 32, start, 'monitor'), start);
    const at = start + minute;
    expect(ruleOf(step(first, one('respiratoryRate', 32, at - 1, 'monitor'), at))).toBeNull();
    expect(ruleOf(step(first, one('respiratoryRate', 32, at, 'monitor'), at))).toBe('news2.respiratoryRate');
  });

  it('is none of its own beside a score', () => {
    const set = valuesOf(whole({ consciousness: 3, systolic: 2 }), start, 'typed', { consciousness: 4 });
    expect(step(idleNews2, set, start).episode).toMatchObject({
      rule: 'news2.aggregate',
      priority: 'medium',
      count: 1,
    });
  });
});

describe('whatever is measured', () => {
  const source = fc.constantFrom<Source>('typed', 'monitor', 'slow');
  const measurement = fc.record({
    afterMs: fc.integer({ min: 1_000, max: 40 * minute }),
    points: fc.dictionary(fc.constantFrom(...news2PartNames), fc.integer({ min: 0, max: 3 }), { maxKeys: 7 }),
    source,
  });

  it('a rule is raised by no score below its limit, and ends by no silence', () => {
    fc.assert(
      fc.property(fc.array(measurement, { maxLength: 30 }), (measurements) => {
        let state = idleNews2;
        let at = start;
        for (const { afterMs, points, source: from } of measurements) {
          at += afterMs;
          const silent = step(state, valuesOf({}, at, 'monitor'), at - 1);
          expect(ruleOf(silent)).toBe(ruleOf(state));
          const values = valuesOf(points, at, from);
          const before = state;
          state = step(state, values, at);
          for (const id of ['news2.high', 'news2.aggregate'] as const) {
            const isNew = state.timers[id]?.phase === 'active' && before.timers[id]?.phase !== 'active';
            const isOver = before.timers[id]?.phase === 'active' && state.timers[id] === undefined;
            expect(isNew && values.least < news2Rules[id].limits.raise[0].value).toBe(false);
            expect(isOver && !isBeyondAll(news2Rules[id].limits.clear, values.least)).toBe(false);
          }
        }
      }),
    );
  });

  it('the state stays the same object while nothing is new, and is the same after JSON', () => {
    fc.assert(
      fc.property(fc.array(measurement, { maxLength: 12 }), (measurements) => {
        let state = idleNews2;
        let at = start;
        for (const { afterMs, points, source: from } of measurements) {
          at += afterMs;
          const values = valuesOf(points, at, from);
          state = step(state, values, at);
          const again = step(state, values, at);
          expect(step(again, values, at)).toEqual(again);
          expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        }
        expect(Object.keys(state.timers).every((id) => news2RuleIds.some((known) => known === id))).toBe(true);
      }),
    );
  });
});
