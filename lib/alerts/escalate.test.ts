import { accept, acknowledge, reject, release } from './actions';
import type { Alert, AlertChange } from './alert';
import { escalate } from './escalate';
import { siteEscalation } from '../../test/siteEscalation';
import { createLife, high, middle, mild, worst, type Life } from '../../test/alertLife';

const second = 1_000;
const minute = 60 * second;
const nurse = 7;
const other = 8;

/** The steps that were asked, with the seconds since the start of the test. */
const stepsOf = (life: Life): [number, number][] =>
  life.events.flatMap((event) => (event.is === 'asked' ? [[event.step, event.at / second]] : []));
const wordsOf = (life: Life): string[] => life.events.map(({ is }) => is);
const linesOf = (life: Life, is: string): number[] =>
  life.events.flatMap((event) => (event.is === is ? [event.at / second] : []));

describe('the escalation of an alert', () => {
  it.each([
    ['high', high, [0, 60, 120, 300]],
    ['medium', middle, [0, 300, 600, 1_800]],
  ] as const)('asks the steps of %s at their times, each once', (_, tier, expected) => {
    const life = createLife()
      .take(tier)
      .wait(3 * 60 * minute);
    expect(stepsOf(life)).toEqual(expected.map((at, step) => [step, at]));
  });

  it('asks a LOW alert at home after four hours, and on the ward no one', () => {
    const atHome = createLife('home')
      .take(mild)
      .wait(5 * 60 * minute);
    expect(stepsOf(atHome)).toEqual([
      [0, 0],
      [1, 14_400],
    ]);
    expect(
      stepsOf(
        createLife()
          .take(mild)
          .wait(5 * 60 * minute),
      ),
    ).toEqual([]);
    const seen = createLife('home')
      .take(mild)
      .wait(minute)
      .act((alert, at) => acknowledge(alert, nurse, at));
    expect(stepsOf(seen.wait(5 * 60 * minute))).toEqual([[0, 0]]);
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

  it('keeps its owner when it gets worse within its priority, and asks no one', () => {
    const life = accepted()
      .wait(minute)
      .take(worst)
      .wait(20 * minute);
    expect(life.alert?.responsibility).toMatchObject({ is: 'accepted', by: nurse });
    expect([stepsOf(life), linesOf(life, 'owner_asked')]).toEqual([[[0, 0]], []]);
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
    'asks the owner of a %s one after %d min, and the next step if there is no answer',
    (_, min, sec, tier) => {
      const life = accepted(tier).wait(min * minute + sec * second);
      expect(linesOf(life, 'owner_asked')).toEqual([min * 60]);
      expect(stepsOf(life)).toEqual([
        [0, 0],
        [1, min * 60 + sec],
      ]);
      life.act((alert, at) => accept(alert, nurse, 1, at)).wait(min * minute - second);
      expect(linesOf(life, 'owner_asked')).toHaveLength(1);
      expect(linesOf(life.wait(second), 'owner_asked')).toHaveLength(2);
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
