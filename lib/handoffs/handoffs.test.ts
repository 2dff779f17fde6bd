import fc from 'fast-check';
import { type HandoffFields, hasHalf, saysTheSame, storedPart } from './handoffFields';
import { type Giveable, missingOf } from './missingOf';
import { spreadOf } from './spreadOf';

describe('what is typed in a handoff', () => {
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

describe('what is missing before a handoff is given', () => {
  const sound: Giveable = { severity: 'stable', summary: '', contingencies: [], isCarried: false, isReviewed: false };

  it.each<[string, Partial<Giveable>, string[]]>([
    ['no severity', { severity: null }, ['severity']],
    ['a watcher without an if-then', { severity: 'watcher' }, ['contingencies']],
    ['an unstable patient without an if-then', { severity: 'unstable' }, ['contingencies']],
    ['yesterday’s text that no one confirmed', { isCarried: true, summary: 'Slept well' }, ['summary']],
    ['yesterday’s if-then that no one confirmed', { isCarried: true, contingencies: [{}] }, ['summary']],
    ['nothing: stable', {}, []],
    ['nothing: unstable with an if-then', { severity: 'unstable', contingencies: [{}] }, []],
    ['nothing: confirmed', { isCarried: true, isReviewed: true, summary: 'Slept well' }, []],
    ['nothing: there was no text', { isCarried: true }, []],
  ])('%s', (_, change, fields) => {
    expect(Object.keys(missingOf({ ...sound, ...change }))).toEqual(fields);
  });
});

describe('the spread of minutes', () => {
  it('is none without a minute', () => {
    expect(spreadOf([])).toBeNull();
  });

  it('has the extremes of all values and the median of the last ones', () => {
    const minutes = [
      { min: 70, last: 95, max: 97 },
      { min: 94, last: 94, max: 99 },
      { min: 88, last: 90, max: 95 },
    ];
    expect(spreadOf(minutes)).toEqual({ min: 70, median: 94, max: 99, minutes: 3 });
  });

  it('has a median that was measured, with as many below as above', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 40, max: 200 }), { minLength: 1 }), (values) => {
        const median = spreadOf(values.map((last) => ({ min: last, last, max: last })))?.median ?? NaN;
        const half = values.length / 2;
        expect(values).toContain(median);
        expect(values.filter((value) => value < median).length).toBeLessThanOrEqual(half);
        expect(values.filter((value) => value > median).length).toBeLessThanOrEqual(half);
      }),
    );
  });
});
