/** What an issue report is about, in the order of the screens (clinical.md section 5). */
export const reportKinds = {
  device: 'Device',
  software: 'Software or IT',
  data: 'Data quality or wrong patient',
  safety: 'Patient safety incident',
  nearMiss: 'Near miss',
  supply: 'Supply',
} as const;

export type ReportKind = keyof typeof reportKinds;
