import fc from 'fast-check';
import { planOf, play, settingOf, steady, activeRule } from '../../test/stream';
import { continuousRules } from './continuousRules';
import {
  adjustableRules,
  defaultBounds,
  isByScale,
  limitFaults,
  ruleOf,
  type AdjustableRule,
  type LimitValues,
  type PatientLimits,
} from './limits';

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
