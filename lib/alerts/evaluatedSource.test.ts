import fc from 'fast-check';
import { activeRule, current, entryOf, planOf, play, settingOf, start } from '../../test/stream';
import type { Entry } from './plan';
import { createStream } from './stream';

const plan = planOf('oxygenation', settingOf());
const monitor = { deviceId: 1, isAssigned: true };
const other = { deviceId: 2 };
const third = { deviceId: 3 };

/** Returns a value a second of one device. */
function values(value: number, from: number, until: number, more: Partial<Entry> = {}, every = 1): Entry[] {
  return Array.from({ length: Math.floor((until - from) / every) + 1 }, (_, index) =>
    entryOf('oxygenation', 'spo2', from + index * every, value, more),
  );
}
const off = (from: number, until: number, more: Partial<Entry> = {}): Entry[] =>
  values(0, from, until, { ...monitor, isValid: false, ...more });

const together = (...streams: readonly Entry[][]): Entry[] =>
  streams.flat().sort((a, b) => (a.at === b.at ? a.deviceId - b.deviceId : a.at - b.at));
const raisedBy = (entries: readonly Entry[]): string => activeRule(plan, play(plan, entries), 'spo2');

describe('of an assigned device and another one', () => {
  it('the assigned one is evaluated while it is present', () => {
    expect(raisedBy(together(values(97, 0, 300, monitor), values(75, 0, 300, other)))).toBe('none');
    expect(raisedBy(together(values(75, 0, 300, monitor), values(97, 0, 300, other)))).toBe('high spo2.desat');
  });

  it.each([
    ['has its probe off', off(21, 60)],
    ['sends nothing more', []],
  ])('the other one is evaluated 10 s after the last valid value of an assigned one that %s', (_, more) => {
    const until = (second: number): string =>
      raisedBy(
        together(values(97, 0, 20, monitor), more, values(75, 0, second, other)).filter(
          ({ at }) => at <= start + second * 1_000,
        ),
      );
    expect(until(30)).toBe('none');
    expect(until(31)).toBe('high spo2.desat');
  });

  it('the timers of the other one count from its own first violation', () => {
    const entries = (second: number): Entry[] =>
      together(values(97, 0, 20, monitor), values(97, 0, 24, other), values(86, 25, second, other));
    expect(raisedBy(entries(39))).toBe('none');
    expect(raisedBy(entries(40))).toBe('high spo2.low');
  });

  it('the other one is evaluated at once if the assigned one has never had a value', () => {
    expect(raisedBy(together(off(0, 40), values(86, 0, 14, other)))).toBe('none');
    expect(raisedBy(together(off(0, 40), values(86, 0, 15, other)))).toBe('high spo2.low');
  });

  it('an assigned one that comes back has to clear what the other one raised, by its own hold', () => {
    const entries = (second: number): Entry[] =>
      together(values(97, 0, 20, monitor), off(21, 59), values(75, 0, second, other), values(97, 60, second, monitor));
    expect(raisedBy(entries(89))).toBe('high spo2.desat');
    expect(raisedBy(entries(90))).toBe('none');
  });

  it('an assigned one that comes and goes ends nothing', () => {
    const blips = Array.from({ length: 14 }, (_, index) =>
      values(97, 60 + index * 14, 60 + index * 14, monitor),
    ).flat();
    const entries = together(
      values(97, 0, 20, monitor),
      off(21, 220).filter(({ at }) => (at - start - 60_000) % 14_000 !== 0),
      blips,
      values(75, 0, 220, other),
    );
    const stream = play(plan, entries);
    expect(activeRule(plan, stream, 'spo2')).toBe('high spo2.desat');
    expect(current(plan, stream, 'spo2')?.count).toBe(1);
  });

  it('the other one, alone now, ends what the assigned one raised before it went', () => {
    const entries = (second: number): Entry[] => together(values(80, 0, 40, monitor), values(97, 0, second, other));
    expect(raisedBy(entries(50))).toBe('high spo2.low');
    expect(raisedBy(entries(80))).toBe('high spo2.low');
    expect(raisedBy(entries(81))).toBe('none');
  });

  it('a slow assigned one is present for 1.5 times its pace, but not with 10 s of invalid values', () => {
    const slow = values(97, 0, 300, monitor, 30);
    expect(raisedBy(together(slow, values(75, 0, 345, other)))).toBe('none');
    expect(raisedBy(together(slow, values(75, 0, 346, other)))).toBe('high spo2.desat');
    expect(raisedBy(together(slow, off(301, 346), values(75, 0, 311, other)))).toBe('none');
    expect(raisedBy(together(slow, off(301, 346), values(75, 0, 312, other)))).toBe('high spo2.desat');
  });

  it('what another one did before a silence, while it did not count, is no condition', () => {
    const entries = together(values(97, 0, 400, monitor), values(75, 0, 100, other), values(97, 420, 425, other));
    expect(raisedBy(entries)).toBe('none');
  });
});

describe('of several devices without an assigned one', () => {
  it('each is evaluated, however fast another one is', () => {
    const entries = together(values(75, 0, 60, other, 10), values(97, 0, 60, third));
    expect(raisedBy(entries)).toBe('high spo2.desat');
  });

  it('one that duplicates the stream of another one never hides it, and never doubles it', () => {
    const twice = together(
      values(97, 0, 9, other),
      values(97, 0, 9, third),
      values(86, 10, 40, other),
      values(86, 10, 40, third),
    );
    const stream = play(plan, twice);
    expect(activeRule(plan, stream, 'spo2')).toBe('high spo2.low');
    expect(current(plan, stream, 'spo2')).toMatchObject({ startedAt: start + 25_000, count: 1 });
    const over = play(plan, together(values(97, 41, 72, other), values(97, 41, 72, third)), stream);
    expect(activeRule(plan, over, 'spo2')).toBe('none');
  });

  it('a flood of new devices keeps no more of them than there were in half an hour', () => {
    const entries = Array.from({ length: 200 }, (_, index) =>
      values(97, index * 600, index * 600, { deviceId: index + 1 }),
    ).flat();
    expect(play(plan, entries).head.state.feeds.length).toBeLessThan(10);
  });
});

describe('a value that a user typed in', () => {
  it('is evaluated although the assigned device is present', () => {
    expect(raisedBy(together(values(97, 0, 60, monitor), values(80, 30, 30, { deviceId: -7 })))).toBe('high spo2.low');
  });
});

it('no device hides the low values of another one that is the only one present', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.nat(59), value: fc.constantFrom(75, 97), device: fc.constantFrom(1, 2, 3) })),
      fc.boolean(),
      (noise, isAssigned) => {
        // A noisy device is present for at most 45 s more, by its pace.
        const early = noise.map(({ at, value, device }) =>
          entryOf('oxygenation', 'spo2', at, value, { deviceId: device, isAssigned: isAssigned && device === 1 }),
        );
        const unique = [...new Map(early.map((entry) => [`${entry.at} ${entry.deviceId}`, entry])).values()];
        const entries = together(unique, values(86, 55, 130, { deviceId: 4 }));
        return raisedBy(entries).startsWith('high');
      },
    ),
  );
});

it('starts without a device', () => {
  expect(createStream(plan).head.state.feeds.map(({ deviceId }) => deviceId)).toEqual([null, null]);
});
