import { createFaultBudget } from './faultBudget';

const hour = 3_600_000;
let now: number;
let mayReport: (key: string) => boolean;

beforeEach(() => {
  now = 0;
  mayReport = createFaultBudget(() => now);
});

const reported = (times: number, key: (time: number) => string): number =>
  Array.from({ length: times }, (_, time) => mayReport(key(time))).filter(Boolean).length;

describe('the budget for reports of faults', () => {
  it('lets ten that are alike through in an hour, and then another fault', () => {
    expect([reported(1_000, () => 'TypeError /a'), mayReport('TypeError /b')]).toEqual([10, true]);
  });

  it('lets a hundred of all kinds through in an hour', () => {
    expect(reported(1_000, (time) => `TypeError /${time}`)).toBe(100);
  });

  it('begins again with the next hour', () => {
    reported(1_000, () => 'TypeError /a');
    now = hour - 1;
    expect(mayReport('TypeError /a')).toBe(false);
    now = hour;
    expect(mayReport('TypeError /a')).toBe(true);
  });
});
