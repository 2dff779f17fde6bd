import type { VitalKind } from '../vitals/kinds';
import { continuousRules, type ContinuousRuleId, type RuleInput } from './continuousRules';
import { groupOf, type Plan, type Rule } from './plan';
import { ruleOf, type LimitSetting } from './limits';
import type { Parameter } from './parameters';

/** A name without a row below, or a row without its name here, does not compile. */
export const streamNames = ['oxygenation', 'rate', 'perfusion'] as const;
export type StreamName = (typeof streamNames)[number];

interface StreamFacts {
  kinds: readonly VitalKind[];
  groups: readonly { parameter: Parameter; rules: readonly ContinuousRuleId[] }[];
}

/**
 * The streams of a continuously monitored patient. ECG heart rate and oximeter pulse are evaluated separately and raise
 * one alert. Oxygen flow only decides whether two rules of SpO2 apply.
 */
export const streams = {
  oxygenation: {
    // Oxygen first: of two values of one instant it decides how the other is evaluated.
    kinds: ['oxygenFlow', 'spo2'],
    groups: [
      {
        parameter: 'spo2',
        rules: [
          ...(['spo2.desat', 'spo2.low', 'spo2.below', 'spo2.disagree', 'spo2.over_o2'] as const),
          ...(['spo2.mild', 'spo2.over_o2_lo', 'spo2.drop'] as const),
        ],
      },
      { parameter: 'spo2Quality', rules: ['signal.poor'] },
    ],
  },
  rate: {
    kinds: ['heartRate', 'pulseRate'],
    groups: [
      { parameter: 'rate', rules: ['hr.extreme', 'hr.high', 'hr.low', 'hr.fast', 'hr.jump'] },
      { parameter: 'rateQuality', rules: ['signal.poor'] },
    ],
  },
  perfusion: {
    kinds: ['perfusionIndex'],
    groups: [{ parameter: 'perfusion', rules: ['signal.perfusion'] }],
  },
} as const satisfies Record<StreamName, StreamFacts>;

/** Returns something of each stream. */
export function byStream<Of>(of: (name: StreamName) => Of): Record<StreamName, Of> {
  return { oxygenation: of('oxygenation'), rate: of('rate'), perfusion: of('perfusion') };
}

/** The kinds that the rules about trends compare with the day before. */
export const trendKinds: readonly VitalKind[] = streamNames.flatMap((name) => {
  const { kinds, groups }: StreamFacts = streams[name];
  const inputs = groups.flatMap(({ rules }) => rules.map((id) => continuousRules[id].input));
  return inputs.some(isTrend) ? kinds.filter((kind) => kind !== 'oxygenFlow') : [];
});

/** Returns whether a rule of a stream compares with the day before. */
export function isTrendRule(rule: string): boolean {
  return streamNames.some((name) => {
    const { groups }: StreamFacts = streams[name];
    return groups.some(({ rules }) => rules.some((id) => id === rule && isTrend(continuousRules[id].input)));
  });
}

function isTrend(input: RuleInput): boolean {
  return input === 'drop' || input === 'jump';
}

/** The settings of one patient. */
export interface Setting extends LimitSetting {
  /** How often each kind is expected, in milliseconds. */
  expectedEveryMs: (kind: VitalKind) => number;
  /** False while the clock of the device is too wrong for a trend (clinical.md section 2.6). */
  evaluatesTrends: boolean;
}

/** Returns the plan of one of a patient's streams. Make it once and keep it until a setting changes. */
export function planOf(name: StreamName, setting: Setting): Plan {
  const facts: StreamFacts = streams[name];
  return {
    sources: facts.kinds.map((kind) => ({
      expectedEveryMs: setting.expectedEveryMs(kind),
      hasTrend: trendKinds.includes(kind),
      isOxygenFlow: kind === 'oxygenFlow',
      // An oximeter loses pulse waves that the ECG sees (clinical.md section 0, Q4).
      yieldsTo: kind === 'pulseRate' ? facts.kinds.indexOf('heartRate') : null,
    })),
    groups: facts.groups.map(({ parameter, rules }) =>
      groupOf(
        parameter,
        rules.map((id) => ruleIn(id, setting)),
      ),
    ),
  };
}

function ruleIn(id: ContinuousRuleId, setting: Setting): Rule {
  const rule = ruleOf(id, setting);
  return isTrend(rule.input) && !setting.evaluatesTrends ? { ...rule, limits: null } : rule;
}
