import { redFlags, type RedFlag, type Symptom, type SymptomAnswer } from './symptoms';

const present: readonly (SymptomAnswer | undefined)[] = ['mild', 'moderate', 'severe'];

/**
 * From which answers a red flag follows although nobody ticked it: whoever reports blood does not have to find it
 * twice.
 */
const implied: Partial<Record<RedFlag, (answers: Partial<Record<Symptom, SymptomAnswer>>) => boolean>> = {
  severeBreathlessness: ({ dyspnoea }) => dyspnoea === 'severe',
  newConfusion: ({ confusion }) => present.includes(confusion),
  collapse: ({ syncope }) => present.includes(syncope),
  coughingBlood: ({ haemoptysis }) => present.includes(haemoptysis),
  severeChestPain: ({ chestPain }) => chestPain === 'severe',
};

/**
 * Takes the answers and the flags that were ticked and returns all red flags of a report, in the order of the table.
 */
export function redFlagsOf(answers: Partial<Record<Symptom, SymptomAnswer>>, ticked: readonly RedFlag[]): RedFlag[] {
  const names = Object.keys(redFlags) as RedFlag[];
  return names.filter((flag) => ticked.includes(flag) || implied[flag]?.(answers) === true);
}
