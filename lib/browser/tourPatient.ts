/** In the storage of the tab: the record of the walkthrough, which all tabs share, has no place for a patient. */
const patientKey = 'wardlight-tour-patient';

/** Keeps which patient the walkthrough has selected for a user in this tab; null: the list had none. */
export function keepTourPatient(userId: number, patientId: number | null): void {
  try {
    if (patientId === null) {
      sessionStorage.removeItem(patientKey);
    } else {
      sessionStorage.setItem(patientKey, `${userId} ${patientId}`);
    }
  } catch {
    // Storage can be switched off or full. The details open without a patient.
  }
}

/** Returns the patient that the walkthrough has selected for a user in this tab, or null. */
export function keptTourPatient(userId: number): number | null {
  try {
    const [, owner, patientId] = /^(\d+) (\d+)$/.exec(sessionStorage.getItem(patientKey) ?? '') ?? [];
    return patientId === undefined || Number(owner) !== userId ? null : Number(patientId);
  } catch {
    return null;
  }
}
