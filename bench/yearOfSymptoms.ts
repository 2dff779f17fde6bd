import { redFlagsOf } from '../lib/symptoms/redFlagsOf';
import type { SymptomStripResponse } from '../lib/symptoms/stripSchema';
import { symptomStrip } from '../lib/symptoms/symptomStrip';
import { symptomAnswers, symptoms, type Symptom } from '../lib/symptoms/symptoms';
import { toInstant } from '../lib/time/schema';

const hourMs = 3_600_000;
const reports = 3 * 365;

/** Returns what the server answers about a year of three reports a day, every symptom in each, other ones each turn. */
export function yearOfSymptoms(patientId: number, now: number, turn: number): SymptomStripResponse {
  const window = { from: now - 365 * 24 * hourMs, to: now };
  const newestFirst = Array.from({ length: reports }, (_, index) => {
    const answers = Object.fromEntries(
      (Object.keys(symptoms) as Symptom[]).map((symptom, place) => [
        symptom,
        symptomAnswers[(index * 7 + place * 3 + turn) % symptomAnswers.length],
      ]),
    );
    return { reportedAt: now - index * 8 * hourMs, answers, redFlags: redFlagsOf(answers, []), sinceYesterday: null };
  });
  const { isDaily, columns, rows } = symptomStrip(newestFirst, window, 'Europe/London');
  return {
    patientId,
    from: toInstant(window.from),
    to: toInstant(window.to),
    isDaily,
    columns: columns.map(({ at, ...column }) => ({ at: toInstant(at), ...column })),
    rows,
    reported: newestFirst
      .slice(0, 200)
      .map(({ reportedAt, redFlags }) => ({ at: toInstant(reportedAt), hasRedFlag: redFlags.length > 0 })),
    truncated: false,
  };
}
