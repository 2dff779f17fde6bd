import fc from 'fast-check';
import { accept, acknowledge, reassign, reject, release, resolve, take } from './actions';
import { nextStepAt } from './escalate';
import { isOpen, isOwned, type Alert, type AlertChange } from './alert';
import type { ActionFault } from './actions';
import { withdraw } from './withdraw';
import { defaultEscalationTimes, type EscalationTimes } from './escalationTimes';
import { arbitraryTimes } from '../../test/arbitraryTimes';
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
  take: (alert, at) => take(alert, 7, { unitId: 1 }, at),
  'take over': (alert, at) => take(alert, 8, { unitId: 1, takeOver: true }, at),
  reassign: (alert, at) => reassign(alert, 7, 8, at),
};
const everyAction = Object.keys(actions);
/** Those that their user can take back. */
const undoable = ['acknowledge', 'accept', 'accept by another', 'take', 'take over'];
const undo = (alert: Alert, at: number): AlertChange | ActionFault => withdraw(alert, alert.undo?.by ?? 0, at);

/** Plays the segments, each with its action at its beginning; `look` runs after each of them. */
function play(
  segments: readonly Segment[],
  look: (life: Life) => void = () => {},
  times: EscalationTimes = defaultEscalationTimes,
): Life {
  const life = createLife().approve(times);
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

/** An action on the alert of a life, and how many seconds later its user takes it back. */
interface Undone extends Pick<Segment, 'tier' | 'seconds'> {
  before: Segment[];
  act: string;
  undoneAfter: number;
}

/**
 * Plays a life with an action that is taken back, and the same life without it; null if it was not done, or something
 * else happened in between. `isQuiet`: nothing fell due in between.
 */
function withAndWithout({
  before,
  tier,
  seconds,
  act,
  undoneAfter,
}: Undone): { life: Life; other: Life; isQuiet: boolean } | null {
  const soFar = [...before, { tier, seconds, act: null }];
  const [life, other] = [play(soFar), play(soFar)];
  const action = actions[act];
  const [actedAt, lines] = [life.now, other.events.length];
  life.act((alert, at) => action?.(alert, at) ?? null).wait(undoneAfter * second);
  other.wait(undoneAfter * second);
  const isMade = life.alert !== null && life.alert.undo?.at === actedAt;
  life.act(undo);
  const isAlone = life.changes.at(-1)?.events.every(({ is }) => is.endsWith('_withdrawn')) === true;
  return isMade && life.refused === null ? { life, other, isQuiet: isAlone && other.events.length === lines } : null;
}

describe('for any stream and any actions', () => {
  it('no one is asked later than before because the patient got worse', () => {
    const worsening = fc.record({
      before: fc.array(segment(everyAction), { maxLength: 8 }),
      tier: fc.integer({ min: 0, max: 2 }),
      seconds: fc.integer({ min: 1, max: 400 }),
      more: fc.integer({ min: 1, max: 3 }),
      times: fc.oneof(fc.constant(defaultEscalationTimes), arbitraryTimes),
    });
    fc.assert(
      fc.property(worsening, ({ before, tier, seconds, more, times }) => {
        const asIs = (): void => {};
        const soFar = [...before, { tier, seconds, act: null }];
        const hence = { seconds: 2_400, act: null };
        const at = play(soFar, asIs, times).now;
        const same = firstAsked(play([...soFar, { ...hence, tier }], asIs, times), at);
        const worse = firstAsked(play([...soFar, { ...hence, tier: Math.min(3, tier + more) }], asIs, times), at);
        const later = [...same].filter(([who, time]) => (worse.get(who) ?? Infinity) > time);
        expect(later).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  const undone: fc.Arbitrary<Undone> = fc.record({
    before: fc.array(segment(everyAction), { maxLength: 8 }),
    tier: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 4 }),
    seconds: fc.integer({ min: 1, max: 400 }),
    act: fc.constantFrom(...undoable),
    undoneAfter: fc.integer({ min: 0, max: 15 }),
  });

  it('no one is asked later because of an action that was taken back', () => {
    let played = 0;
    fc.assert(
      fc.property(undone, (one) => {
        const both = withAndWithout(one);
        if (both === null) {
          return;
        }
        played += 1;
        const { life, other } = both;
        const at = life.now;
        const since = at - 16 * second;
        // Both are asked at the same ticks, so that few of them show who is asked later.
        life.wait(2_400 * second, 10 * second);
        other.wait(2_400 * second, 10 * second);
        const [asked, expected] = [firstAsked(life, since), firstAsked(other, since)];
        // What fell due before the undo is asked with it.
        const later = [...expected].filter(([who, time]) => (asked.get(who) ?? Infinity) > Math.max(time, at));
        expect(later).toEqual([]);
      }),
      { numRuns: 150 },
    );
    expect(played).toBeGreaterThan(20);
  });

  it('an action that is taken back before anything fell due leaves the alert as it was', () => {
    let played = 0;
    fc.assert(
      fc.property(undone, (one) => {
        const both = withAndWithout(one);
        const [alert, expected] = [both?.life.alert ?? null, both?.other.alert ?? null];
        if (both === null || !both.isQuiet || alert === null || expected === null) {
          return;
        }
        played += 1;
        expect({ ...alert, version: 0 }).toEqual({ ...expected, version: 0, undo: null });
        expect(alert.version).toBeGreaterThanOrEqual(expected.version);
      }),
      { numRuns: 150 },
    );
    expect(played).toBeGreaterThan(20);
  });

  it('the version grows with each raise and upgrade, so no click for a milder state silences a worse one', () => {
    fc.assert(
      fc.property(fc.array(segment(everyAction), { minLength: 1, maxLength: 12 }), (segments) => {
        let before: Alert | null = null;
        const unnoticed: Alert[] = [];
        for (const { alert, events } of play(segments).changes) {
          const isWorse = events.some(({ is }) => is === 'raised_again' || is === 'upgraded');
          unnoticed.push(...(isWorse && alert.version <= (before?.version ?? 0) ? [alert] : []));
          before = alert;
        }
        expect(unnoticed).toEqual([]);
      }),
      { numRuns: 200 },
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
