import type { Harm } from './harms';
import type { ReportKind } from './reportKinds';
import type { NewReportContext } from './schema';
import type { ServiceSeverity } from './serviceSeverities';

/** What a reporter can say of a device, in words. */
export const deviceParts = {
  maker: 'Maker',
  model: 'Model',
  serial: 'Serial number',
  udi: 'UDI',
  firmware: 'Firmware',
  lot: 'Accessory or lot',
} as const;
export type DevicePart = keyof typeof deviceParts;

/** A report while it is typed. An empty text is not stated. */
export interface ReportFields {
  kind: ReportKind | '';
  severity: ServiceSeverity | '';
  physical: Harm | '';
  psychological: Harm | '';
  title: string;
  whatHappened: string;
  expected: string;
  immediateAction: string;
  /** Instants. */
  occurredAt: string;
  discoveredAt: string;
  /** Row ids as text. Without a unit: that of the patient, or none. */
  unitId: string;
  bed: string;
  patientId: string;
  alertIds: readonly number[];
  deviceId: string;
  device: Readonly<Record<DevicePart, string>>;
  isQuarantined: 'yes' | 'no' | '';
  isReporterHidden: boolean;
}

export const emptyReport: ReportFields = {
  kind: '',
  severity: '',
  physical: '',
  psychological: '',
  title: '',
  whatHappened: '',
  expected: '',
  immediateAction: '',
  occurredAt: '',
  discoveredAt: '',
  unitId: '',
  bed: '',
  patientId: '',
  alertIds: [],
  deviceId: '',
  device: { maker: '', model: '', serial: '', udi: '', firmware: '', lot: '' },
  isQuarantined: '',
  isReporterHidden: false,
};

/** Returns whether a reporter would lose nothing of their own: the place may be filled in by the page. */
export function isUntouched(fields: ReportFields): boolean {
  const { unitId: _unit, patientId: _patient, ...typed } = fields;
  const { unitId: _noUnit, patientId: _noPatient, ...empty } = emptyReport;
  return JSON.stringify(typed) === JSON.stringify(empty);
}

interface Sender {
  clientId: string;
  authorId: number;
  /** The reporter has confirmed that S1 alarms the unit. */
  alarmsUnit: boolean;
  context: NewReportContext | null;
}

/** Returns the body of the call that files a report, for `newReport` to check. What is not chosen is left out. */
export function reportBody(fields: ReportFields, sender: Sender): unknown {
  const { kind, severity, title, whatHappened, expected, immediateAction, alertIds, isReporterHidden } = fields;
  return {
    ...sender,
    kind: kind === '' ? undefined : kind,
    severity: severity === '' ? undefined : severity,
    harm: { physical: orNull(fields.physical), psychological: orNull(fields.psychological) },
    title,
    whatHappened,
    expected,
    immediateAction,
    occurredAt: orNull(fields.occurredAt),
    discoveredAt: orNull(fields.discoveredAt),
    unitId: idOrNull(fields.unitId),
    bed: orNull(fields.bed.trim()),
    patientId: idOrNull(fields.patientId),
    alertIds: [...alertIds],
    deviceId: idOrNull(fields.deviceId),
    device: deviceOf(fields),
    isReporterHidden,
  };
}

function deviceOf({ device, isQuarantined }: ReportFields): object | null {
  const parts = Object.entries(device).map(([part, text]) => [part, orNull(text.trim())] as const);
  return isQuarantined === '' && parts.every(([, text]) => text === null)
    ? null
    : { ...Object.fromEntries(parts), isQuarantined: isQuarantined === '' ? null : isQuarantined === 'yes' };
}

const orNull = (text: string): string | null => (text === '' ? null : text);
const idOrNull = (text: string): number | null => (text === '' ? null : Number(text));
