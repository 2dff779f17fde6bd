import { createWithAlerts, evaluateSample } from '../../test/ruleStateWithAlerts';
import { settingOf, start } from '../../test/stream';
import { nextEpisode, type Active, type Episode } from './episode';
import { plansOf, type RuleSample } from './ruleState';
import { episodesOf } from './stream';

const plans = plansOf(settingOf());
const rateGroup = plans.rate.groups.findIndex(({ parameter }) => parameter === 'rate');

const sampleOf = (value: number, measuredAt: number): RuleSample => ({
  kind: 'heartRate',
  value,
  measuredAt,
  deviceId: 1,
  quality: 'good',
  isAssigned: false,
  hasStoppedStating: false,
});

/** Plays an ECG rate a second: its values, each for so many seconds. */
function play(...parts: [value: number, seconds: number][]): { words: string[]; episode: Episode | null } {
  let ruleState = createWithAlerts(plans);
  const words: string[] = [];
  const values = parts.flatMap(([value, seconds]) => Array.from({ length: seconds }, () => value));
  values.forEach((value, second) => {
    const measuredAt = start + second * 1_000;
    const sample = sampleOf(value, measuredAt);
    const change = evaluateSample(ruleState, plans, sample, measuredAt, { isHeld: false });
    ({ ruleState } = change);
    words.push(...change.events.filter(({ parameter }) => parameter === 'rate').map(({ event }) => event.is));
  });
  return { words, episode: episodesOf(ruleState.rate)[rateGroup] ?? null };
}

describe('a rate that changes its side', () => {
  it('is a new raise after it was too slow and is too fast for 15 s, and keeps both extremes', () => {
    expect(play([35, 30], [155, 15]).words).toEqual(['raised']);
    const { words, episode } = play([35, 30], [155, 17]);
    expect(words).toEqual(['raised', 'raised_again']);
    expect(episode).toMatchObject({ side: 'high', count: 2, lowest: 35, highest: 155 });
  });

  it('is a new raise in the other direction as well', () => {
    expect(play([160, 30], [38, 17]).words).toEqual(['raised', 'raised_again']);
  });

  it('is none for an artefact, nor for one that flips with every value', () => {
    expect(play([35, 30], [155, 5], [35, 30]).words).toEqual(['raised']);
    const flips = Array.from({ length: 60 }, (_, place): [number, number] => [place % 2 === 0 ? 35 : 155, 1]);
    expect(play([35, 30], ...flips).words).toEqual(['raised']);
  });

  it('is none while values within the limits lie between', () => {
    expect(play([35, 30], [60, 10], [35, 30]).words).toEqual(['raised']);
  });
});

describe('an episode', () => {
  const active: Active[] = [{ rule: 'spo2.low', priority: 'high', since: 0 }];

  it('is the same object while nothing changes', () => {
    const first = nextEpisode(null, active, 0, 86, null, 'low');
    expect(nextEpisode(first, active, 1_000, 86, null, 'low')).toBe(first);
    const turning = nextEpisode(first, active, 2_000, 86, null, 'high');
    expect(nextEpisode(turning, active, 3_000, 86, null, 'high')).toBe(turning);
  });
});
