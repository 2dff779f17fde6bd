import { bursts, harmonics, nextBurstAt, riseShare, signalOf, type Burst, type Signal } from './bursts';

const signals: Signal[] = ['high', 'medium', 'low', 'notLive', 'notRunning'];
const pausesOf = ({ pulses }: Burst): number[] =>
  pulses.slice(1).map(({ startMs }, index) => {
    const before = pulses[index];
    return before === undefined ? Number.NaN : startMs - before.startMs - before.lengthMs;
  });
const endOf = ({ pulses }: Burst): number => {
  const last = pulses.at(-1);
  return last === undefined ? 0 : last.startMs + last.lengthMs;
};

describe('the bursts of alerts (IEC 60601-1-8 as in clinical.md section 3)', () => {
  it('of a HIGH one are ten pulses, three and two, twice', () => {
    const { high } = bursts;
    expect(high.pulses.map(({ lengthMs }) => lengthMs)).toEqual(Array<number>(10).fill(150));
    expect(pausesOf(high)).toEqual([95, 95, 340, 95, 1_000, 95, 95, 340, 95]);
    expect([high.everyMs, endOf(high)]).toEqual([10_000, 3_750]);
  });

  it('of a MEDIUM one are three pulses every 25 s, of a LOW one is one every 30 s', () => {
    const { medium, low } = bursts;
    expect([medium.pulses.length, pausesOf(medium), medium.everyMs]).toEqual([3, [180, 180], 25_000]);
    expect([low.pulses.length, low.pulses[0]?.lengthMs, low.everyMs]).toEqual([1, 180, 30_000]);
  });

  it('keep the bounds of pulses, pauses and intervals', () => {
    const between = (value: number, from: number, to: number): boolean => value >= from && value <= to;
    expect(bursts.high.pulses.every(({ lengthMs }) => between(lengthMs, 75, 200))).toBe(true);
    expect(between(bursts.high.everyMs - endOf(bursts.high), 2_500, 15_000)).toBe(true);
    expect(bursts.medium.pulses.every(({ lengthMs }) => between(lengthMs, 125, 250))).toBe(true);
    expect(between(bursts.medium.everyMs - endOf(bursts.medium), 2_500, 30_000)).toBe(true);
    expect(bursts.low.everyMs - endOf(bursts.low)).toBeGreaterThan(15_000);
    expect(between(riseShare, 0.1, 0.2)).toBe(true);
  });

  it.each(signals)('of %s have at least four harmonics between 300 and 4000 Hz', (signal) => {
    const { fundamentalHz } = bursts[signal];
    expect(fundamentalHz).toBeGreaterThanOrEqual(150);
    expect(fundamentalHz).toBeLessThanOrEqual(1_000);
    const heard = harmonics.map((_, index) => fundamentalHz * (index + 1)).filter((hz) => hz >= 300 && hz <= 4_000);
    expect(heard.length).toBeGreaterThanOrEqual(4);
  });

  it('of the technical tones are longer than any pulse of an alert', () => {
    const alerts = [bursts.high, bursts.medium, bursts.low];
    const longest = Math.max(...alerts.flatMap(({ pulses }) => pulses.map(({ lengthMs }) => lengthMs)));
    expect(bursts.notLive.pulses.every(({ lengthMs }) => lengthMs > longest)).toBe(true);
    expect(bursts.notRunning.pulses.every(({ lengthMs }) => lengthMs > longest)).toBe(true);
    expect(bursts.notLive.pulses.length).not.toBe(bursts.notRunning.pulses.length);
  });
});

describe('what sounds', () => {
  const quiet = { priority: null, isNotLive: false, areAlertsStopped: false };
  it.each<[Parameters<typeof signalOf>[0], Signal | null]>([
    [quiet, null],
    [{ ...quiet, priority: 'low' }, 'low'],
    [{ ...quiet, isNotLive: true }, 'notLive'],
    [{ ...quiet, priority: 'medium', isNotLive: true }, 'notLive'],
    [{ ...quiet, priority: 'high', isNotLive: true }, 'high'],
    [{ priority: 'high', isNotLive: true, areAlertsStopped: true }, 'notRunning'],
  ])('of %j is %s, one signal at a time', (state, signal) => {
    expect(signalOf(state)).toBe(signal);
  });

  it('sounds at once when it changes, and then once a period', () => {
    expect(nextBurstAt('high', null, 500)).toBe(500);
    expect(nextBurstAt('high', { signal: 'medium', at: 400 }, 500)).toBe(500);
    expect(nextBurstAt('high', { signal: 'high', at: 400 }, 500)).toBe(10_400);
  });
});
