import { redFlags, type RedFlag, type Symptom, type SymptomAnswer } from './symptoms';

const present: readonly (SymptomAnswer | undefined)[] = ['mild', 'moderate', 'severe'];

/**
 * The answers that imply a red flag although its box was not ticked: a patient who reports blood need not report it
 * twice.
 */
const implied: Partial<Record<RedFlag, (answers: Partial<Record<Symptom, SymptomAnswer>>) => boolean>> = {
  severeBreathlessness: ({ dyspnoea }) => dyspnoea === 'severe',
  newConfusion: ({ confusion }) => present.includes(confusion),
  collapse: ({ syncope }) => present.includes(syncope),
  coughingBlood: ({ haemoptysis }) => present.includes(haemoptysis),
  severeChestPain: ({ chestPain }) => chestPain === 'severe',
};

/** Returns all red flags of a report, ticked or implied, in the order of the table. */
export function redFlagsOf(answers: Partial<Record<Symptom, SymptomAnswer>>, ticked: readonly RedFlag[]): RedFlag[] {
  const names = Object.keys(redFlags) as RedFlag[];
  return names.filter((flag) => ticked.includes(flag) || implied[flag]?.(answers) === true);
}
