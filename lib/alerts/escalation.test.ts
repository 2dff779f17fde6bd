import fc from 'fast-check';
import { createLife, high, type Life, middle, mild, type Tier, worst } from '../../test/alertLife';
import { arbitraryTimes } from '../../test/arbitraryTimes';
import { fuzzRuns } from '../../test/fuzzRuns';
import { siteEscalation } from '../../test/siteEscalation';
import { accept, acknowledge, type ActionFault, noteOwner, reassign, reject, release, resolve, take } from './actions';
import { type Alert, type AlertChange, isOpen, isOwned, isSounding } from './alert';
import { alertFacts } from './alertFacts';
import { escalate, nextStepAt } from './escalate';
import { leastGapSeconds, repeatBounds, stepBounds } from './escalationBounds';
import {
  defaultEscalationTimes,
  type EscalationTimes,
  type PlanName,
  planNames,
  shorterTimes,
} from './escalationTimes';
import { escalationTimes } from './escalationTimesSchema';
import { askedWords, secondsWords } from './escalationTimesWords';
import { askedByPlan } from './plansOf';
import { withdraw } from './withdraw';

const second = 1_000;
const minute = 60 * second;

describe('escalate', () => {
  const nurse = 7;
  const other = 8;

  /** The steps that were asked, with the seconds since the start of the test. */
  const stepsOf = (life: Life): [number, number][] =>
    life.events.flatMap((event) => (event.is === 'asked' && event.step < 4 ? [[event.step, event.at / second]] : []));
  const wordsOf = (life: Life): string[] => life.events.map(({ is }) => is);
  const linesOf = (life: Life, is: string): number[] =>
    life.events.flatMap((event) => (event.is === is ? [event.at / second] : []));

  const sounds = ({ alert, now }: Life): boolean => alert !== null && isSounding(alert, now);

  describe('the escalation of an alert', () => {
    it.each([
      ['high', high, [0, 60, 120, 300]],
      ['medium', middle, [0, 300, 600, 1_800]],
    ] as const)('asks the steps of %s at their times, each once', (_, tier, expected) => {
      const life = createLife()
        .take(tier)
        .wait(3 * 60 * minute, 10 * second);
      expect(stepsOf(life)).toEqual(expected.map((at, step) => [step, at]));
    });

    it('asks a LOW alert at home after four hours, and on the ward no one', () => {
      const atHome = createLife('home')
        .take(mild)
        .wait(5 * 60 * minute, minute);
      expect(stepsOf(atHome)).toEqual([
        [0, 0],
        [1, 14_400],
      ]);
      expect(
        stepsOf(
          createLife()
            .take(mild)
            .wait(5 * 60 * minute, minute),
        ),
      ).toEqual([]);
      const seen = createLife('home')
        .take(mild)
        .wait(minute)
        .act((alert, at) => acknowledge(alert, nurse, at));
      expect(stepsOf(seen.wait(5 * 60 * minute, minute))).toEqual([[0, 0]]);
    });

    it('counts only the time in which the condition is active, and asks step 1 all the same', () => {
      // Active for 55 s of each 75 s, as 84 % for 40 s and 95 % for 35 s are.
      const life = createLife();
      for (let dip = 0; dip < 12; dip += 1) {
        life
          .take(high)
          .wait(55 * second)
          .take(null)
          .wait(20 * second);
      }
      const steps = stepsOf(life);
      expect(steps.map(([step]) => step)).toEqual([0, 1, 2, 3]);
      expect(steps[1]).toEqual([1, 60]);
      // The third raise asks the next step (E4).
      expect(steps[2]).toEqual([2, 150]);
      expect(steps[3]?.[1]).toBeLessThan(500);
    });

    it('asks everyone about a desaturation of 8 s every 2 min', () => {
      const life = createLife();
      for (let dip = 0; dip < 10; dip += 1) {
        life
          .take(worst)
          .wait(36 * second)
          .take(null)
          .wait(84 * second);
      }
      const steps = stepsOf(life);
      expect(steps.map(([step]) => step)).toEqual([0, 1, 2, 3]);
      expect(steps.at(-1)?.[1]).toBeLessThan(15 * 60);
    });

    it('asks rapid response at its time after a fall at 317 s, and the nurse at once', () => {
      const life = createLife()
        .take(high)
        .wait(296 * second)
        .take(worst)
        .wait(10 * minute);
      expect(stepsOf(life).slice(3)).toEqual([
        [0, 296],
        [3, 300],
      ]);
    });

    it('asks the next step of the new plan after its interval if that is sooner', () => {
      const life = createLife()
        .take(middle)
        .wait(100 * second)
        .take(high)
        .wait(10 * minute);
      expect(stepsOf(life)).toEqual([
        [0, 0],
        [0, 100],
        [1, 160],
        [2, 220],
        [3, 400],
      ]);
    });

    it('goes on with the people who were not asked yet if the priority rises late', () => {
      const life = createLife()
        .take(middle)
        .wait(29 * minute + 50 * second)
        .take(high)
        .wait(5 * minute);
      // Nurse, buddy and charge nurse were asked: the physician is next, not later than before.
      expect(stepsOf(life).slice(3)).toEqual([
        [0, 1_790],
        [2, 1_800],
        [3, 1_980],
      ]);
    });

    it('asks no one later who was due by a milder plan that had asked no one yet', () => {
      const life = createLife()
        .take(high)
        .act((alert, at) => acknowledge(alert, nurse, at))
        .wait(second)
        .take(middle)
        .wait(249 * second)
        .take(high)
        .wait(2 * minute);
      // The milder plan was due after 300 s; of the first 60 s of the worse one, 59 were left at 250 s.
      expect(stepsOf(life)).toEqual([
        [0, 0],
        [0, 250],
        [1, 300],
        [2, 360],
      ]);
    });

    it('asks everybody for an alert that gets milder and worse again and again', () => {
      const life = createLife()
        .take(high)
        .act((alert, at) => acknowledge(alert, nurse, at));
      for (let turn = 0; turn < 60; turn += 1) {
        life.take(turn % 2 === 0 ? middle : high).wait(20 * second);
      }
      expect(new Set(stepsOf(life).map(([step]) => step))).toEqual(new Set([0, 1, 2, 3]));
    });

    it('asks one step after an outage, and the next one an interval later', () => {
      const life = createLife()
        .take(high)
        .jump(10 * minute)
        .wait(10 * minute);
      expect(stepsOf(life)).toEqual([
        [0, 0],
        [1, 600],
        [2, 660],
        [3, 840],
      ]);
    });

    it('waits while a user holds the alert, with the time that is left', () => {
      const life = createLife()
        .take(high)
        .wait(50 * second)
        .act((alert, at) => accept(alert, nurse, 1, at))
        .wait(5 * minute);
      expect(stepsOf(life)).toEqual([[0, 0]]);
      expect(life.alert?.escalation).toMatchObject({ runsSince: null, leftMs: { high: 10 * second } });
    });

    it('begins again with step 0 for an episode more than 5 min after the end, also in a listed alert', () => {
      const life = createLife()
        .take(high)
        .act((alert, at) => accept(alert, nurse, 1, at))
        .wait(10 * second)
        .take(null)
        .wait(5 * minute + 1 * second)
        .take(high);
      expect(wordsOf(life)).toEqual(['raised', 'asked', 'accepted', 'ended', 'raised_again', 'asked']);
      expect(life.alert).toMatchObject({
        responsibility: null,
        escalation: { startedAt: 311 * second, step: 1 },
        lastRaisedAt: 311 * second,
      });
      life.wait(60 * second);
      expect(stepsOf(life).at(-1)).toEqual([1, 371]);
    });

    it('begins a new alert with step 0 and without an owner after a closed one', () => {
      const life = createLife()
        .take(high)
        .act((alert, at) => accept(alert, nurse, 1, at))
        .act((alert, at) => acknowledge(alert, nurse, at))
        .take(null)
        .wait(6 * minute)
        .take(high);
      expect(life.alert).toMatchObject({ responsibility: null, episodes: 1, escalation: { step: 1 } });
    });
  });

  describe('an alert for other people than the roles of its plan', () => {
    it('asks each step once', () => {
      const about = { roles: [], userIds: [nurse], wholeUnit: false, unheld: [], contact: null };
      const life = createLife('continuous', () => about)
        .take(high)
        .wait(20 * minute);
      expect(stepsOf(life).map(([step]) => step)).toEqual([0, 1, 2, 3]);
    });
  });

  describe('an alert that a user has accepted', () => {
    const accepted = (tier = high): Life =>
      createLife()
        .take(tier)
        .act((alert, at) => accept(alert, nurse, 1, at));

    it('keeps its owner when the condition returns, and sounds again', () => {
      const life = accepted()
        .act((alert, at) => acknowledge(alert, nurse, at))
        .wait(30 * second)
        .take(null)
        .wait(35 * second)
        .take(high);
      expect(life.alert).toMatchObject({
        responsibility: { is: 'accepted', by: nurse },
        acknowledged: null,
        closed: null,
        episodes: 2,
      });
      expect(stepsOf(life.wait(10 * minute))).toEqual([[0, 0]]);
    });

    describe('whose rule gets worse within its priority', () => {
      const score: Tier = { rule: 'news2.high', priority: 'high' };
      const ownerAsked = (life: Life): number[] => linesOf(life, 'owner_asked');
      const answer = (life: Life): Life => life.act((alert, at) => accept(alert, nurse, 1, at));

      it('asks its owner for a new accept at once, and the next step without it, and keeps the name', () => {
        const life = accepted().wait(minute).take(worst);
        expect([ownerAsked(life), sounds(life)]).toEqual([[60], true]);
        expect(life.alert?.escalation.leftMs.high).toBe(minute);
        life.wait(minute - second);
        expect(stepsOf(life)).toEqual([[0, 0]]);
        expect(stepsOf(life.wait(second))).toEqual([[0, 0], [1, 120]]); // prettier-ignore
        expect(life.alert?.responsibility).toMatchObject({ is: 'accepted', by: nurse });
      });

      it('asks once per rule and episode, whatever it was in between, and no one when it gets milder', () => {
        const life = answer(accepted().wait(minute).take(worst).wait(second));
        // Taken milder only 10 min after it got worse.
        for (let turn = 0; turn < 2; turn += 1) {
          life
            .wait(11 * minute)
            .take(high)
            .wait(second);
          expect(life.alert?.rule).toBe(high.rule);
          answer(life)
            .wait(11 * minute)
            .take(worst)
            .wait(second);
          answer(life);
        }
        expect(ownerAsked(life).filter((at) => at < 30 * 60)).toEqual([60]);
      });

      it.each([
        [14 * 60 + 59, []],
        [15 * 60, [15 * 60]],
        [16 * 60, [16 * 60]],
      ])('asks for the second of two worse rules %i s after the first, in 15 min once', (later, at) => {
        const life = accepted(score).wait(minute).take(high).wait(second);
        answer(life).wait((later - 1) * second);
        life.take(worst);
        expect(ownerAsked(life)).toEqual([60, ...at.map((each) => 60 + each)]);
        // What came too soon is asked for at its time.
        life.wait(second);
        expect(ownerAsked(life)).toEqual([60, 60 + Math.max(later, 15 * 60)]);
      });

      it('does not ask for what its owner took meanwhile, or what is over', () => {
        const life = accepted(score).wait(minute).take(high).wait(second);
        answer(life).wait(minute).take(worst).wait(second);
        expect(ownerAsked(answer(life).wait(20 * minute))).toEqual([60]);
        const over = accepted(score).wait(minute).take(high).wait(second);
        answer(over).wait(minute).take(worst).wait(minute).take(null);
        expect(ownerAsked(over.wait(20 * minute))).toEqual([60]);
      });

      it('asks also when it begins again as the worse one, and after an upgrade to another priority', () => {
        const again = accepted().wait(minute).take(null).wait(minute).take(worst);
        expect(ownerAsked(again)).toEqual([120]);
        const upgraded = accepted(middle).wait(minute).take(high).wait(second);
        expect(ownerAsked(answer(upgraded).wait(minute).take(worst))).toEqual([60, 121]);
        const atOnce = accepted(middle).wait(minute).take(worst).wait(second);
        expect(ownerAsked(answer(atOnce).wait(20 * minute))).toEqual([60]);
      });

      it('asks no owner where no one accepted it, and later not for what they accepted', () => {
        const life = createLife().take(high).wait(second).take(worst).wait(second);
        expect(ownerAsked(answer(life).wait(20 * minute))).toEqual([]);
      });

      it('asks who took the milder one for a rule that it had before', () => {
        const life = createLife()
          .take(high)
          .wait(second)
          .take(worst)
          .wait(11 * minute)
          .take(high)
          .wait(second);
        expect(ownerAsked(answer(life).wait(minute).take(worst))).toHaveLength(1);
      });

      it('asks no one in a standby, and once after it', () => {
        const life = accepted().wait(minute).hold(true).take(worst).wait(minute);
        expect(ownerAsked(life)).toEqual([]);
        expect(ownerAsked(life.hold(false))).toEqual([120]);
      });

      it('of an earlier release, and over a restart, asks once', () => {
        const stored = (life: Life): Life => {
          life.alert = alertFacts.parse(JSON.parse(JSON.stringify(life.alert)));
          return life;
        };
        const before = accepted().wait(minute);
        const { knownRule, ...escalation } = (before.alert as Alert).escalation;
        before.alert = { ...(before.alert as Alert), escalation };
        expect(knownRule).toMatchObject({ rule: high.rule });
        const life = stored(stored(before).wait(second).take(worst)).wait(second);
        expect(ownerAsked(stored(answer(life)).wait(20 * minute))).toEqual([61]);
      });
    });

    it('asks its owner at once when its priority rises, and the next step without a new accept', () => {
      const life = accepted(middle)
        .wait(minute)
        .take(high)
        .wait(5 * minute);
      expect(linesOf(life, 'owner_asked')).toEqual([60]);
      expect(stepsOf(life).slice(1)).toEqual([
        [1, 120],
        [2, 180],
        [3, 360],
      ]);
      expect(life.alert?.responsibility).toMatchObject({ is: 'accepted', by: nurse });
    });

    it('asks no one else when its owner accepts again in time', () => {
      const life = accepted(middle)
        .wait(minute)
        .take(high)
        .wait(59 * second)
        .act((alert, at) => accept(alert, nurse, 1, at))
        .wait(20 * minute);
      expect(stepsOf(life)).toEqual([[0, 0]]);
    });

    it.each([
      ['HIGH', 30, 60, high],
      ['MEDIUM', 60, 300, middle],
    ] as const)(
      'asks the owner of a %s one aloud after %d min, not before, and the next step if there is no answer',
      (_, min, sec, tier) => {
        const life = createLife().take(tier);
        for (const asked of [1, 2, 3]) {
          life.act((alert, at) => take(alert, nurse, { unitId: 1 }, at)).wait(min * minute - second);
          expect([linesOf(life, 'owner_asked').length, sounds(life)]).toEqual([asked - 1, false]);
          expect([linesOf(life.wait(second), 'owner_asked').length, sounds(life)]).toEqual([asked, true]);
        }
        // To silence it is no answer.
        life.act((alert, at) => acknowledge(alert, nurse, at)).wait((sec - 1) * second);
        expect([stepsOf(life).length, sounds(life)]).toEqual([1, false]);
        expect([stepsOf(life.wait(second))[1], sounds(life)]).toEqual([[1, 3 * min * 60 + sec], true]);
        expect(wordsOf(life)).not.toContain('reminded');
      },
    );

    it('asks its owner again after three HIGH raises, at most once in 15 min', () => {
      const start = 20 * 60;
      const life = createLife()
        .wait(start * second)
        .take(high)
        .act((alert, at) => accept(alert, nurse, 1, at));
      for (let dip = 0; dip < 9; dip += 1) {
        life
          .wait(30 * second)
          .take(null)
          .wait(35 * second)
          .take(high);
        life.act((alert, at) => accept(alert, nurse, 1, at));
      }
      // Raised at 0, 65 and 130 s, and six times more.
      expect(linesOf(life, 'owner_asked')).toEqual([start + 130]);
    });

    it('asks step 0 again when its owner gives it back, and the next step an interval later', () => {
      const life = createLife()
        .take(high)
        .wait(59 * second)
        .act((alert, at) => accept(alert, nurse, 1, at))
        .wait(minute)
        .act((alert, at) => reject(alert, nurse, 'called away', at))
        .wait(2 * minute);
      expect(wordsOf(life).slice(0, 6)).toEqual(['raised', 'asked', 'accepted', 'rejected', 'released', 'asked']);
      expect(stepsOf(life)).toEqual([
        [0, 0],
        [0, 119],
        [1, 179],
        [2, 239],
      ]);
    });

    it('asks those who are responsible now when its owner is gone, and says who it was', () => {
      const life = accepted()
        .act((alert, at) => acknowledge(alert, nurse, at))
        .wait(minute)
        .act((alert, at) => release(alert, 'disabled', at));
      expect(life.alert).toMatchObject({
        acknowledged: null,
        responsibility: { is: 'released', by: nurse, because: 'disabled' },
      });
      expect(stepsOf(life.wait(minute))).toEqual([
        [0, 0],
        [0, 60],
        [1, 120],
      ]);
      expect(release(life.alert as Alert, 'disabled', life.now)).toBeNull();
    });

    it('sounds again and asks step 0 when the user who acknowledged it has left, and asks no one later', () => {
      const life = createLife()
        .take(high)
        .wait(30 * second)
        .act((alert, at) => acknowledge(alert, nurse, at))
        .wait(25 * second)
        .act((alert, at) => release(alert, 'signed_out', at));
      expect(life.alert).toMatchObject({ acknowledged: null, responsibility: null });
      expect(stepsOf(life.wait(minute))).toEqual([
        [0, 0],
        [0, 55],
        [1, 60],
      ]);
    });

    it.each([
      ['a LOW alert', mild, null],
      ['an alert that has ended', middle, null],
    ])('leaves %s seen when the user who acknowledged it has left', (_, tier) => {
      const life = createLife()
        .take(tier)
        .act((alert, at) => acknowledge(alert, nurse, at));
      const over = tier === mild ? life : life.take(null);
      expect(release(over.alert as Alert, 'signed_out', life.now)).toBeNull();
    });

    describe('whose owner is not there', () => {
      const missing = (life: Life, since = life.now - 2 * minute): Life =>
        life.act((alert, at) => noteOwner(alert, since, at));
      const back = (life: Life): Life => life.act((alert, at) => noteOwner(alert, null, at));

      it('asks step 1 at once and later ones an interval each until they are back, and keeps their name', () => {
        const life = missing(accepted().wait(10 * minute - 60 * second)).wait(59 * second);
        expect(stepsOf(life)).toEqual([
          [0, 0],
          [1, 540],
        ]);
        expect(life.alert).toMatchObject({ responsibility: { is: 'accepted', by: nurse }, notSeenSince: 420 * second });
        back(life).wait(10 * minute);
        expect(life.alert?.notSeenSince).toBeNull();
        expect(stepsOf(life)).toHaveLength(2);
        expect(wordsOf(life).slice(-3)).toEqual(['owner_missing', 'asked', 'owner_back']);
        expect(stepsOf(missing(life).wait(minute)).slice(2)).toEqual([
          [1, 1_199],
          [2, 1_259],
        ]);
      });

      it('asks step 1 again if it was asked before, sounds, and asks the next one an interval later', () => {
        const life = createLife()
          .take(high)
          .wait(130 * second)
          .act((alert, at) => take(alert, nurse, { unitId: 1 }, at))
          .wait(70 * second);
        missing(life);
        expect(life.alert?.acknowledged).toBeNull();
        expect(stepsOf(life.wait(10 * minute)).slice(3)).toEqual([
          [1, 200],
          [3, 380],
        ]);
      });

      it('asks no one any more once another user has taken it', () => {
        const life = missing(accepted()).act((alert, at) => take(alert, 8, { unitId: 1, takeOver: true }, at));
        expect(life.alert?.notSeenSince).toBeNull();
        expect(stepsOf(life.wait(20 * minute))).toHaveLength(2);
      });

      it.each([
        ['is LOW', mild, mild],
        ['has ended', middle, null],
      ])('asks no one about an alert that %s', (_, tier, then) => {
        const life = createLife()
          .take(tier)
          .act((alert, at) => accept(alert, nurse, 1, at));
        expect(noteOwner(life.take(then).alert as Alert, 1, life.now)).toBeNull();
      });
    });

    it('makes no sound at a shift start', () => {
      const life = accepted()
        .act((alert, at) => acknowledge(alert, nurse, at))
        .act((alert, at) => release(alert, 'previous_shift', at));
      expect(life.alert?.acknowledged).not.toBeNull();
    });
  });

  describe('a HIGH alert that ended', () => {
    it('asks step 1 if no one answered, once, and no further one', () => {
      const life = createLife()
        .take(high)
        .wait(10 * second)
        .take(null)
        .wait(60 * minute);
      expect(stepsOf(life)).toEqual([
        [0, 0],
        [1, 60],
      ]);
      expect(life.alert).toMatchObject({ condition: 'ended', latched: true, closed: null });
    });

    it('asks no one once a user has acknowledged or accepted it', () => {
      for (const answer of [
        (alert: Alert, at: number) => accept(alert, nurse, 1, at),
        (alert: Alert, at: number) => acknowledge(alert, nurse, at),
      ]) {
        const life = createLife()
          .take(high)
          .wait(10 * second)
          .take(null)
          .act(answer)
          .wait(60 * minute);
        expect(stepsOf(life)).toEqual([[0, 0]]);
      }
    });

    it('asks step 1 at once when a user who was asked cannot come', () => {
      const life = createLife()
        .take(high)
        .wait(10 * second)
        .take(null)
        .act((alert, at) => reject(alert, other, 'in theatre', at))
        .wait(60 * minute);
      expect(stepsOf(life)).toEqual([
        [0, 0],
        [1, 10],
      ]);
    });

    it('asks no one if it was MEDIUM', () => {
      expect(
        stepsOf(
          createLife()
            .take(middle)
            .wait(10 * second)
            .take(null)
            .wait(60 * minute),
        ),
      ).toEqual([[0, 0]]);
    });
  });

  describe('the log of an alert', () => {
    it('does not grow with a milder tier that flips from second to second', () => {
      const life = createLife('home');
      for (let turn = 0; turn < 420; turn += 1) {
        life.take(turn % 2 === 0 ? high : middle).wait(second);
      }
      expect(life.events.length).toBeLessThanOrEqual(10);
      expect(wordsOf(life)).toContain('asked');
      expect(life.alert?.priority).toBe('high');
    });

    it('says that it is milder once that has lasted', () => {
      const life = createLife().take(high).wait(minute).take(middle).wait(second).take(high);
      life
        .wait(second)
        .take(middle)
        .wait(10 * minute)
        .take(middle);
      expect(wordsOf(life).filter((word) => word === 'downgraded')).toHaveLength(2);
    });
  });

  describe('a first reading that is not confirmed', () => {
    it('asks step 0 at once when its owner gives it back, and waits with step 2', () => {
      const life = createLife()
        .take(high)
        .wait(70 * second);
      const known = life.alert as Alert;
      const alert: Alert = { ...known, unconfirmedUntil: 20 * minute };
      const asked = (change: AlertChange, ms: number): AlertChange => escalate(change, siteEscalation(), ms);
      const taken = accept(alert, nurse, 1, 70 * second) as AlertChange;
      const owned = asked(taken, 70 * second).alert;
      const back = asked(reject(owned, nurse, 'busy', 90 * second) as AlertChange, 90 * second);
      expect(back.events.map((event) => (event.is === 'asked' ? event.step : event.is))).toEqual([
        'rejected',
        'released',
        0,
      ]);
      expect(asked({ alert: back.alert, events: [] }, 10 * minute).events).toEqual([]);
    });
  });

  describe('a first set that no second one has confirmed', () => {
    const first: Tier = { ...middle, unconfirmedUntil: 15 * minute };
    it('at MEDIUM is shown to step 0 without sound, and sounds and goes on after 15 min', () => {
      const life = createLife()
        .take(first)
        .wait(15 * minute - second);
      expect([stepsOf(life), sounds(life)]).toEqual([[[0, 0]], false]);
      expect(sounds(life.wait(second))).toBe(true);
      expect(stepsOf(life.wait(5 * minute))).toEqual([
        [0, 0],
        [1, 1_199],
      ]);
    });

    it('at MEDIUM sounds from the second set on', () => {
      const life = createLife()
        .take(first)
        .wait(4 * minute);
      life.take({ ...middle, unconfirmedUntil: life.now }).wait(5 * minute);
      expect([sounds(life), stepsOf(life).at(-1)]).toEqual([true, [1, 539]]);
    });

    it('at MEDIUM sounds as HIGH at once when it gets worse', () => {
      const life = createLife().take(first).wait(minute);
      life.take({ ...high, unconfirmedUntil: 16 * minute });
      expect([sounds(life), life.alert?.priority]).toEqual([true, 'high']);
    });
  });

  describe('a user who gives an alert back', () => {
    it('leaves it unseen for those who are asked then', () => {
      const life = createLife()
        .take(middle)
        .act((alert, at) => acknowledge(alert, nurse, at))
        .act((alert, at) => accept(alert, nurse, 1, at))
        .act((alert, at) => reject(alert, nurse, 'busy', at));
      expect(life.alert).toMatchObject({ acknowledged: null, responsibility: { is: 'rejected' } });
    });
  });

  describe('an alert that was migrated', () => {
    it('asks what is due by the plan since it was raised', () => {
      const { alert } = createLife().take(middle);
      const kept: Alert = { ...(alert as Alert) };
      const old: Alert = {
        ...kept,
        escalation: {
          ...kept.escalation,
          step: 1,
          runsSince: null,
          leftMs: { high: null, medium: null, low: null },
          asked: [],
        },
      };
      const at = (ms: number): AlertChange => escalate({ alert: old, events: [] }, siteEscalation(), ms);
      expect(at(300 * second - 1).events).toEqual([]);
      expect(at(300 * second).events).toMatchObject([{ is: 'asked', step: 1 }]);
    });
  });
});

describe('for any stream and any actions', () => {
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

  /** Seconds between two ticks: whatever is promised for one a second holds for seldomer ones. */
  const everySeconds = 10;

  /**
   * Plays the segments, each with its action at its beginning and a tick at its end; `look` runs after each of them.
   */
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
      life.wait(seconds * second, everySeconds * second);
      look(life);
    }
    return life;
  }

  const tierOf = (place: number | null): Tier | null => (place === null ? null : (tiers[place] ?? null));

  /** When each role and each contact was first asked after an instant. */
  function firstAsked(life: Life, after: number): Map<string, number> {
    const first = new Map<string, number>();
    for (const event of life.events) {
      if (event.is === 'asked' && event.step < 4 && event.at > after) {
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
      { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 3) },
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
      { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 2) },
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
      { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 2) },
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
      { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 2) },
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
          life.jump(awaySeconds * second).wait(one.seconds * second, everySeconds * second);
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
      { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 2) },
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
      { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 2) },
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
      { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 2) },
    );
  });
});

describe('escalationTimes', () => {
  const { steps: usual, repeat } = defaultEscalationTimes;

  /** What is wrong with the default times after a change, by field. */
  function faultsOf(steps: Partial<Record<PlanName, number[]>>, changed: Partial<EscalationTimes['repeat']> = {}) {
    const parsed = escalationTimes.safeParse({
      steps: { ...usual, ...steps },
      repeat: { ...repeat, ...changed },
    });
    return Object.fromEntries((parsed.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
  }

  describe('the escalation times of a site', () => {
    it.each([
      [{ high: [29, 120, 300] }, { 'steps.high.0': 'is not from 30 s to 3 min' }],
      [{ high: [181, 240, 300] }, { 'steps.high.0': 'is not from 30 s to 3 min' }],
      [{ high: [30, 59, 300] }, { 'steps.high.1': 'is not from 60 s to 5 min' }],
      [{ high: [60, 301, 400] }, { 'steps.high.1': 'is not from 60 s to 5 min' }],
      [{ high: [60, 120, 179] }, { 'steps.high.2': 'is not from 3 min to 15 min' }],
      [{ high: [60, 120, 901] }, { 'steps.high.2': 'is not from 3 min to 15 min' }],
      [{ high: [180, 209, 300] }, { 'steps.high.1': 'is less than 30 s after the step before' }],
      [{ high: [180, 120, 300] }, { 'steps.high.1': 'is less than 30 s after the step before' }],
      [{ high: [60, 300, 300] }, { 'steps.high.2': 'is less than 30 s after the step before' }],
      [{ high: [60.5, 120, 300] }, { 'steps.high.0': 'is not in whole seconds' }],
      [{ high: [60, 120] }, { 'steps.high': 'needs 3 steps' }],
      [{ medium: [149, 600, 1_800] }, { 'steps.medium.0': 'is not from 2.5 min to 10 min' }],
      [{ medium: [300, 600, 3_601] }, { 'steps.medium.2': 'is not from 15 min to 60 min' }],
      [{ homeLow: [7_199] }, { 'steps.homeLow.0': 'is not from 2 h to 8 h' }],
      [
        { score: [300, 1_200, 1_800], medium: [300, 600, 900] },
        { 'steps.score.1': 'asks the on-call physician later than the milder alert does (15 min)' },
      ],
      [
        { high: [180, 240, 300], medium: [150, 600, 1_800] },
        { 'steps.high.0': 'asks the buddy later than the milder alert does (2.5 min)' },
      ],
    ])('are refused as %j, each at its step', (steps, faults) => {
      const found = faultsOf(steps);
      expect(Object.keys(found).length).toBeGreaterThan(0);
      expect(found).toMatchObject(faults);
    });

    it.each([
      [{ raises: 1 }, { 'repeat.raises': 'is not from 2 to 5 raises' }],
      [{ raises: 6 }, { 'repeat.raises': 'is not from 2 to 5 raises' }],
      [{ withinMinutes: 9 }, { 'repeat.withinMinutes': 'is not from 10 to 30 minutes' }],
      [{ withinMinutes: 31 }, { 'repeat.withinMinutes': 'is not from 10 to 30 minutes' }],
    ])('are refused with the repeat rule %j', (changed, faults) => {
      expect(faultsOf({}, changed)).toEqual(faults);
    });

    it('may be the defaults, and those at the bounds', () => {
      expect(faultsOf({})).toEqual({});
      expect(faultsOf({ high: [30, 60, 180] }, { raises: 2, withinMinutes: 30 })).toEqual({});
      expect(faultsOf({ high: [180, 300, 900] }, { raises: 5, withinMinutes: 10 })).toEqual({});
      expect([repeatBounds.raises, repeatBounds.withinMinutes]).toEqual([
        { min: 2, max: 5 },
        { min: 10, max: 30 },
      ]);
    });

    it.each(planNames.filter((name) => name !== 'high'))('of %s move from half to double the default', (name) => {
      expect(stepBounds[name]).toEqual(usual[name].map((after) => ({ min: after / 2, max: after * 2 })));
    });

    it.each(planNames)('of %s have a time for each step but the first', (name) => {
      expect(usual[name]).toHaveLength(askedByPlan[name].length - 1);
    });

    it.each<[PlanName, string]>([
      [
        'high',
        'nurse, after 60 s buddy and charge nurse, 120 s whole unit and on-call physician, ' +
          '300 s whole unit and charge nurse to call rapid response',
      ],
      ['medium', 'nurse, after 300 s buddy, 600 s charge nurse, 1800 s whole unit and on-call physician'],
      [
        'score',
        'nurse, after 300 s charge nurse, 900 s on-call physician, ' +
          '1800 s whole unit and charge nurse to call rapid response',
      ],
      [
        'homeHigh',
        'duty clinician, after 300 s ward lead, 900 s on-call physician, ' +
          '1800 s whole unit and ward lead and duty clinician to call by the phone and ambulance protocol',
      ],
      ['homeMedium', 'duty clinician, after 1800 s ward lead, 3600 s whole unit and on-call physician'],
      ['homeLow', 'worklist, after 14400 s ward lead'],
    ])('of %s ask as the table of clinical.md section 3 says: %s', (name, plan) => {
      const later = usual[name].map((after, step) => `${after} s ${askedWords(name, step + 1)}`);
      expect(`${askedWords(name, 0)}, after ${later.join(', ')}`).toBe(plan);
    });
  });

  describe('the shorter of two times', () => {
    const intervals = (steps: readonly number[]): number[] =>
      steps.map((after, step) => after - (steps[step - 1] ?? 0));

    it('is the first one itself if nothing of the other is shorter', () => {
      const longer = { ...defaultEscalationTimes, steps: { ...usual, high: [90, 150, 330] } };
      expect(shorterTimes(defaultEscalationTimes, longer)).toBe(defaultEscalationTimes);
      expect(shorterTimes(longer, defaultEscalationTimes)).toMatchObject({ steps: { high: [60, 120, 300] } });
    });

    it('has no interval that is longer than that of either, and the more eager repeat rule', () => {
      fc.assert(
        fc.property(arbitraryTimes, arbitraryTimes, (a, b) => {
          const shorter = shorterTimes(a, b);
          for (const name of planNames) {
            const [of, ofA, ofB] = [shorter, a, b].map(({ steps }) => intervals(steps[name]));
            expect(of).toEqual(ofA?.map((interval, step) => Math.min(interval, ofB?.[step] ?? NaN)));
            expect(Math.min(...(of ?? []))).toBeGreaterThanOrEqual(leastGapSeconds);
          }
          expect(shorter.repeat.raises).toBe(Math.min(a.repeat.raises, b.repeat.raises));
          expect(shorter.repeat.withinMinutes).toBe(Math.max(a.repeat.withinMinutes, b.repeat.withinMinutes));
          expect(shorterTimes(shorter, a)).toBe(shorter);
          expect(shorterTimes(shorter, b)).toBe(shorter);
        }),
      );
    });
  });

  describe('in words', () => {
    it.each([
      [30, '30 s'],
      [90, '90 s'],
      [119, '119 s'],
      [120, '2 min'],
      [150, '2.5 min'],
      [125, '2 min 5 s'],
      [3_600, '60 min'],
      [7_200, '2 h'],
      [16_200, '4.5 h'],
      [7_300, '2 h 100 s'],
    ])('%d seconds are %s', (seconds, words) => {
      expect(secondsWords(seconds)).toBe(words);
    });

    it('each step says whom it asks', () => {
      expect([0, 1, 2, 3].map((step) => askedWords('high', step))).toEqual([
        'nurse',
        'buddy and charge nurse',
        'whole unit and on-call physician',
        'whole unit and charge nurse to call rapid response',
      ]);
      expect([0, 1].map((step) => askedWords('homeLow', step))).toEqual(['worklist', 'ward lead']);
    });
  });
});
