import { createWithAlerts, evaluateSample } from '../../test/ruleStateWithAlerts';
import { settingOf } from '../../test/stream';
import { hasSignal, kinds, vitalKinds } from '../vitals/kinds';
import { continuousRules } from './continuousRules';
import { plansOf } from './ruleState';
import { planOf, streamNames, streams, trendKinds } from './streams';

const rulesOf = (name: (typeof streamNames)[number]) => streams[name].groups.flatMap(({ rules }) => [...rules]);

describe('the streams of a patient', () => {
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
      const { sources } = planOf(name, settingOf());
      expect(sources.map(({ hasTrend }) => hasTrend)).toEqual(
        streams[name].kinds.map((kind) => vitalKinds.includes(kind) && trendKinds.includes(kind)),
      );
    }
  });
});
