import { awaitedAlerts, awaitedText } from './awaitedAlerts';
import type { StripItem } from './stripSchema';

const item = (priority: StripItem['priority'], owned = false): StripItem => ({
  unit: 'West',
  bed: '1',
  isTrial: false,
  priority,
  raisedAt: '2026-05-01T10:00:00Z',
  owned,
});

describe('the alerts that need someone', () => {
  it('are neither LOW ones nor those that somebody has accepted', () => {
    expect(awaitedAlerts([item('low'), item('high', true), item('medium', true)])).toEqual({ count: 0, worst: null });
  });

  it('are counted, with the most urgent priority among them', () => {
    expect(awaitedAlerts([item('medium'), item('low'), item('medium')])).toEqual({ count: 2, worst: 'medium' });
    expect(awaitedAlerts([item('medium'), item('high'), item('high', true)])).toEqual({ count: 2, worst: 'high' });
  });

  it.each([
    [0, 'No alert needs someone'],
    [1, '1 alert needs someone'],
    [2, '2 alerts need someone'],
  ])('are %d in words', (count, text) => {
    expect(awaitedText(count)).toBe(text);
  });
});
