/** How much of the service is lost, and how soon someone responds (clinical.md section 5). Harm is another scale. */
export const serviceSeverities = {
  S1: { label: 'Monitoring lost or wrong patient data', respondWithin: '15 min' },
  S2: { label: 'Degraded, with a workaround', respondWithin: '1 h' },
  S3: { label: 'One function fails', respondWithin: '1 day' },
  S4: { label: 'Looks wrong, works', respondWithin: null },
} as const;

export type ServiceSeverity = keyof typeof serviceSeverities;
