import { createLife, high, middle, type Tier } from '../../test/alertLife';
import { accept, acknowledge, pauseAudio, reassign, reject, take } from '../alerts/actions';
import type { Alert } from '../alerts/alert';
import { recipientsOf } from '../alerts/escalation';
import { type Burst, bursts, harmonics, nextBurstAt, riseShare, type Signal, signalOf } from './bursts';
import { soundOf } from './soundOf';

describe('bursts', () => {
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
});

describe('the sound of a user', () => {
  const [nurse, other] = [7, 8];
  const second = 1_000;

  /** An alert that was raised at 0 and has asked the nurse alone, or the whole unit, a second later. */
  function raised(tier: Tier, by: 'nurse' | 'unit' = 'nurse'): Alert {
    const holders = by === 'nurse' ? [{ role: 'nurse' as const, userId: nurse }] : [];
    const { alert } = createLife('continuous', (step) => recipientsOf(step, holders))
      .take(tier)
      .wait(second);
    if (alert === null) {
      throw new Error('No alert was raised');
    }
    return alert;
  }
  function after(change: ReturnType<typeof acknowledge>): Alert {
    if (typeof change === 'string') {
      throw new Error(change);
    }
    return change.alert;
  }
  const now = 2 * second;

  it('is that of the alerts that asked them, and of no others', () => {
    expect(soundOf([raised(high)], nurse, now)).toEqual({ priority: 'high', pause: null });
    expect(soundOf([raised(high)], other, now)).toEqual({ priority: null, pause: null });
    expect(soundOf([raised(high, 'unit')], other, now).priority).toBe('high');
  });

  it('is the most urgent one alone', () => {
    expect(soundOf([raised(middle), raised(high), raised(middle)], nurse, now).priority).toBe('high');
    expect(soundOf([raised(middle)], nurse, now).priority).toBe('medium');
  });

  it('ends with the acknowledgement, and goes on for another alert', () => {
    const seen = after(acknowledge(raised(high), nurse, now));
    expect(soundOf([seen], nurse, now).priority).toBeNull();
    expect(soundOf([seen, raised(middle)], nurse, now).priority).toBe('medium');
  });

  it('is also that of an alert which a user took over from those it asked', () => {
    expect(soundOf([after(accept(raised(high), other, null, now))], other, now).priority).toBe('high');
  });

  it('asks the user to whom a colleague hands over what was acknowledged, and no one else, until they answer', () => {
    const owned = after(take(raised(high), nurse, { unitId: null }, now));
    const handed = after(reassign(owned, nurse, other, now));
    expect([nurse, other].map((user) => soundOf([handed], user, now).priority)).toEqual([null, 'high']);
    const answers = [
      acknowledge(handed, other, now + 1),
      take(handed, other, { unitId: null, takeOver: true }, now + 1),
      reject(handed, other, 'With another patient', now + 1),
    ];
    for (const answer of answers) {
      expect([nurse, other].map((user) => soundOf([after(answer)], user, now + 2).priority)).toEqual([null, null]);
    }
    expect(after(acknowledge(handed, other, now + 1)).acknowledged).toEqual({ by: other, at: now + 1 });
  });

  it('is paused for alerts as urgent and less, and not for a more urgent one', () => {
    const paused = after(pauseAudio(raised(middle), nurse, 60 * second, now));
    const pause = { by: nurse, until: now + 60 * second };
    expect(soundOf([paused, raised(middle)], nurse, now)).toEqual({ priority: null, pause });
    expect(soundOf([paused, raised(high)], nurse, now)).toEqual({ priority: 'high', pause });
    expect(soundOf([paused, raised(middle)], nurse, now + 60 * second)).toEqual({ priority: 'medium', pause: null });
  });

  it('is that of an alert which is raised during the pause of another one, as urgent as it is', () => {
    const paused = after(pauseAudio(raised(high), nurse, 60 * second, now));
    const raisedAt = (lastRaisedAt: number): Alert => ({ ...raised(high), lastRaisedAt });
    expect(soundOf([paused, raisedAt(now)], nurse, now + 1).priority).toBeNull();
    expect(soundOf([paused, raisedAt(now + 1)], nurse, now + 1).priority).toBe('high');
  });

  it('is not silenced by the pause of an alert that asked others, though its user sees that pause', () => {
    const paused = after(pauseAudio(raised(high), nurse, 60 * second, now));
    expect(soundOf([paused, raised(high, 'unit')], other, now)).toEqual({
      priority: 'high',
      pause: { by: nurse, until: now + 60 * second },
    });
  });
});
