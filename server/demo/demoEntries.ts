import type { WrittenValue } from '../../lib/chart/schema';
import type { Who } from './wardOf';

/** An entry of a demo chart, and what became of it. */
export interface DemoEntry {
  /** The end of the patient's MRN (simulator/cast.ts). */
  patient: number;
  by: Who;
  says: WrittenValue;
  source?: string;
  daysAgo?: number;
  correction?: { by: Who; says: WrittenValue; reason: string };
  mark?: { by: Who; as: 'ended' | 'entered_in_error'; reason: string };
}

type ValueOf<Section extends WrittenValue['section']> = Extract<WrittenValue, { section: Section }>['value'];

const codeStatus = (value: ValueOf<'codeStatus'>): WrittenValue => ({ section: 'codeStatus', value });
const allergy = (
  substance: string,
  reaction: string | null,
  severity: 'mild' | 'moderate' | 'severe' | 'unknown',
): WrittenValue => ({ section: 'allergies', value: { is: 'allergy', substance, reaction, severity } });
const noAllergies: WrittenValue = { section: 'allergies', value: { is: 'none' } };
const condition = (name: string, since: string | null, note: string | null = null): WrittenValue => ({
  section: 'conditions',
  value: { is: 'condition', name, since, note },
});
const caution = (name: 'nailPolish' | 'coldHands', note: string | null = null): WrittenValue => ({
  section: 'conditions',
  value: { is: 'caution', caution: name, note },
});
const medication = (name: string, dose: string, frequency: string, note: string | null = null): WrittenValue => ({
  section: 'medications',
  value: { is: 'medication', name, dose, frequency, note },
});
const oxygen = (flow: number, note: string | null = null): WrittenValue => ({
  section: 'oxygen',
  value: { device: 'nasalCannula', flow, fiO2: null, note },
});
/** Numbers that no one has (Ofcom keeps them for stories). */
const phone = (end: string): string => `020 7946 0${end}`;
const ownPhone = (end: string): WrittenValue => ({
  section: 'contacts',
  value: { role: 'patient', name: null, relation: null, phone: phone(end), note: null },
});
const nextOfKin = (name: string, relation: string, end: string, note: string | null = null): WrittenValue => ({
  section: 'contacts',
  value: { role: 'nextOfKin', name, relation, phone: phone(end), note },
});
const responsible = (name: string): WrittenValue => ({
  section: 'team',
  value: { role: 'responsibleClinician', userId: null, name },
});

const nurse = { by: 'nurse', source: 'The patient' } as const;
const physician = { by: 'physician', source: 'Letter of the practice' } as const;

/**
 * The charts of the demo ward, as its stories want them: most code statuses are not recorded, some allergies are none,
 * and some patients no one has asked. The last patient at home has no phone of their own.
 */
export const demoEntries: readonly DemoEntry[] = [
  { ...nurse, patient: 1, says: noAllergies },
  { ...physician, patient: 1, says: codeStatus({ status: 'full', limits: null }), source: 'The patient', daysAgo: 2 },
  { ...physician, patient: 1, says: condition('Hypertension', '2009') },

  {
    ...nurse,
    patient: 2,
    says: allergy('Penicillin', null, 'unknown'),
    correction: {
      by: 'physician',
      says: allergy('Penicillin', 'swollen face and wheeze', 'severe'),
      reason: 'The daughter described the reaction',
    },
  },
  {
    ...physician,
    patient: 2,
    says: condition('Pneumonia', null, 'Left lower lobe'),
    source: 'Chest X-ray',
    daysAgo: 3,
  },
  {
    ...physician,
    patient: 2,
    says: medication('Amoxicillin', '500 mg', '3 times a day'),
    source: 'Order on admission',
    daysAgo: 3,
    mark: { by: 'physician', as: 'ended', reason: 'Allergic to penicillin' },
  },
  { ...physician, patient: 2, says: medication('Doxycycline', '100 mg', 'twice a day'), source: 'Order', daysAgo: 2 },
  { ...nurse, patient: 2, says: nextOfKin('Carla Bianchi', 'daughter', '102', 'Call at any hour') },
  { ...physician, patient: 2, says: responsible('Imani Demo'), source: 'Rota' },

  { ...physician, patient: 3, says: condition('Bowel surgery', null), source: 'Operation note', daysAgo: 2 },

  { ...nurse, patient: 4, says: allergy('Latex', 'itching', 'mild') },
  { ...nurse, patient: 4, says: caution('nailPolish', 'Right hand; the left one is clean') },

  {
    ...physician,
    patient: 5,
    says: codeStatus({ status: 'noCpr', limits: null }),
    source: 'The patient and her son, form signed',
    daysAgo: 21,
  },
  { ...nurse, patient: 5, says: noAllergies },
  { ...nurse, patient: 5, says: nextOfKin('Lars Eriksen', 'son', '105') },

  {
    ...physician,
    patient: 6,
    says: codeStatus({ status: 'limited', limits: 'No intubation, no intensive care' }),
    source: 'The patient, advance decision',
    daysAgo: 60,
  },
  { ...nurse, patient: 6, says: allergy('Sulfonamides', 'rash', 'moderate') },

  { ...physician, patient: 7, says: condition('COPD with retained CO2', '2014') },
  { ...nurse, patient: 7, says: noAllergies },
  { ...physician, patient: 7, says: oxygen(2, 'No more without a blood gas'), source: 'Order', daysAgo: 1 },
  { ...physician, patient: 7, says: medication('Salbutamol, nebulised', '2.5 mg', 'every 6 h'), source: 'Order' },
  { ...physician, patient: 7, says: responsible('Imani Demo'), source: 'Rota' },

  { ...physician, patient: 9, says: condition('Suspected sleep apnoea', null, 'Sleep study is ordered') },
  { ...nurse, patient: 9, says: { section: 'medications', value: { is: 'none' } } },
  { ...nurse, patient: 9, says: noAllergies },

  { ...physician, patient: 12, says: condition('Obstructive sleep apnoea', '2018-05') },

  { ...physician, patient: 14, says: condition('COPD with retained CO2', '2008') },
  { ...physician, patient: 14, says: oxygen(2), source: 'Order', daysAgo: 1 },
  { ...physician, patient: 14, says: codeStatus({ status: 'full', limits: null }), source: 'The patient', daysAgo: 4 },

  {
    ...nurse,
    patient: 16,
    says: allergy('Aspirin', 'wheeze', 'severe'),
    mark: { by: 'nurse', as: 'entered_in_error', reason: 'It is the allergy of another patient' },
  },
  { ...nurse, patient: 17, says: caution('coldHands') },

  { ...nurse, patient: 20, says: ownPhone('120') },
  { ...nurse, patient: 20, says: noAllergies },
  { ...nurse, patient: 21, says: ownPhone('121') },
  { ...nurse, patient: 22, says: ownPhone('122') },
  { ...nurse, patient: 22, says: nextOfKin('Ilona Varga', 'wife', '222') },
  { ...physician, patient: 22, says: condition('Heart failure', '2021') },
  { ...physician, patient: 22, says: medication('Furosemide', '40 mg', 'in the morning') },
  { ...nurse, patient: 23, says: ownPhone('123') },
  { ...nurse, patient: 24, says: nextOfKin('Emre Yilmaz', 'brother', '224') },
];
