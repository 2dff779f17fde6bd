import fc from 'fast-check';
import { accept, acknowledge, reject, release, resolve } from './actions';
import { nextStepAt } from './escalate';
import { isOpen, isOwned, type Alert, type AlertChange } from './alert';
import type { ActionFault } from './actions';
import { createLife, high, middle, mild, worst, type Life, type Tier } from '../../test/alertLife';

const second = 1_000;
const minute = 60 * second;

/** From the mildest to the worst. */
const tiers = [mild, middle, high, worst];

interface Segment {
  /** The place in `tiers`; null: no rule is active. */
  tier: number | null;
  seconds: number;
  act: string | null;
}

const segment = (acts: readonly string[]): fc.Arbitrary<Segment> =>
  fc.record({
    tier: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 4 }),
    seconds: fc.integer({ min: 1, max: 400 }),
    act: fc.option(fc.constantFrom(...acts), { freq: 2 }),
  });

const actions: Record<string, (alert: Alert, at: number) => AlertChange | ActionFault | null> = {
  acknowledge: (alert, at) => acknowledge(alert, 7, at),
  accept: (alert, at) => accept(alert, 7, 1, at),
  'accept by another': (alert, at) => accept(alert, 8, 1, at),
  reject: (alert, at) => reject(alert, 7, 'busy', at),
  release: (alert, at) => release(alert, 'moved', at),
  resolve: (alert, at) => resolve(alert, 7, { is: 'artefact', note: '' }, at),
};
const everyAction = Object.keys(actions);

/** Plays the segments, each with its action at its beginning; `look` runs after each of them. */
function play(segments: readonly Segment[], look: (life: Life) => void = () => {}): Life {
  const life = createLife();
  for (const { tier, seconds, act } of segments) {
    const action = act === null ? undefined : actions[act];
    life.take(tierOf(tier));
    if (action !== undefined) {
      life.act(action);
    }
    life.wait(seconds * second);
    look(life);
  }
  return life;
}

const tierOf = (place: number | null): Tier | null => (place === null ? null : (tiers[place] ?? null));

/** When each role and each contact was first asked after an instant. */
function firstAsked(life: Life, after: number): Map<string, number> {
  const first = new Map<string, number>();
  for (const event of life.events) {
    if (event.is === 'asked' && event.at > after) {
      for (const who of [...event.to.roles, ...(event.to.contact === null ? [] : [event.to.contact])]) {
        first.set(who, Math.min(first.get(who) ?? Infinity, event.at));
      }
    }
  }
  return first;
}

describe('for any stream and any actions', () => {
  it('no one is asked later than before because the patient got worse', () => {
    const worsening = fc.record({
      before: fc.array(segment(everyAction), { maxLength: 8 }),
      tier: fc.integer({ min: 0, max: 2 }),
      seconds: fc.integer({ min: 1, max: 400 }),
      more: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(worsening, ({ before, tier, seconds, more }) => {
        const soFar = [...before, { tier, seconds, act: null }];
        const hence = { seconds: 2_400, act: null };
        const at = play(soFar).now;
        const same = firstAsked(play([...soFar, { ...hence, tier }]), at);
        const worse = firstAsked(play([...soFar, { ...hence, tier: Math.min(3, tier + more) }]), at);
        const later = [...same].filter(([who, time]) => (worse.get(who) ?? Infinity) > time);
        expect(later).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('no step is asked in a burst with the one before it, also after an outage', () => {
    const away = fc.record({ segment: segment(everyAction), awaySeconds: fc.nat(3_600) });
    fc.assert(
      fc.property(fc.array(away, { minLength: 1, maxLength: 12 }), (steps) => {
        const life = createLife();
        for (const { segment: one, awaySeconds } of steps) {
          life.take(tierOf(one.tier));
          const action = one.act === null ? undefined : actions[one.act];
          if (action !== undefined) {
            life.act(action);
          }
          life.jump(awaySeconds * second).wait(one.seconds * second);
        }
        let last = -Infinity;
        const bursts: number[] = [];
        for (const { events } of life.changes) {
          const asked = events.filter((event) => event.is === 'asked');
          // What a user, a raise or an upgrade caused is asked at once.
          const isByTime = events.every(({ is }) => is === 'asked' || is === 'reminded' || is === 'owner_asked');
          for (const { step, at } of asked) {
            bursts.push(...(step > 0 && isByTime && at - last < minute ? [at] : []));
            last = step > 0 ? at : last;
          }
        }
        expect(bursts).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('no HIGH alert ends unanswered before step 1 was asked', () => {
    fc.assert(
      fc.property(fc.array(segment(['reject', 'release']), { minLength: 1, maxLength: 12 }), (segments) => {
        play(segments, ({ alert, now }) => {
          const isUnanswered = alert !== null && isOpen(alert) && alert.latched && !isOwned(alert);
          const nextAt = alert === null ? null : nextStepAt(alert.escalation);
          const step = alert?.escalation.step ?? 0;
          expect(isUnanswered && step < 2 ? nextAt !== null && nextAt > now : true).toBe(true);
          const lastRaisedAt = alert?.lastRaisedAt ?? now;
          expect(isUnanswered && now - lastRaisedAt > minute ? step >= 2 : true).toBe(true);
        });
      }),
      { numRuns: 200 },
    );
  });

  it('acceptance is lost only by an action, a release or a new episode', () => {
    fc.assert(
      fc.property(fc.array(segment(everyAction), { minLength: 1, maxLength: 15 }), (segments) => {
        const life = play(segments);
        let before: Alert | null = null;
        const lost: Alert[] = [];
        for (const { alert, events } of life.changes) {
          if (before !== null && isOwned(before) && alert.responsibility?.by !== before.responsibility?.by) {
            const isNew = alert.escalation.startedAt !== before.escalation.startedAt;
            const isResolved = before.closed?.because === 'resolved';
            const isGiven = events.some(({ is }) => is === 'released' || is === 'accepted');
            lost.push(...(isNew || isResolved || isGiven ? [] : [alert]));
          }
          before = alert;
        }
        expect(lost).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
