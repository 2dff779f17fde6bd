/**
 * Returns a name, a bed or other words for a patient as screens and prints show them: "Trial · Okafor, Ada" for a trial
 * patient. The mark comes first, so that words which are cut lose their end and not it.
 */
export function markTrial(words: string, { isTrial }: { isTrial: boolean }): string {
  return isTrial ? `Trial · ${words}` : words;
}
