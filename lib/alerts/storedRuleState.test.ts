import fc from 'fast-check';
import { createWithAlerts, evaluateSample } from '../../test/ruleStateWithAlerts';
import { settingOf, start } from '../../test/stream';
import { defaultNews2Limits } from './news2Rules';
import { ruleVersion } from './ruleVersion';
import { idleNews2, stepNews2 } from './stepNews2';
import type { Episode } from './episode';
import { nothingRead, readDeviceState, readRuleState, writeRuleState, type StoredRuleState } from './storedRuleState';
import { storedStreamOf, streamStateOf } from './storedStream';
import { createSpotCheck, spotToKeep, takeReading } from './spotCheck';
import type { SpotParameter } from './spotRules';
import { toKeep } from './stream';
import { byStream, streamNames } from './streams';
import { plansOf, type RuleState } from './ruleState';

const minute = 60_000;
const plans = plansOf(settingOf());

/** A patient with something in every place: raised, ended, on oxygen, a reading that waits. */
function keptOf(): { ruleState: RuleState; kept: Omit<StoredRuleState, 'rules'> } {
  let ruleState = createWithAlerts(plans);
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
  const kept = {
    streams: byStream((name) => storedStreamOf(name, toKeep(ruleState[name]))),
    spot: { spo2: spotToKeep(later), weight: heavy.head },
    technical: { battery: low },
    signalsFrom: start,
    resetAt: { rate: start, readings: start + minute },
    news2: stepNews2(idleNews2, score, defaultNews2Limits, start),
  };
  return { ruleState, kept };
}

describe('what is kept over a restart', () => {
  const { kept, ruleState } = keptOf();
  const text = writeRuleState(kept);
  const written = JSON.parse(text) as Record<string, object>;

  it('is the same after JSON', () => {
    const { state, unread } = readRuleState(text);
    expect(unread).toEqual([]);
    expect(state).toEqual(kept);
    expect(kept.streams.oxygenation.episodes.spo2).toMatchObject({ rule: 'spo2.low', lowest: 86 });
    expect(kept.streams.oxygenation.oxygen).toMatchObject({ flow: 2 });
    expect(kept.spot.weight?.weights).toHaveLength(2);
    expect(kept.news2.timers['news2.aggregate']?.phase).toBe('pending');
  });

  it.each(streamNames)('is the state of the stream %s again, timer by timer', (name) => {
    expect(streamStateOf(name, plans[name], kept.streams[name])).toEqual(toKeep(ruleState[name]));
  });

  it('names kinds, parameters and rules, and no place in a table', () => {
    const [feed, ...others] = kept.streams.rate.feeds;
    expect(others).toEqual([]);
    expect(feed).toMatchObject({
      kind: 'heartRate',
      timers: { rate: { 'hr.extreme': { phase: 'active' } }, rateQuality: { 'signal.poor': { phase: 'active' } } },
    });
    expect(written.rules).toBe(ruleVersion);
  });

  it('is taken over by name from a release with other rules', () => {
    const { rate } = kept.streams;
    const other = {
      ...rate,
      feeds: rate.feeds.map((feed) => ({
        ...feed,
        timers: { rate: { 'hr.former': feed.timers.rate?.['hr.extreme'], ...feed.timers.rate } },
      })),
    };
    const { state, unread } = readRuleState(JSON.stringify({ ...written, streams: { ...kept.streams, rate: other } }));
    expect(unread).toEqual([]);
    const groups = streamStateOf('rate', plans.rate, state.streams.rate ?? rate).groups.map(({ states }) => states);
    expect(groups[0]).toEqual(toKeep(ruleState.rate).groups[0]?.states);
    expect(groups[1]?.every(({ phase }) => phase === 'idle')).toBe(true);
  });

  it('is taken over from the release that kept rules by their places', () => {
    const streams = byStream((name) => toKeep(ruleState[name]));
    const { state, unread } = readRuleState(JSON.stringify({ ...written, streams }));
    expect(unread).toEqual([]);
    expect(state).toEqual(kept);
    const fewer = { ...streams, perfusion: { ...streams.perfusion, groups: [] } };
    expect(readRuleState(JSON.stringify({ ...written, streams: fewer }))).toEqual({
      state: { ...kept, streams: { oxygenation: kept.streams.oxygenation, rate: kept.streams.rate } },
      unread: ['perfusion'],
    });
  });

  it('takes what a release kept without devices for that of a device which is not assigned', () => {
    const streams = byStream((name) => toKeep(ruleState[name]));
    const older = { ...streams, perfusion: { ...streams.perfusion, feeds: undefined } };
    const { state } = readRuleState(JSON.stringify({ ...written, streams: older }));
    const feed = { kind: 'perfusionIndex', deviceId: null, isAssigned: false, counts: true };
    expect(state.streams.perfusion?.feeds).toMatchObject([feed]);
  });

  it.each(['spot', 'technical', 'news2', 'signalsFrom'] as const)(
    'is read without its %s, which is to be rebuilt',
    (field) => {
      const { state, unread } = readRuleState(JSON.stringify({ ...written, [field]: undefined }));
      expect(unread).toEqual([field]);
      expect(state).toEqual({ ...kept, [field]: null });
    },
  );

  it('leaves out a parameter that this release does not know', () => {
    const technical = { ...kept.technical, glucose: kept.technical.battery };
    expect(readRuleState(JSON.stringify({ ...written, technical })).state.technical).toEqual(kept.technical);
    expect(readDeviceState(JSON.stringify({ technical }))).toEqual(kept.technical);
  });

  it('is read whatever text it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (any) => {
        const { state, unread } = readRuleState(any);
        expect(unread.length > 0 || state !== nothingRead).toBe(true);
        readDeviceState(any);
      }),
    );
  });

  it('is read whatever one of its values is, and makes a state of each stream', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (any, place) => {
        let index = -1;
        const damaged = JSON.stringify(written, (_, value: unknown) => {
          index += 1;
          return index === place % 80 ? any : value;
        });
        const { state } = readRuleState(damaged);
        const made = streamNames.flatMap((name) => {
          const stream = state.streams[name];
          return stream === undefined
            ? []
            : [streamStateOf(name, plans[name], stream).groups.length - plans[name].groups.length];
        });
        expect(made.every((difference) => difference === 0)).toBe(true);
      }),
    );
  });
});
