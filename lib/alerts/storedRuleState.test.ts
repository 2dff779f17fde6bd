import type { z } from 'zod';
import { settingOf, start } from '../../test/stream';
import { defaultNews2Limits } from './news2Rules';
import { idleNews2, stepNews2, type News2State } from './stepNews2';
import type { Episode } from './episode';
import type { StreamState } from './fold';
import { storedRuleState, type StoredRuleState } from './storedRuleState';
import type { Parameter } from './parameters';
import { createSpotCheck, spotToKeep, takeReading, type SpotFold } from './spotCheck';
import type { SpotParameter } from './spotRules';
import { toKeep } from './stream';
import { streamNames, type StreamName } from './streams';
import { createRuleState, plansOf, evaluateSample } from './ruleState';

/** As it is written in the rules; what comes out of the schema may be changed, what the rules hand out may not. */
interface Kept {
  streams: Record<StreamName, StreamState>;
  spot: Partial<Record<SpotParameter, SpotFold>>;
  technical: Partial<Record<Parameter, Episode>>;
  news2: News2State;
  signalsFrom: number;
  resetAt: Partial<Record<StreamName | 'readings', number>>;
}
type Writable<T> = T extends readonly (infer E)[]
  ? Writable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Writable<T[K]> }
    : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const same: Same<Writable<Kept>, Writable<z.infer<typeof storedRuleState>>> = true;

const minute = 60_000;
const plans = plansOf(settingOf());

/** A patient with something in every place: raised, ended, on oxygen, a reading that waits. */
function keptOf(): Kept {
  let ruleState = createRuleState(plans);
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
  return {
    streams: {
      oxygenation: toKeep(ruleState.oxygenation),
      rate: toKeep(ruleState.rate),
      perfusion: toKeep(ruleState.perfusion),
    },
    spot: { spo2: spotToKeep(later), weight: heavy.head },
    technical: { battery: low },
    signalsFrom: start,
    resetAt: { rate: start, readings: start + minute },
    news2: stepNews2(idleNews2, score, defaultNews2Limits, start),
  };
}

describe('what is kept over a restart', () => {
  const kept = keptOf();
  const text = JSON.stringify(kept);

  it.each(['streams', 'spot', 'technical', 'signalsFrom'] as const)('is refused without its %s', (field) => {
    expect(storedRuleState.safeParse({ ...kept, [field]: undefined }).success).toBe(false);
  });

  it.each(streamNames)('is refused without the stream %s', (name) => {
    expect(storedRuleState.safeParse({ ...kept, streams: { ...kept.streams, [name]: undefined } }).success).toBe(false);
  });

  it('is refused with a parameter that the clock does not evaluate', () => {
    expect(storedRuleState.safeParse({ ...kept, technical: { glucose: null } }).success).toBe(false);
  });

  it('is the same after JSON', () => {
    const parsed: StoredRuleState = storedRuleState.parse(JSON.parse(text));
    expect(parsed).toEqual(kept);
    expect(kept.streams.oxygenation.groups[0]?.episode).toMatchObject({ rule: 'spo2.low', lowest: 86 });
    expect(kept.streams.oxygenation.oxygen).toMatchObject({ flow: 2 });
    expect(kept.streams.rate.groups.map(({ isCalm }) => isCalm)).toEqual([false, false]);
    expect(kept.spot.weight?.weights).toHaveLength(2);
    expect(kept.news2.timers['news2.aggregate']?.phase).toBe('pending');
  });

  it('has the fields that the rules have and no others', () => {
    expect(same).toBe(true);
  });
});
