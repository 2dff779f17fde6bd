import { firstDifference } from '../sortOrder';
import type { EpochMs } from '../time/epochMs';
import { symptoms, type Symptom } from '../symptoms/symptoms';
import { amberWhenNew, gradeOf, type EvaluatedReport } from './evaluateSymptoms';

/** Something that is new or worse, and the report that said so. */
export interface AmberCause {
  /** Null: the patient feels worse than yesterday. */
  symptom: Symptom | null;
  is: 'new' | 'worse';
  /** From 0 for absent to 3 for severe; 0 if it is no symptom. */
  grade: number;
  report: EvaluatedReport;
}

/** What is known after some reports, in the order of the times for which they are. */
interface Known {
  /** The last answer of each symptom. */
  grades: Map<Symptom, number>;
  causes: Map<Symptom | null, AmberCause>;
}

/**
 * Takes reports in any order, none of them entered in error, and returns what is new or worse and not over (clinical.md
 * sections 2.5 and 6). Each report counts for its own time, whenever it arrived. A symptom that grew to moderate or
 * more, or that is new and amber then, stays until it is answered milder; "worse than yesterday" stays; "better" ends
 * both. What was recorded up to `resolvedTo` is answered by a person.
 */
export function openCauses(reports: readonly EvaluatedReport[], resolvedTo: EpochMs): readonly AmberCause[] {
  const known: Known = { grades: new Map(), causes: new Map() };
  const inOrder = [...reports].sort((a, b) =>
    firstDifference(a.reportedAt - b.reportedAt, a.recordedAt - b.recordedAt),
  );
  for (const report of inOrder) {
    take(known, report, report.recordedAt <= resolvedTo);
  }
  return [...known.causes.values()];
}

function take({ grades, causes }: Known, report: EvaluatedReport, isAnswered: boolean): void {
  if (report.sinceYesterday === 'better') {
    causes.clear();
  }
  const raise = (cause: Omit<AmberCause, 'report'>): void => {
    if (!isAnswered) {
      causes.set(cause.symptom, { ...cause, report });
    }
  };
  for (const symptom of Object.keys(symptoms) as Symptom[]) {
    const grade = gradeOf(report, symptom);
    if (grade === null) {
      continue;
    }
    const before = grades.get(symptom) ?? null;
    const isNew = grade > 0 && (before ?? 0) === 0 && amberWhenNew.includes(symptom);
    const isGrown = grade >= 2 && before !== null && grade > before;
    grades.set(symptom, grade);
    if (grade < (causes.get(symptom)?.grade ?? 0)) {
      causes.delete(symptom);
    }
    if (isNew || isGrown) {
      raise({ symptom, is: (before ?? 0) === 0 ? 'new' : 'worse', grade });
    }
  }
  // Said again it is news again: a patient has no other words for it.
  if (report.sinceYesterday === 'worse') {
    raise({ symptom: null, is: 'worse', grade: 0 });
  }
}

/**
 * Returns whether there is a cause that was not raised yet: `before` are those of the reports up to `evaluatedTo`. A
 * late report may show that something began earlier: that is no news.
 */
export function isFurther(before: readonly AmberCause[], after: readonly AmberCause[], evaluatedTo: EpochMs): boolean {
  return after.some(({ symptom, grade, report }) => {
    const known = before.find((one) => one.symptom === symptom);
    return (
      known === undefined ||
      grade > known.grade ||
      (report.recordedAt > evaluatedTo && report.reportedAt > known.report.reportedAt)
    );
  });
}
