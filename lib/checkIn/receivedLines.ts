import type { RedFlag, Symptom } from '../symptoms/symptoms';
import { dangerSigns, severityWords, sinceYesterdayWords, symptomWords } from './patientWords';
import { readingKinds, readingLine, type CheckInAnswers } from './typedCheckIn';

/** Returns what a check-in says, a line each. What was not answered is not there, but counted. */
export function receivedLines({
  answers,
  breathlessness,
  redFlags,
  sinceYesterday,
  readings,
}: CheckInAnswers): string[] {
  const names = Object.keys(symptomWords) as Symptom[];
  const answered = names.flatMap((name) => {
    const answer = answers[name];
    return answer === undefined || answer === 'unanswered'
      ? []
      : [`${symptomWords[name]}: ${severityWords[answer].toLowerCase()}`];
  });
  const unanswered = names.length - answered.length;
  return [
    ...redFlags.map((flag: RedFlag) => dangerSigns[flag]),
    ...(breathlessness === null ? [] : [`Breathlessness now: ${breathlessness} of 10`]),
    ...(sinceYesterday === null ? [] : [sinceYesterdayWords[sinceYesterday]]),
    ...answered,
    ...readingKinds.flatMap((kind) => {
      const value = readings[kind];
      return value === undefined ? [] : [readingLine(kind, value)];
    }),
    ...(unanswered === 0 ? [] : [`${unanswered} ${unanswered === 1 ? 'question' : 'questions'} not answered`]),
  ];
}
