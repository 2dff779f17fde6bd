/**
 * The questions to a patient, in the order of screens, with their words and SNOMED CT codes (clinical.md section 6).
 * Codes that no public guide shows are from memory: check them against a terminology server before anyone exports them.
 */
export const symptoms = {
  dyspnoea: { label: 'Breathlessness', snomed: 267036007 },
  orthopnoea: { label: 'Breathless lying flat', snomed: 62744007 },
  nocturnalDyspnoea: { label: 'Breathless at night', snomed: 248548009 },
  cough: { label: 'Cough', snomed: 49727002 },
  productiveCough: { label: 'Cough with sputum', snomed: 28743005 },
  haemoptysis: { label: 'Coughing blood', snomed: 66857006 },
  wheeze: { label: 'Wheeze', snomed: 56018004 },
  fever: { label: 'Fever', snomed: 386661006 },
  chestPain: { label: 'Chest pain', snomed: 29857009 },
  palpitations: { label: 'Palpitations', snomed: 80313002 },
  dizziness: { label: 'Dizziness', snomed: 404640003 },
  syncope: { label: 'Fainting', snomed: 271594007 },
  confusion: { label: 'Confusion', snomed: 40917007 },
  fatigue: { label: 'Tiredness', snomed: 84229001 },
  oedema: { label: 'Swelling', snomed: 267038008 },
  footSwelling: { label: 'Swollen feet', snomed: 297142003 },
  reducedAppetite: { label: 'Poor appetite', snomed: 64379006 },
  diarrhoea: { label: 'Diarrhoea', snomed: 62315008 },
  nausea: { label: 'Nausea', snomed: 422587007 },
  headache: { label: 'Headache', snomed: 25064002 },
} as const;

export type Symptom = keyof typeof symptoms;

/** The severity of a symptom. `unanswered`: it was asked and not answered, which is neither absent nor not asked. */
export const symptomAnswers = ['absent', 'mild', 'moderate', 'severe', 'unanswered'] as const;
export type SymptomAnswer = (typeof symptomAnswers)[number];

/**
 * Signs of immediate danger, whatever the numbers say (clinical.md section 6: NICE NG191, the NHS diary, and our own
 * additions).
 */
export const redFlags = {
  severeBreathlessness: 'Severe breathlessness at rest, or cannot finish a short sentence',
  blueLips: 'Blue lips or face',
  newConfusion: 'New confusion',
  hardToRouse: 'Hard to rouse',
  collapse: 'Collapse or faint',
  coughingBlood: 'Coughing blood',
  coldOrMottledSkin: 'Cold, clammy, pale or mottled skin',
  littleUrine: 'Much less urine than usual',
  feelsSeriouslyIll: 'Feels seriously ill',
  severeChestPain: 'Chest pain that is severe, pressing or lasts over 15 min',
  strokeSigns: 'Signs of a stroke',
  seizure: 'Seizure',
} as const;

export type RedFlag = keyof typeof redFlags;
