import fc from 'fast-check';
import { arbitraryTimes } from '../../test/arbitraryTimes';
import { leastGapSeconds, repeatBounds, stepBounds } from './escalationBounds';
import {
  defaultEscalationTimes,
  planNames,
  shorterTimes,
  type EscalationTimes,
  type PlanName,
} from './escalationTimes';
import { escalationTimes } from './escalationTimesSchema';
import { askedWords, secondsWords } from './escalationTimesWords';
import { askedByPlan } from './plansOf';

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
    ['high', 'nurse, after 60 s buddy and charge nurse, 120 s whole unit and on-call physician, 300 s rapid response'],
    ['medium', 'nurse, after 300 s buddy, 600 s charge nurse, 1800 s on-call physician'],
    ['score', 'nurse, after 300 s charge nurse, 900 s on-call physician, 1800 s rapid response'],
    ['homeHigh', 'duty clinician, after 300 s ward lead, 900 s on-call physician, 1800 s phone and ambulance protocol'],
    ['homeMedium', 'duty clinician, after 1800 s ward lead, 3600 s on-call physician'],
    ['homeLow', 'worklist, after 14400 s ward lead'],
  ])('of %s ask as the table of clinical.md section 3 says: %s', (name, plan) => {
    const later = usual[name].map((after, step) => `${after} s ${askedWords(name, step + 1)}`);
    expect(`${askedWords(name, 0)}, after ${later.join(', ')}`).toBe(plan);
  });
});

describe('the shorter of two times', () => {
  const intervals = (steps: readonly number[]): number[] => steps.map((after, step) => after - (steps[step - 1] ?? 0));

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
      'rapid response',
    ]);
    expect([0, 1].map((step) => askedWords('homeLow', step))).toEqual(['worklist', 'ward lead']);
  });
});
