import { randomUUID } from 'node:crypto';
import type { NewReport } from '../lib/reports/schema';

/** Returns an issue report as a page sends it, without its author. */
export const newReport = (more: Partial<NewReport> = {}): Omit<NewReport, 'authorId'> => ({
  clientId: randomUUID(),
  kind: 'device',
  severity: 'S3',
  harm: { physical: null, psychological: null },
  title: 'The monitor shows no number',
  whatHappened: '',
  expected: '',
  immediateAction: '',
  occurredAt: null,
  discoveredAt: null,
  unitId: null,
  bed: null,
  patientId: null,
  alertIds: [],
  deviceId: null,
  device: null,
  isReporterHidden: false,
  alarmsUnit: false,
  context: null,
  ...more,
});
