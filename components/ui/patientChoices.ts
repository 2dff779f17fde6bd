import type { Patient } from '../../lib/patients/schema';

/** The choices of the forms about a patient. */
export const sexChoices: { value: Patient['sex']; label: string }[] = [
  { value: 'unknown', label: 'Not recorded' },
  { value: 'female', label: 'Female' },
  { value: 'male', label: 'Male' },
  { value: 'other', label: 'Other' },
];

export const profileChoices: { value: Patient['profile']; label: string }[] = [
  { value: 'continuous', label: 'Continuous, with a monitor' },
  { value: 'home', label: 'At home, spot checks' },
];
