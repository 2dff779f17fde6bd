import type { VitalKind } from './kinds';

/** The vital signs of NEWS2, in the order of its chart. The pulse may come from an oximeter or from an ECG. */
export const news2Kinds = [
  'respiratoryRate',
  'spo2',
  'oxygenFlow',
  'systolic',
  'pulseRate',
  'heartRate',
  'consciousness',
  'temperature',
] as const satisfies readonly VitalKind[];
export type News2Kind = (typeof news2Kinds)[number];
