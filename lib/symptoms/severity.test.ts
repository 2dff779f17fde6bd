import { cellCodes, cellOf, gradeOf, worseCell } from './severity';
import { symptomAnswers } from './symptoms';

describe('a cell', () => {
  it('never says absent of what was not asked or not answered', () => {
    expect(cellOf(undefined)).toBe('.');
    expect(cellOf('unanswered')).toBe('u');
    expect([gradeOf(undefined), gradeOf('unanswered')]).toEqual([null, null]);
  });

  it('is the grade of an answer, absent included', () => {
    expect(symptomAnswers.map(cellOf)).toEqual(['0', '1', '2', '3', 'u']);
    expect(gradeOf('absent')).toBe(0);
  });

  it('of two is the worse one, in either order', () => {
    for (const [index, one] of cellCodes.entries()) {
      for (const other of cellCodes.slice(index)) {
        expect([worseCell(one, other), worseCell(other, one)]).toEqual([other, other]);
      }
    }
  });
});
