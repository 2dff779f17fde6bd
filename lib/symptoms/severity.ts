import type { SymptomAnswer } from './symptoms';

/** How severe a symptom is, in order. */
export const severities = ['absent', 'mild', 'moderate', 'severe'] as const;

/** 0 absent, 1 mild, 2 moderate, 3 severe. */
export type Grade = 0 | 1 | 2 | 3;
const grades = [0, 1, 2, 3] as const satisfies Grade[];

/** Returns how severe an answer is; null if it was not answered, or not asked (undefined). */
export function gradeOf(answer: SymptomAnswer | undefined): Grade | null {
  return grades.find((grade) => severities[grade] === answer) ?? null;
}

/**
 * What is known of a symptom at one time, in one character: "." was not asked, "u" was asked and not answered, "0" to
 * "3" is how severe it was, "?" is in a report that cannot be read: that is not absent, whatever others say.
 */
export const cellCodes = ['.', 'u', '0', '?', '1', '2', '3'] as const;
export type CellCode = (typeof cellCodes)[number];

/** Returns the cell of one answer. */
export function cellOf(answer: SymptomAnswer | undefined): CellCode {
  const grade = gradeOf(answer);
  return grade === null ? (answer === undefined ? '.' : 'u') : (`${grade}` as const);
}

/** Returns the worse of two cells. An answer counts before none, so that what was not answered never hides it. */
export function worseCell(one: CellCode, other: CellCode): CellCode {
  return cellCodes.indexOf(other) > cellCodes.indexOf(one) ? other : one;
}
