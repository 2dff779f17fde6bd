import { z } from 'zod';
import { newSymptomReport, type NewSymptomReport } from '../../lib/symptoms/schema';
import type { RedFlag, Symptom, SymptomAnswer } from '../../lib/symptoms/symptoms';

/** The fields of the form. What is undefined was not asked and is not sent. */
export interface TypedReport {
  redFlags: RedFlag[];
  answers: Partial<Record<Symptom, SymptomAnswer | undefined>>;
  breathlessness?: number | null;
  sinceYesterday?: NewSymptomReport['sinceYesterday'];
  mmrc?: number | null;
  minutesAgo: number;
}

export const emptyReport: TypedReport = { redFlags: [], answers: {}, minutesAgo: 0 };

/** Returns the body of what was typed, without the time of the report. */
export function bodyOf({ redFlags, answers, breathlessness, sinceYesterday, mmrc }: TypedReport): unknown {
  return {
    redFlags,
    breathlessness: breathlessness ?? null,
    sinceYesterday: sinceYesterday ?? null,
    mmrc: mmrc ?? null,
    answers: Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined)),
  };
}

/** The body of the call. That nothing is filled in is an error of the first field, because each needs a place. */
export const reportForm = z.unknown().transform((body, context): NewSymptomReport => {
  const parsed = newSymptomReport.safeParse(body);
  if (parsed.success) {
    return parsed.data;
  }
  for (const { path, message } of parsed.error.issues) {
    const isEmpty = path.join('.') === 'answers';
    context.addIssue({
      code: 'custom',
      path: isEmpty ? ['redFlags'] : path,
      message: isEmpty ? 'or an answer is needed' : message,
    });
  }
  return z.NEVER;
});
