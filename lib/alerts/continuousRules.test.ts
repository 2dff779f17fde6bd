import type { VitalKind } from '../vitals/kinds';
import { kinds } from '../vitals/kinds';
import { current, entryOf, planOf, play, settingOf, steady, activeRule } from '../../test/stream';
import { continuousRules, type ContinuousRuleId, type Spo2Scale } from './continuousRules';
import { isBeyondAll, isBeyondAny } from './limit';
import type { Parameter } from './parameters';
import { streams, type StreamName } from './streams';

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
  { ...spo2, rule: 'spo2.below', scale: 1, violates: 91, fits: 92, delayS: 300, clears: 93, clearsNot: 92, holdS: 60 },
  { ...spo2, rule: 'spo2.below', scale: 2, violates: 87, fits: 88, delayS: 300, clears: 88, clearsNot: 87, holdS: 60 },
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
  { ...rate, rule: 'hr.high', scale: 1, violates: 131, fits: 130, delayS: 60, clears: 125, clearsNot: 126, holdS: 60 },
  { ...rate, rule: 'hr.low', scale: 1, violates: 45, fits: 46, delayS: 60, clears: 50, clearsNot: 49, holdS: 60 },
  { ...rate, rule: 'hr.fast', scale: 2, violates: 111, fits: 110, delayS: 600, clears: 105, clearsNot: 106, holdS: 60 },
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
    for (const facts of Object.values(continuousRules)) {
      for (const limits of [facts.limits[1], facts.limits[2]]) {
        for (let tenths = 0; limits !== null && limits.clear.length > 0 && tenths <= 3_000; tenths += 1) {
          const value = tenths / 10;
          expect(isBeyondAny(limits.raise, value) && isBeyondAll(limits.clear, value)).toBe(false);
        }
      }
    }
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
