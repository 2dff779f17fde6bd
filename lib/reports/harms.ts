/** How much a person was harmed, physical and psychological apart (clinical.md section 5). Null is "not stated". */
export const harms = {
  none: 'None',
  low: 'Low',
  moderate: 'Moderate',
  severe: 'Severe',
  fatal: 'Fatal',
} as const;

export type Harm = keyof typeof harms;
