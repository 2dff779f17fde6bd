import fc from 'fast-check';
import { createWithAlerts, evaluateSample, raiseHeld, type RuleStateWithAlerts } from '../../test/ruleStateWithAlerts';
import { settingOf, start } from '../../test/stream';
import { isOpen, type Alert } from './alert';
import type { Episode } from './episode';
import type { Parameter } from './parameters';
import { isMoreUrgent } from './priority';
import { plansOf, type RuleSample } from './ruleState';
import { episodesOf } from './stream';
import { streamNames } from './streams';

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
    expect(streamNames.flatMap((name) => episodesOf(ruleState[name])).every((episode) => episode === null)).toBe(true);
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
      .flatMap((name) => plans[name].groups.map((group, index) => ({ group, of: episodesOf(ruleState[name])[index] })))
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
      { numRuns: 200 },
    );
  });
});
