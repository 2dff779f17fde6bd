import fc from 'fast-check';
import { activeRule, current, entryOf, planOf, play, settingOf, start } from '../../test/stream';
import type { Entry } from './plan';
import { isUnconfirmed } from './stepSpotRule';

const minute = 60;
const continuous = planOf('oxygenation', settingOf());
const quarterly = planOf('oxygenation', settingOf({ everyMs: 15 * 60_000 }));
const typed = (second: number, value: number, more: Partial<Entry> = {}): Entry =>
  entryOf('oxygenation', 'spo2', second, value, { deviceId: -7, ...more });
const sent = (second: number, value: number): Entry => entryOf('oxygenation', 'spo2', second, value);

/** Returns what is raised after these values, and whether that is confirmed at the time of the last one. */
function after(plan: typeof continuous, entries: readonly Entry[], later = 0): [string, boolean | null] {
  const stream = play(plan, entries);
  const episode = current(plan, stream, 'spo2');
  const now = (entries.at(-1)?.at ?? start) + later * 1_000;
  return [activeRule(plan, stream, 'spo2'), episode === null ? null : !isUnconfirmed(episode, now)];
}

describe.each([
  ['typed in', continuous, typed],
  ['of a monitor that sends every 15 min', quarterly, sent],
] as const)('a single value %s', (_, plan, value) => {
  it.each([
    [88, 'none', null],
    [87, 'high spo2.low', false],
    [80, 'high spo2.low', false],
    [78, 'high spo2.low', false],
    [77, 'high spo2.desat', false],
    [70, 'high spo2.desat', false],
  ] as const)('of %d %% is at once "%s", not confirmed', (number, expected, isConfirmed) => {
    expect(after(plan, [value(0, number)])).toEqual([expected, isConfirmed]);
  });

  it('is confirmed by none in 15 min', () => {
    expect(after(plan, [value(0, 80)], 15 * minute - 1)).toEqual(['high spo2.low', false]);
    expect(after(plan, [value(0, 80)], 15 * minute)).toEqual(['high spo2.low', true]);
  });

  it.each([1, 60, 600, 899])('is confirmed by a second one beyond the limit %d s later', (second) => {
    expect(after(plan, [value(0, 80), value(second, 79)])).toEqual(['high spo2.low', true]);
    expect(after(plan, [value(0, 80), value(second, 87)])).toEqual(['high spo2.low', true]);
  });

  it.each([1, 60, 600, 899])('is ended by a second one inside the limit %d s later, without a hold', (second) => {
    const [rule] = after(plan, [value(0, 80), value(second, 94)]);
    expect(rule).toBe('none');
  });

  it('that was answered by 88 %, beyond a milder limit, becomes that: two in a row are', () => {
    expect(after(plan, [value(0, 80), value(300, 88)])).toEqual(['medium spo2.below', true]);
  });

  it('once confirmed is ended by one value at the clear limit, and by none between the two', () => {
    const confirmed = [value(0, 80), value(300, 79)];
    expect(after(plan, [...confirmed, value(600, 89)])[0]).toBe('high spo2.low');
    expect(after(plan, [...confirmed, value(600, 94)])[0]).toBe('none');
    expect(after(plan, [value(0, 80), value(16 * minute, 89)])[0]).toBe('high spo2.low');
    expect(after(plan, [value(0, 80), value(16 * minute, 94)])[0]).toBe('none');
  });

  it('that the device doubts raises, and ends nothing', () => {
    const doubt = (entry: Entry): Entry => ({ ...entry, isDoubtful: true });
    expect(after(plan, [doubt(value(0, 80))])).toEqual(['high spo2.low', false]);
    expect(after(plan, [value(0, 80), doubt(value(300, 97))])).toEqual(['high spo2.low', false]);
  });

  it('below the limit always raises, whatever came before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ gap: fc.integer({ min: 60, max: 20_000 }), low: fc.integer({ min: 60, max: 100 }) })),
        fc.integer({ min: 900, max: 20_000 }),
        fc.integer({ min: 1, max: 87 }),
        (before, gap, low) => {
          let second = 0;
          const earlier = before.map((one) => {
            second += one.gap;
            return value(second, one.low);
          });
          return after(plan, [...earlier, value(second + gap, low)])[0].startsWith('high');
        },
      ),
    );
  });
});

describe('the rate', () => {
  const plan = planOf('rate', settingOf());
  it.each([
    [40, 'high hr.extreme'],
    [41, 'none'],
    [149, 'none'],
    [150, 'high hr.extreme'],
  ])('of %d /min, typed in, is at once "%s"', (value, expected) => {
    const entry = entryOf('rate', 'pulseRate', 0, value, { deviceId: -7 });
    expect(activeRule(plan, play(plan, [entry]), 'rate')).toBe(expected);
  });
});

describe('a value typed in beside a monitor that shows another one', () => {
  const monitor = (value: number, from: number, until: number): Entry[] =>
    Array.from({ length: until - from + 1 }, (_, index) =>
      entryOf('oxygenation', 'spo2', from + index, value, { isAssigned: true }),
    );

  it('waits for a second one, and ends by the monitor when none has come in 15 min', () => {
    const entries = (until: number): Entry[] => [...monitor(97, 0, 9), typed(10, 80), ...monitor(97, 11, until)];
    expect(after(continuous, entries(10 + 15 * minute))[0]).toBe('high spo2.low');
    expect(after(continuous, entries(10 + 15 * minute + 32))[0]).toBe('none');
  });

  it('is confirmed by a monitor that falls below the limit', () => {
    const entries = [typed(0, 80), ...monitor(86, 1, 20)];
    expect(after(continuous, entries)).toEqual(['high spo2.low', true]);
  });

  it('of two users is one feed: the second one answers the first', () => {
    expect(after(continuous, [typed(0, 80), typed(120, 97, { deviceId: -9 })])[0]).toBe('none');
  });
});
