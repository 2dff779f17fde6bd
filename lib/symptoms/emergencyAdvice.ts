import type { Patient } from '../patients/schema';

/**
 * Returns the advice that follows a red flag at once (clinical.md section 6). `emergencyNumber` is the site's, null if
 * none is set.
 */
export function emergencyAdvice(emergencyNumber: string | null): string {
  return `Call ${emergencyNumber ?? 'the local emergency number'} now. Do not wait for us.`;
}

/** Returns what staff do at once when they enter a red flag: of a patient who is beside them, or at home. */
export function staffAdvice(profile: Patient['profile'], emergencyNumber: string | null): string {
  return profile === 'home'
    ? `Tell the patient to call ${emergencyNumber ?? 'the local emergency number'} now.`
    : 'Stay with the patient and call for help now.';
}
