import { budgetSteps } from './budgetSteps';

const at = (text: string): number => Date.parse(text);
const hours = ({ from, until }: { from: number; until: number }): number => (until - from) / 3_600_000;

describe('the steps of the alarm budget', () => {
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
