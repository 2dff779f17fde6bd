/** About the equipment or the watch itself. */
const technicalParameters = [
  'reporting',
  'sensor',
  'spo2Quality',
  'rateQuality',
  'perfusion',
  'battery',
  'clock',
  'monitor',
  'server',
  'gateway',
  'standby',
  'limits',
  'handoff',
  'checkInLink',
  'report',
  'rules',
  'record',
  'disk',
] as const;

/**
 * What an alert is about. A patient has at most one open alert of each: the rules of a parameter are tiers of its
 * alert, and each technical condition is a parameter.
 */
export const parameters = [
  'spo2',
  'rate',
  'respiratoryRate',
  'temperature',
  'weight',
  'news2',
  'symptoms',
  'callRequest',
  'readings',
  'outOfReach',
  ...technicalParameters,
] as const;
export type Parameter = (typeof parameters)[number];

/** The name of each at the start of a sentence. */
export const parameterLabels = {
  spo2: 'SpO2',
  rate: 'Heart rate',
  respiratoryRate: 'Respiratory rate',
  temperature: 'Temperature',
  weight: 'Weight',
  news2: 'NEWS2',
  symptoms: 'Symptoms',
  callRequest: 'Call request',
  readings: 'Readings',
  outOfReach: 'While out of reach',
  reporting: 'No data',
  sensor: 'Sensor',
  spo2Quality: 'SpO2 signal',
  rateQuality: 'Heart rate signal',
  perfusion: 'Perfusion',
  battery: 'Battery',
  clock: 'Device clock',
  monitor: 'Monitor',
  server: 'Server',
  gateway: 'Gateway',
  standby: 'Standby',
  limits: 'Limits',
  handoff: 'Handoff',
  checkInLink: 'Check-in link',
  report: 'Issue report',
  rules: 'Rules',
  record: 'Alert record',
  disk: 'Disk',
} as const satisfies Record<Parameter, string>;

const technical: ReadonlySet<Parameter> = new Set<Parameter>(technicalParameters);

/** Technical, and nothing that a technician could mend. */
const ofTheWard: ReadonlySet<Parameter> = new Set<Parameter>([
  'standby',
  'limits',
  'handoff',
  'checkInLink',
  'rules',
  'record',
]);

/** Returns whether an alert is about the equipment or the watch itself and not about the patient: it never latches. */
export function isTechnical(parameter: Parameter): boolean {
  return technical.has(parameter);
}

/** Returns whether an alert is about the equipment, which technicians see and handle. */
export function isOfEquipment(parameter: Parameter): boolean {
  return technical.has(parameter) && !ofTheWard.has(parameter);
}
