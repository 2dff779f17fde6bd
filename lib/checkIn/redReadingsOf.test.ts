import { redReadingsOf } from './redReadingsOf';
import { redReadings, type OpenedCheckIn } from './schema';

const red: OpenedCheckIn['red'] = {
  spo2: [{ is: 'atMost', value: 91 }],
  pulseRate: [
    { is: 'atMost', value: 40 },
    { is: 'atLeast', value: 131 },
  ],
  respiratoryRate: [],
};

describe('readings of a check-in', () => {
  it('are RED on both sides of their limits, as rounded for the screen', () => {
    expect(redReadingsOf({ spo2: 91.4, pulseRate: 131 }, red)).toEqual(['spo2', 'pulseRate']);
    expect(redReadingsOf({ pulseRate: 40 }, red)).toEqual(['pulseRate']);
    expect(redReadingsOf({ spo2: 91.5, pulseRate: 41 }, red)).toEqual([]);
  });

  it('are not RED if they were not typed, or have no limit', () => {
    expect(redReadingsOf({}, red)).toEqual([]);
    expect(redReadingsOf({ respiratoryRate: 0, temperature: 41, weight: 80 }, red)).toEqual([]);
  });

  it('are each looked at', () => {
    const all = { is: 'atLeast', value: 0 } as const;
    const every = redReadingsOf(
      { spo2: 1, pulseRate: 20, respiratoryRate: 0 },
      { spo2: [all], pulseRate: [all], respiratoryRate: [all] },
    );
    expect(every).toEqual(redReadings);
  });
});
