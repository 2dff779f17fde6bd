/**
 * What an alert is about. A patient has at most one open alert of each: the rules of a parameter are tiers of its alert,
 * and technical conditions are parameters of their own.
 */
export const parameters = [
  'spo2',
  'rate',
  'respiratoryRate',
  'temperature',
  'weight',
  'news2',
  'symptoms',
  'readings',
  'reporting',
  'sensor',
  'spo2Quality',
  'rateQuality',
  'perfusion',
  'battery',
  'clock',
  'gateway',
] as const;
export type Parameter = (typeof parameters)[number];

const technical: ReadonlySet<Parameter> = new Set<Parameter>([
  'reporting',
  'sensor',
  'spo2Quality',
  'rateQuality',
  'perfusion',
  'battery',
  'clock',
  'gateway',
]);

/** Whether an alert is about the equipment and not about the patient: such an alert never latches. */
export function isTechnical(parameter: Parameter): boolean {
  return technical.has(parameter);
}
