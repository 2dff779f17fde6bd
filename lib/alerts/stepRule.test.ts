import { entryOf, planOf, play, settingOf, start, steady, activeRule } from '../../test/stream';
import type { Entry } from './plan';
import { episodesOf } from './stream';

const plan = planOf('oxygenation', settingOf());
const of = (value: number, from: number, until = from): Entry[] => steady('oxygenation', 'spo2', value, from, until);
const after = (...parts: Entry[][]): string => activeRule(plan, play(plan, parts.flat()), 'spo2');

describe('a rule’s timer', () => {
  it.each([
    ['survives five seconds within the limit', [of(87, 0, 4), of(88, 5, 9), of(87, 10, 15)], 'high spo2.low'],
    ['begins again after more', [of(87, 0, 4), of(88, 5, 10), of(87, 11, 25)], 'none'],
    ['and then needs its whole delay', [of(87, 0, 4), of(88, 5, 10), of(87, 11, 26)], 'high spo2.low'],
    ['tells only of a value that violates', [of(87, 0, 14), of(88, 15, 18)], 'none'],
    ['runs on through ten seconds of silence', [of(87, 0, 5), of(87, 15)], 'high spo2.low'],
    ['does not count a longer silence', [of(87, 0, 5), of(87, 16, 24)], 'none'],
    ['and goes on after it', [of(87, 0, 5), of(87, 16, 26)], 'high spo2.low'],
    ['is held for up to thirty seconds', [of(87, 0, 5), of(87, 35, 45)], 'high spo2.low'],
    ['is cancelled by more than thirty seconds of silence', [of(87, 0, 5), of(87, 36, 50)], 'none'],
    ['and then begins again', [of(87, 0, 5), of(87, 36, 51)], 'high spo2.low'],
    ['needs two values for a desaturation', [of(77, 0)], 'none'],
    ['needs them in a row', [of(77, 0), of(88, 1), of(77, 2)], 'none'],
    ['needs no more than two', [of(77, 0, 1)], 'high spo2.desat'],
  ])('%s', (_, parts, expected) => {
    expect(after(...parts)).toBe(expected);
  });
});

describe('a condition', () => {
  const low = of(87, 0, 15);

  it.each([
    ['does not end while nothing comes', [low, of(87, 4_000)], 'high spo2.low'],
    [
      'does not end when the clear value is interrupted',
      [low, of(90, 16, 45), of(89, 46), of(90, 47, 76)],
      'high spo2.low',
    ],
    ['ends when it then holds', [low, of(90, 16, 45), of(89, 46), of(94, 47, 77)], 'none'],
    ['does not count a silence as recovery', [low, of(95, 16), of(95, 47)], 'high spo2.low'],
    ['ends after it when the clear value holds again', [low, of(95, 16), of(95, 47, 77)], 'none'],
  ])('%s', (_, parts, expected) => {
    expect(after(...parts)).toBe(expected);
  });

  it('is not ended by values that the device doubts', () => {
    const doubtful = of(97, 16, 200).map((entry) => ({ ...entry, isDoubtful: true }));
    expect(after(low, doubtful)).toBe('high spo2.low');
  });

  it('is raised by values that the device doubts: they may be true', () => {
    expect(after(of(87, 0, 15).map((entry) => ({ ...entry, isDoubtful: true })))).toBe('high spo2.low');
  });

  it('becomes milder instead of ending while a milder tier is violated', () => {
    expect(after(low, of(91, 16, 46))).toBe('medium spo2.below');
    expect(after(low, of(91, 16, 46), of(93, 47, 107))).toBe('low spo2.mild');
    expect(after(low, of(91, 16, 46), of(93, 47, 107), of(94, 108, 168))).toBe('none');
  });

  it('is one alert with the tiers that fold into it', () => {
    const [episode] = episodesOf(play(plan, [of(87, 0, 30), of(77, 31, 40), of(89, 41, 50)].flat()));
    expect(episode).toEqual({
      rule: 'spo2.desat',
      priority: 'high',
      startedAt: start + 15_000,
      count: 1,
      since: start + 15_000,
      endedAt: null,
      lowest: 77,
      highest: 89,
      source: 1,
      unconfirmedUntil: null,
      side: 'low',
    });
  });

  it('that begins again within five minutes joins the episode before it', () => {
    const ended = [...low, ...of(95, 16, 46)];
    const end = 46;
    const again = (from: number): unknown =>
      episodesOf(play(plan, [...ended, ...of(95, end + 1, from - 1), ...of(87, from, from + 15)]))[0];
    expect(again(end + 300 - 15)).toMatchObject({
      startedAt: start + 15_000,
      count: 2,
      since: start + (end + 300) * 1_000,
      endedAt: null,
    });
    expect(again(end + 301 - 15)).toMatchObject({ startedAt: start + (end + 301) * 1_000, count: 1 });
  });
});

describe('a feed of ten minutes', () => {
  const slow = planOf('oxygenation', settingOf({ everyMs: 600_000 }));
  const at = (values: readonly number[]): Entry[] =>
    values.map((value, index) => entryOf('oxygenation', 'spo2', index * 600, value));
  const each = (...values: number[]): string => activeRule(slow, play(slow, at(values)), 'spo2');

  it('needs two values in a row for a milder rule whose delay is shorter', () => {
    expect(each(90)).toBe('none');
    expect(each(90, 94, 90)).toBe('none');
    expect(each(90, 90)).toBe('medium spo2.below');
  });

  it('ends it with two clear values in a row', () => {
    expect(each(90, 90, 95)).toBe('medium spo2.below');
    expect(each(90, 90, 95, 95)).toBe('none');
  });

  it('that was said to be fast is not silenced by its own gaps', () => {
    expect(activeRule(plan, play(plan, at([87])), 'spo2')).toBe('none');
    expect(activeRule(plan, play(plan, at([87, 87])), 'spo2')).toBe('high spo2.low');
    expect(activeRule(plan, play(plan, at([90, 90, 90])), 'spo2')).toBe('medium spo2.below');
  });
});

describe('a feed of a minute', () => {
  const slow = planOf('oxygenation', settingOf({ everyMs: 60_000 }));
  const each = (...values: number[]): string =>
    activeRule(
      slow,
      play(
        slow,
        values.map((value, index) => entryOf('oxygenation', 'spo2', index * 60, value)),
      ),
      'spo2',
    );

  it('needs the delay of a milder rule if that is longer', () => {
    expect(each(90, 90, 90, 90, 90)).toBe('none');
    expect(each(90, 90, 90, 90, 90, 90)).toBe('medium spo2.below');
  });
});

describe('the quality of a signal', () => {
  const doubt = (entries: Entry[]): Entry[] => entries.map((entry) => ({ ...entry, isDoubtful: true }));
  const quality = (...parts: Entry[][]): string => activeRule(plan, play(plan, parts.flat()), 'spo2Quality');

  it('is raised when the device doubts it for a minute, and not a second before', () => {
    expect(quality(doubt(of(97, 0, 59)))).toBe('none');
    expect(quality(doubt(of(97, 0, 60)))).toBe('low signal.poor');
  });

  it('is good again after half a minute', () => {
    expect(quality(doubt(of(97, 0, 60)), of(97, 61, 90))).toBe('low signal.poor');
    expect(quality(doubt(of(97, 0, 60)), of(97, 61, 91))).toBe('none');
  });
});

describe('two sources of a rate', () => {
  const rate = planOf('rate', settingOf());
  const both = (heart: number, pulse: number, until: number): Entry[] =>
    steady('rate', 'heartRate', heart, 0, until).flatMap((entry, second) => [
      entry,
      entryOf('rate', 'pulseRate', second, pulse),
    ]);

  it('are judged each by itself and raise one alert', () => {
    const state = play(rate, both(155, 155, 15));
    expect(activeRule(rate, state, 'rate')).toBe('high hr.extreme');
    expect(episodesOf(state).filter((episode) => episode !== null)).toHaveLength(1);
  });

  it('raise at most MEDIUM by the oximeter while the ECG is live and within the HIGH limits', () => {
    expect(activeRule(rate, play(rate, both(75, 155, 200)), 'rate')).toBe('medium hr.extreme');
    expect(activeRule(rate, play(rate, both(80, 30, 200)), 'rate')).toBe('medium hr.extreme');
    expect(activeRule(rate, play(rate, both(41, 30, 15)), 'rate')).toBe('medium hr.extreme');
    expect(activeRule(rate, play(rate, both(40, 30, 15)), 'rate')).toBe('high hr.extreme');
    expect(activeRule(rate, play(rate, both(149, 155, 15)), 'rate')).toBe('medium hr.extreme');
  });

  it('raise HIGH by the oximeter when the ECG is gone, or doubts its own rate', () => {
    const later = (until: number): Entry[] => [...both(80, 30, 20), ...steady('rate', 'pulseRate', 30, 21, until)];
    expect(activeRule(rate, play(rate, later(30)), 'rate')).toBe('medium hr.extreme');
    expect(activeRule(rate, play(rate, later(31)), 'rate')).toBe('high hr.extreme');
    const doubted = both(80, 30, 20).map((entry) => (entry.value === 80 ? { ...entry, isDoubtful: true } : entry));
    expect(activeRule(rate, play(rate, doubted), 'rate')).toBe('high hr.extreme');
  });

  it('raise HIGH by the ECG whatever the oximeter shows', () => {
    expect(activeRule(rate, play(rate, both(30, 80, 15)), 'rate')).toBe('high hr.extreme');
  });

  it('end conditions of the other when it is off: after 30 s of silence and 30 s of the clear value', () => {
    const later = (until: number): Entry[] => [...both(75, 155, 15), ...steady('rate', 'heartRate', 75, 16, until)];
    expect(activeRule(rate, play(rate, later(75)), 'rate')).toBe('medium hr.extreme');
    expect(activeRule(rate, play(rate, later(76)), 'rate')).toBe('none');
  });

  it('keep the extremes of the one that raised', () => {
    expect(episodesOf(play(rate, both(75, 155, 20)))[0]).toMatchObject({ lowest: 155, highest: 155, source: 1 });
    expect(episodesOf(play(rate, both(35, 30, 20)))[0]).toMatchObject({ lowest: 35, highest: 35, source: 0 });
    const after = [...both(80, 30, 20), ...both(35, 30, 60).filter(({ at }) => at > start + 20_000)];
    expect(episodesOf(play(rate, after))[0]).toMatchObject({ priority: 'high', lowest: 30, source: 1 });
  });

  it('raise a cardiac arrest', () => {
    expect(activeRule(rate, play(rate, steady('rate', 'heartRate', 0, 0, 15)), 'rate')).toBe('high hr.extreme');
  });
});
