import fc from 'fast-check';
import { createLife, high, type Life, middle, mild, worst } from '../../test/alertLife';
import { arbitraryTimes } from '../../test/arbitraryTimes';
import { accept, acknowledge, type ActionFault, reject } from './actions';
import { AlarmBudgetCount, type BudgetAlert, type Stay } from './alarmBudget';
import { type Alert, type AlertChange, isOpen, isOwned } from './alert';
import { budgetSteps } from './budgetSteps';
import { defaultEscalationTimes, type EscalationTimes } from './escalationTimes';
import { priorities } from './priority';

const second = 1_000;

describe('followTimes', () => {
  const minute = 60 * second;

  const timesWith = (steps: number[], repeat = defaultEscalationTimes.repeat): EscalationTimes => ({
    steps: { ...defaultEscalationTimes.steps, high: steps },
    repeat,
  });
  const short = timesWith([30, 60, 180]);
  const long = timesWith([180, 300, 900]);

  /** The steps that were asked, with the seconds since the start of the test. */
  const stepsOf = (life: Life): [number, number][] =>
    life.events.flatMap((event) => (event.is === 'asked' && event.step < 4 ? [[event.step, event.at / second]] : []));

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
      life.wait(one.seconds * second, 10 * second);
    }
    return life;
  }

  /** When each role and each contact was first asked from an instant on. */
  function firstAsked(life: Life, from: number): Map<string, number> {
    const first = new Map<string, number>();
    for (const event of life.events) {
      if (event.is === 'asked' && event.step < 4 && event.at >= from) {
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
          const life = until(one);
          const { now: at } = life;
          const same = firstAsked(life.wait(60 * minute, 10 * second), at);
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
});

describe('the steps of the alarm budget', () => {
  const at = (text: string): number => Date.parse(text);
  const hours = ({ from, until }: { from: number; until: number }): number => (until - from) / 3_600_000;

  it('are none of an empty time', () => {
    expect(budgetSteps({ from: 5, until: 5 }, 'day', 'UTC')).toEqual([]);
  });

  it('are the hours of a day, the first and the last one cut off', () => {
    const steps = budgetSteps({ from: at('2026-05-01T10:20:00Z'), until: at('2026-05-02T10:20:00Z') }, 'hour', 'UTC');
    expect(steps).toHaveLength(25);
    expect([steps[0], steps[1], steps[24]].map((step) => (step === undefined ? null : hours(step)))).toEqual([
      40 / 60,
      1,
      20 / 60,
    ]);
  });

  it('are the calendar days of the site, which have 23 and 25 hours when the clocks change', () => {
    const days = (from: string, until: string) =>
      budgetSteps({ from: at(from), until: at(until) }, 'day', 'Europe/Berlin');
    expect(days('2026-03-28T12:00:00+01:00', '2026-03-30T06:00:00+02:00').map(hours)).toEqual([12, 23, 6]);
    expect(days('2026-10-24T12:00:00+02:00', '2026-10-26T06:00:00+01:00').map(hours)).toEqual([12, 25, 6]);
  });

  it('follow each other without a gap', () => {
    const span = { from: at('2026-10-20T01:23:45Z'), until: at('2026-11-03T01:23:45Z') };
    const steps = budgetSteps(span, 'day', 'Europe/London');
    expect(steps[0]?.from).toBe(span.from);
    expect(steps.at(-1)?.until).toBe(span.until);
    expect(steps.slice(1).map(({ from }) => from)).toEqual(steps.slice(0, -1).map(({ until }) => until));
  });
});

describe('the alarm budget', () => {
  const hour = 3_600_000;
  const day = 24 * hour;
  const steps = [
    { from: 0, until: day },
    { from: day, until: 2 * day },
  ];
  const alert = (more: Partial<BudgetAlert>): BudgetAlert => ({
    patientId: 1,
    rule: 'spo2.low',
    priority: 'high',
    raisedAt: hour,
    acknowledgedAt: null,
    acceptedAt: null,
    highestStep: null,
    ...more,
  });
  const here = (patientId: number, from = 0, until: number | null = null): Stay => ({ patientId, from, until });

  function budgetOf(alerts: readonly BudgetAlert[], stays: readonly Stay[]) {
    const count = new AlarmBudgetCount(steps);
    for (const one of alerts) {
      count.add(one);
    }
    return count.budget(stays);
  }

  it('knows no rate of an empty ward, and no time of alerts that no one answered', () => {
    const empty = budgetOf([], []);
    expect(empty).toMatchObject({ alerts: 0, patients: 0, patientDays: 0, perDay: null, reachedStep2: null });
    expect(empty).toMatchObject({ topTenth: null, noisiestPatients: [], noisiestRules: [] });
    const { responses } = budgetOf([alert({})], [here(1)]);
    expect(responses.high).toEqual({
      alerts: 1,
      acknowledged: { count: 0, medianMs: null, p90Ms: null },
      accepted: { count: 0, medianMs: null, p90Ms: null },
      reachedStep2: 0,
    });
  });

  it('of patients without alerts is 0 per patient and day, which is known', () => {
    expect(budgetOf([], [here(1)])).toMatchObject({ patients: 1, perDay: { high: 0, medium: 0, low: 0 } });
  });

  it('counts the days for which patients were here, not those of the calendar', () => {
    const budget = budgetOf(
      [alert({}), alert({ raisedAt: day + 1, priority: 'low' })],
      [here(1, -day, 12 * hour), here(1, day, null), here(2, 0, 36 * hour), here(3, 2 * day), here(4, -day, 0)],
    );
    // Half a day and a day of the first, one and a half of the second.
    expect(budget).toMatchObject({ patients: 2, patientDays: 3 });
    expect(budget.perDay).toEqual({ high: 1 / 3, medium: 0, low: 1 / 3 });
    expect(budget.steps.map(({ patientDays }) => patientDays)).toEqual([1.5, 1.5]);
    expect(budget.steps.map(({ counts }) => counts)).toEqual([
      { high: 1, medium: 0, low: 0 },
      { high: 0, medium: 0, low: 1 },
    ]);
  });

  it('gives no rate per day for a stay of less than four hours', () => {
    const { perDay, noisiestPatients } = budgetOf([alert({})], [here(1, 0, 4 * hour - 1)]);
    expect(perDay).toBeNull();
    expect(noisiestPatients).toMatchObject([{ patientId: 1, counts: { high: 1 }, perDay: null }]);
    expect(budgetOf([alert({})], [here(1, 0, 4 * hour)]).perDay).toEqual({ high: 6, medium: 0, low: 0 });
  });

  it('gives no rate per day of a whole ward in its first hours, however many patients it has', () => {
    const ward = Array.from({ length: 24 }, (_, place) => here(place + 1));
    const rateIn = (until: number) => {
      const count = new AlarmBudgetCount([{ from: 0, until }]);
      count.add(alert({ raisedAt: 0 }));
      return count.budget(ward).perDay;
    };
    expect(rateIn(300_000)).toBeNull();
    expect(rateIn(4 * hour)).toEqual({ high: 0.25, medium: 0, low: 0 });
  });

  it('says within which time half and nine of ten were answered, of those that were', () => {
    const answered = Array.from({ length: 10 }, (_, place) =>
      alert({ acknowledgedAt: hour + (place + 1) * second, acceptedAt: place < 4 ? hour + 60_500 : null }),
    );
    const { high } = budgetOf([...answered, alert({})], [here(1)]).responses;
    expect(high.alerts).toBe(11);
    expect(high.acknowledged).toEqual({ count: 10, medianMs: 5 * second, p90Ms: 9 * second });
    // Rounded up, so that "within" is true.
    expect(high.accepted).toEqual({ count: 4, medianMs: 61 * second, p90Ms: 61 * second });
  });

  it('does not take a time before the raise for an answer at once', () => {
    const { high } = budgetOf([alert({ acknowledgedAt: hour - 1 })], [here(1)]).responses;
    expect(high.acknowledged).toEqual({ count: 0, medianMs: null, p90Ms: null });
  });

  it('takes the share that reached step 2 of the HIGH and MEDIUM ones alone', () => {
    const reached = [0, 1, 2, 3].map((highestStep) => alert({ highestStep }));
    const budget = budgetOf([...reached, alert({ priority: 'low' }), alert({ priority: 'medium' })], [here(1)]);
    expect(budget.reachedStep2).toBe(2 / 5);
    expect(budget.responses.high.reachedStep2).toBe(2);
  });

  it('names the ten noisiest patients and rules, with their share', () => {
    const many = Array.from({ length: 12 }, (_, patientId) =>
      Array.from({ length: patientId + 1 }, () => alert({ patientId, rule: `rule ${patientId}` })),
    ).flat();
    const budget = budgetOf(
      many,
      Array.from({ length: 20 }, (_, id) => here(id)),
    );
    expect(budget.noisiestPatients.map(({ patientId }) => patientId)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    expect(budget.noisiestPatients[0]).toMatchObject({ share: 12 / 78, perDay: 6, patientDays: 2 });
    expect(budget.noisiestRules[0]).toEqual({
      rule: 'rule 11',
      counts: { high: 12, medium: 0, low: 0 },
      share: 12 / 78,
    });
    // Two of twenty patients.
    expect(budget.topTenth).toEqual({ patients: 2, share: 23 / 78 });
  });

  it('leaves out what was raised before and after', () => {
    expect(budgetOf([alert({ raisedAt: -1 }), alert({ raisedAt: 2 * day })], [here(1)]).alerts).toBe(0);
  });

  it('adds up, whatever happened', () => {
    const time = fc.integer({ min: 0, max: 2 * day - 1 });
    const anyAlert = fc.record({
      patientId: fc.integer({ min: 1, max: 30 }),
      rule: fc.constantFrom('a', 'b', 'c'),
      priority: fc.constantFrom(...priorities),
      raisedAt: time,
      acknowledgedAt: fc.option(time),
      acceptedAt: fc.option(time),
      highestStep: fc.option(fc.integer({ min: 0, max: 3 })),
    });
    const anyStay = fc
      .tuple(fc.integer({ min: 1, max: 30 }), time, fc.option(fc.integer({ min: 0, max: 3 * day })))
      .map(([patientId, from, ms]) => here(patientId, from, ms === null ? null : from + ms));
    fc.assert(
      fc.property(fc.array(anyAlert), fc.array(anyStay), (alerts, stays) => {
        const budget = budgetOf(alerts, stays);
        const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
        expect(budget.alerts).toBe(alerts.length);
        for (const priority of priorities) {
          expect(sum(budget.steps.map(({ counts }) => counts[priority]))).toBe(budget.counts[priority]);
          expect(sum(budget.noisiestRules.map(({ counts }) => counts[priority]))).toBe(budget.counts[priority]);
          const { acknowledged, accepted, reachedStep2, alerts: ofPriority } = budget.responses[priority];
          expect(ofPriority).toBe(budget.counts[priority]);
          for (const { count, medianMs, p90Ms } of [acknowledged, accepted]) {
            expect(count).toBeLessThanOrEqual(ofPriority);
            expect(medianMs === null).toBe(count === 0);
            expect(medianMs ?? 0).toBeLessThanOrEqual(p90Ms ?? 0);
          }
          expect(reachedStep2).toBeLessThanOrEqual(ofPriority);
        }
        expect(sum(budget.steps.map(({ patientDays }) => patientDays))).toBeCloseTo(budget.patientDays, 6);
        const rate = budget.perDay === null ? null : sum(Object.values(budget.perDay)) * budget.patientDays;
        expect(rate ?? alerts.length).toBeCloseTo(alerts.length, 6);
      }),
    );
  });
});
