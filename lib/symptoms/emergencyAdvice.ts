/**
 * Returns the advice that follows a red flag at once (clinical.md section 6). `emergencyNumber` is the site's, null if
 * none is set.
 */
export function emergencyAdvice(emergencyNumber: string | null): string {
  return `Call ${emergencyNumber ?? 'the local emergency number'} now. Do not wait for us.`;
}
