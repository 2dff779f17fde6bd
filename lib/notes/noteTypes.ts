/** What a note is about, in the order of the screens (clinical.md section 5). */
export const noteTypes = {
  nursing: 'Nursing',
  medical: 'Medical',
  respiratory_therapy: 'Respiratory therapy',
  contact: 'Phone or video contact',
  alert_response: 'Response to an alert',
  medication: 'Medication',
  device: 'Device',
} as const;

export type NoteType = keyof typeof noteTypes;
