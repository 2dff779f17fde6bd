/** Returns how a value that was typed in says so: of a patient's own number no one of the staff has seen the device. */
export function typedWords({ isByPatient }: { isByPatient?: true }): string {
  return isByPatient === true ? 'typed in by the patient' : 'typed in';
}
