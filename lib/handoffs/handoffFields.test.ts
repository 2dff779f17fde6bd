import { hasHalf, saysTheSame, storedPart, type HandoffFields } from './handoffFields';

const typed: HandoffFields = {
  severity: 'watcher',
  summary: 'Slept well',
  contingencies: [
    { condition: 'SpO2 < 88 ', action: 'call' },
    { condition: '', action: ' ' },
  ],
  actions: [
    { text: ' Weigh', owner: null, dueAt: null },
    { text: '', owner: { role: 'nurse' }, dueAt: null },
  ],
  receiver: { role: 'nurse' },
  isReviewed: false,
};

describe('what is typed in a handoff', () => {
  it('is stored without its blank rows', () => {
    expect(storedPart(typed)).toMatchObject({
      contingencies: [{ condition: 'SpO2 < 88', action: 'call' }],
      actions: [{ text: 'Weigh' }],
    });
    expect(saysTheSame(typed, { ...typed, contingencies: typed.contingencies.slice(0, 1) })).toBe(true);
    expect(saysTheSame(typed, { ...typed, summary: 'Slept' })).toBe(false);
  });

  it('knows an if-then without its then', () => {
    expect(hasHalf(typed)).toBe(false);
    expect(hasHalf({ ...typed, contingencies: [{ condition: 'SpO2 < 88', action: '' }] })).toBe(true);
  });
});
