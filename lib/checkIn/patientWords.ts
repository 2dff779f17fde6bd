import type { RedFlag, Symptom } from '../symptoms/symptoms';
import type { ReadingKind } from './readTyped';

/** The red flags in words for patients and those who look after them. They fit both: no "I" and no "they". */
export const dangerSigns: Readonly<Record<RedFlag, string>> = {
  severeBreathlessness: 'Very breathless at rest, or too breathless to finish a short sentence',
  blueLips: 'Blue lips or face',
  newConfusion: 'Suddenly confused',
  hardToRouse: 'Hard to wake up',
  collapse: 'Fainted or collapsed',
  coughingBlood: 'Coughing up blood',
  coldOrMottledSkin: 'Cold, clammy, pale or blotchy skin',
  littleUrine: 'Passing much less urine than usual',
  feelsSeriouslyIll: 'Feeling seriously ill',
  severeChestPain: 'Chest pain that is severe, feels like pressure or lasts more than 15 minutes',
  strokeSigns: 'Drooping face, weak arm or slurred speech',
  seizure: 'A fit (seizure)',
};

/** The symptoms in the same words. */
export const symptomWords: Readonly<Record<Symptom, string>> = {
  dyspnoea: 'Breathlessness',
  orthopnoea: 'Breathless when lying flat',
  nocturnalDyspnoea: 'Waking up breathless at night',
  cough: 'Cough',
  productiveCough: 'Coughing up phlegm',
  haemoptysis: 'Coughing up blood',
  wheeze: 'Wheezing',
  fever: 'Fever',
  chestPain: 'Chest pain',
  palpitations: 'Heart racing or skipping',
  dizziness: 'Dizziness',
  syncope: 'Fainting',
  confusion: 'Confusion',
  fatigue: 'Tiredness',
  oedema: 'Swelling',
  footSwelling: 'Swollen feet or ankles',
  reducedAppetite: 'Poor appetite',
  diarrhoea: 'Diarrhoea',
  nausea: 'Feeling sick',
  headache: 'Headache',
};

/** The answers to a question; a patient chooses one. Without a choice the question is unanswered, never "no". */
export const severityWords = { absent: 'No', mild: 'Mild', moderate: 'Moderate', severe: 'Severe' } as const;
export type ChosenSeverity = keyof typeof severityWords;

export const sinceYesterdayWords = {
  worse: 'Worse than yesterday',
  same: 'The same',
  better: 'Better than yesterday',
} as const;

/** The readings in the order of the page, with how each is taken. */
export const readingWords: Readonly<Record<ReadingKind, { label: string; unit: string; hint: string }>> = {
  spo2: {
    label: 'Oxygen (SpO2)',
    unit: '%',
    hint: 'Rest for 5 minutes first. Warm finger, no nail varnish. Keep the finger still for 1 minute.',
  },
  pulseRate: { label: 'Pulse', unit: 'per minute', hint: 'The other number on the finger device.' },
  temperature: { label: 'Temperature', unit: '°C', hint: 'For example 36.8.' },
  weight: { label: 'Weight', unit: 'kg', hint: 'In the morning, before breakfast.' },
  respiratoryRate: {
    label: 'Breaths per minute',
    unit: 'per minute',
    hint: 'Sit still and count each rise of the chest for 1 minute.',
  },
};
