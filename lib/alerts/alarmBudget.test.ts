import fc from 'fast-check';
import { AlarmBudgetCount, type BudgetAlert, type Stay } from './alarmBudget';
import { priorities } from './priority';

const hour = 3_600_000;
const day = 24 * hour;
const second = 1_000;
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

describe('the alarm budget', () => {
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
