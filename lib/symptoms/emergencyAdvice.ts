/**
 * What whoever reports a red flag reads at once (clinical.md section 6). Takes the site's emergency number, null where
 * none is set.
 */
export function emergencyAdvice(emergencyNumber: string | null): string {
  return `Call ${emergencyNumber ?? 'the local emergency number'} now. Do not wait for us.`;
}
