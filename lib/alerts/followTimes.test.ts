import fc from 'fast-check';
import { accept, acknowledge, reject } from './actions';
import { isOpen, isOwned, type Alert, type AlertChange } from './alert';
import type { ActionFault } from './actions';
import { defaultEscalationTimes, type EscalationTimes } from './escalationTimes';
import { createLife, high, middle, mild, worst, type Life } from '../../test/alertLife';
import { arbitraryTimes } from '../../test/arbitraryTimes';

const second = 1_000;
const minute = 60 * second;

const timesWith = (steps: number[], repeat = defaultEscalationTimes.repeat): EscalationTimes => ({
  steps: { ...defaultEscalationTimes.steps, high: steps },
  repeat,
});
const short = timesWith([30, 60, 180]);
const long = timesWith([180, 300, 900]);

/** The steps that were asked, with the seconds since the start of the test. */
const stepsOf = (life: Life): [number, number][] =>
  life.events.flatMap((event) => (event.is === 'asked' ? [[event.step, event.at / second]] : []));

describe('times that a site approves', () => {
  it('are those of every alert that is raised afterwards', () => {
    const life = createLife()
      .approve(long)
      .take(high)
      .wait(20 * minute);
    expect(stepsOf(life)).toEqual([
      [0, 0],
      [1, 180],
      [2, 300],
      [3, 900],
    ]);
  });

  it('delay no step of an open alert, if they are longer', () => {
    const life = createLife()
      .take(high)
      .wait(30 * second)
      .approve(long)
      .wait(20 * minute);
    expect(stepsOf(life)).toEqual([
      [0, 0],
      [1, 60],
      [2, 120],
      [3, 300],
    ]);
  });

  it('apply to an open alert at once, if they are shorter, and ask no two steps in a burst', () => {
    const early = createLife()
      .take(high)
      .wait(10 * second)
      .approve(short)
      .wait(20 * minute);
    expect(stepsOf(early)).toEqual([
      [0, 0],
      [1, 30],
      [2, 60],
      [3, 180],
    ]);
    const late = createLife()
      .take(high)
      .wait(40 * second)
      .approve(short)
      .wait(20 * minute);
    expect(stepsOf(late)).toEqual([
      [0, 0],
      [1, 40],
      [2, 70],
      [3, 190],
    ]);
  });

  it('stay those of an open alert when the site moves them back', () => {
    const life = createLife()
      .take(high)
      .wait(5 * second)
      .approve(short)
      .wait(5 * second)
      .approve(long)
      .wait(20 * minute);
    expect(stepsOf(life).map(([, at]) => at)).toEqual([0, 30, 60, 180]);
  });

  it('are the new ones for the next episode of an alert that is still listed', () => {
    const life = createLife()
      .take(middle)
      .wait(30 * second)
      .approve(long)
      .take(null)
      .wait(10 * minute)
      .take(high)
      .wait(20 * minute);
    expect(stepsOf(life).map(([, at]) => at)).toEqual([0, 630, 810, 930, 1_530]);
  });

  it('change nothing for a user who holds the alert, and what is left when they give it back is the shorter', () => {
    const life = createLife()
      .take(high)
      .wait(10 * second)
      .act((alert, at) => accept(alert, 7, 1, at))
      .approve(short)
      .wait(10 * minute);
    expect(stepsOf(life)).toEqual([[0, 0]]);
    life.act((alert, at) => reject(alert, 7, 'called away', at)).wait(10 * minute);
    expect(stepsOf(life).map(([, at]) => at)).toEqual([0, 610, 640, 670, 790]);
  });

  it('count repeated raises by the rule of the site, and by the more eager one while an alert is open', () => {
    const dips = (life: Life): number[] => {
      for (let dip = 0; dip < 6; dip += 1) {
        life
          .take(high)
          .wait(5 * second)
          .take(null)
          .wait(25 * second);
      }
      return stepsOf(life).map(([, at]) => at);
    };
    const rule = (raises: number) => timesWith([180, 300, 900], { raises, withinMinutes: 10 });
    // The second raise; the fourth one asks again.
    expect(dips(createLife().approve(rule(2))).slice(0, 3)).toEqual([0, 30, 90]);
    expect(dips(createLife().approve(rule(5))).slice(0, 2)).toEqual([0, 120]);
    const open = createLife().approve(rule(2)).take(high).wait(second).approve(rule(5));
    expect(
      stepsOf(
        open
          .take(null)
          .wait(30 * second)
          .take(high),
      ).map(([, at]) => at),
    ).toEqual([0, 31]);
  });
});

const tiers = [mild, middle, high, worst];
const actions: Record<string, (alert: Alert, at: number) => AlertChange | ActionFault> = {
  acknowledge: (alert, at) => acknowledge(alert, 7, at),
  accept: (alert, at) => accept(alert, 7, 1, at),
  reject: (alert, at) => reject(alert, 7, 'busy', at),
};

interface Story {
  before: { tier: number | null; seconds: number; act: string | null }[];
  tier: number;
  seconds: number;
  old: EscalationTimes;
  changed: EscalationTimes;
}

const story: fc.Arbitrary<Story> = fc.record({
  before: fc.array(
    fc.record({
      tier: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 4 }),
      seconds: fc.integer({ min: 1, max: 400 }),
      act: fc.option(fc.constantFrom(...Object.keys(actions)), { freq: 2 }),
    }),
    { maxLength: 6 },
  ),
  tier: fc.integer({ min: 1, max: 3 }),
  seconds: fc.integer({ min: 1, max: 400 }),
  old: arbitraryTimes,
  changed: arbitraryTimes,
});

/** The life of the story until the site approves other times. */
function until({ before, tier, seconds, old }: Story): Life {
  const life = createLife().approve(old);
  for (const one of [...before, { tier, seconds, act: null }]) {
    const action = one.act === null ? undefined : actions[one.act];
    life.take(one.tier === null ? null : (tiers[one.tier] ?? null));
    if (action !== undefined) {
      life.act(action);
    }
    life.wait(one.seconds * second);
  }
  return life;
}

/** When each role and each contact was first asked from an instant on. */
function firstAsked(life: Life, from: number): Map<string, number> {
  const first = new Map<string, number>();
  for (const event of life.events) {
    if (event.is === 'asked' && event.at >= from) {
      for (const who of [...event.to.roles, ...(event.to.contact === null ? [] : [event.to.contact])]) {
        first.set(who, Math.min(first.get(who) ?? Infinity, event.at));
      }
    }
  }
  return first;
}

describe('whatever a site approves while an alert is open', () => {
  it('no one is asked later than by the times before', () => {
    fc.assert(
      fc.property(story, (one) => {
        const at = until(one).now;
        const same = firstAsked(until(one).wait(60 * minute, 10 * second), at);
        const other = firstAsked(
          until(one)
            .approve(one.changed)
            .wait(60 * minute, 10 * second),
          at,
        );
        expect([...same].filter(([who, time]) => (other.get(who) ?? Infinity) > time)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('no one is asked later than by the new times, counted from then on', () => {
    fc.assert(
      fc.property(story, (one) => {
        const life = until(one);
        const { alert, now: at } = life;
        fc.pre(alert !== null && isOpen(alert) && !isOwned(alert));
        const known = firstAsked(life, alert?.escalation.startedAt ?? 0);
        const tier = tiers[one.tier] ?? high;
        const fresh = firstAsked(
          createLife()
            .approve(one.changed)
            .take(tier)
            .wait(60 * minute, 10 * second),
          0,
        );
        const asked = firstAsked(life.approve(one.changed).wait(60 * minute, 10 * second), at);
        const later = [...fresh].filter(([who, time]) => !known.has(who) && (asked.get(who) ?? Infinity) > at + time);
        expect(later).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
