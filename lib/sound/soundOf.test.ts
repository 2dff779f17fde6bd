import { accept, acknowledge, pauseAudio, reassign, reject, take } from '../alerts/actions';
import { recipientsOf } from '../alerts/escalation';
import type { Alert } from '../alerts/alert';
import { createLife, high, middle, type Tier } from '../../test/alertLife';
import { soundOf } from './soundOf';

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

describe('the sound of a user', () => {
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
