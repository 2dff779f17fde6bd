import type { RedFlag, Symptom, SymptomAnswer } from '../symptoms/symptoms';
import { readingWords, symptomWords, type ChosenSeverity } from './patientWords';
import { readTyped, type ReadingKind } from './readTyped';
import type { CheckInReadings, NewCheckIn } from './schema';

/** What the form holds. Nothing is chosen before somebody chooses it. */
export interface TypedCheckIn {
  ticked: readonly RedFlag[];
  breathlessness: number | null;
  sinceYesterday: 'worse' | 'same' | 'better' | null;
  answers: Readonly<Partial<Record<Symptom, ChosenSeverity>>>;
  readings: Readonly<Record<ReadingKind, string>>;
}

export const emptyCheckIn: TypedCheckIn = {
  ticked: [],
  breathlessness: null,
  sinceYesterday: null,
  answers: {},
  readings: { spo2: '', pulseRate: '', temperature: '', weight: '', respiratoryRate: '' },
};

/** What is sent of a form, beside the link and the clocks. */
export type CheckInAnswers = Pick<
  NewCheckIn,
  'answers' | 'breathlessness' | 'redFlags' | 'sinceYesterday' | 'readings'
>;

const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] => Object.keys(record) as Key[];
export const readingKinds = keysOf(readingWords);
const symptomNames = keysOf(symptomWords);

/** Returns the readings that can have been measured, in the units of their kinds. */
export function readingsOf({ readings }: TypedCheckIn): CheckInReadings {
  const read: CheckInReadings = {};
  for (const kind of readingKinds) {
    const typed = readTyped(kind, readings[kind]);
    if (typed !== null && 'value' in typed) {
      read[kind] = typed.value;
    }
  }
  return read;
}

/** Returns whether nothing was answered, ticked or typed. */
export function isEmpty({ ticked, breathlessness, sinceYesterday, answers, readings }: TypedCheckIn): boolean {
  return (
    ticked.length === 0 &&
    breathlessness === null &&
    sinceYesterday === null &&
    Object.keys(answers).length === 0 &&
    readingKinds.every((kind) => readings[kind].trim() === '')
  );
}

/** Returns what is sent. Each symptom was asked: one without an answer is unanswered, which is not "no". */
export function answersOf(typed: TypedCheckIn): CheckInAnswers {
  const answers: Partial<Record<Symptom, SymptomAnswer>> = {};
  for (const name of symptomNames) {
    answers[name] = typed.answers[name] ?? 'unanswered';
  }
  return {
    answers,
    breathlessness: typed.breathlessness,
    redFlags: [...typed.ticked],
    sinceYesterday: typed.sinceYesterday,
    readings: readingsOf(typed),
  };
}

/** "Oxygen (SpO2): 88 %". */
export function readingLine(kind: ReadingKind, value: number): string {
  const { label, unit } = readingWords[kind];
  return `${label}: ${value}${unit === 'per minute' ? '' : ` ${unit}`}`;
}
