/** How much the name of a care team's channel says about the patient to the chat service, the least first. */
export const patientLabels = ['number', 'bed', 'initials_and_bed'] as const;
export type PatientLabel = (typeof patientLabels)[number];
