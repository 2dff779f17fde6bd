import { parameterLabels, type Parameter } from '../../lib/alerts/parameters';
import type { AlertItem } from '../../lib/alerts/schema';
import { shownNews2 } from '../../lib/patients/patientNews2';
import type { Patient } from '../../lib/patients/schema';
import { formatTime } from '../../lib/time/formatTime';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import { shownRate } from '../../lib/vitals/shownRate';
import { shownValue, type ShownValue } from '../../lib/vitals/shownValue';

/** What the chip of an alert says beside its shape. */
interface AlertReading extends Pick<ShownValue, 'state' | 'isQuestionable' | 'note'> {
  /** Null: the alert is not about a number. */
  number: string | null;
  label: { kind: VitalKind; unit: string } | string;
}

interface Context {
  now: number;
  serverLost: number | null;
  timeZone: string;
}

const rates = ['heartRate', 'pulseRate'] as const;
/** The kinds that a parameter is about, if it is about one. */
const kindOf: Partial<Record<Parameter, VitalKind>> = {
  spo2: 'spo2',
  spo2Quality: 'spo2',
  respiratoryRate: 'respiratoryRate',
  temperature: 'temperature',
  weight: 'weight',
  perfusion: 'perfusionIndex',
};
/** For the alerts without a number whose name is too long for a chip. */
const shortNames: Partial<Record<Parameter, string>> = {
  callRequest: 'Call',
  outOfReach: 'Earlier',
  clock: 'Clock',
  checkInLink: 'Check-in',
  report: 'Report',
  record: 'Record',
};

/**
 * Returns the present value that an alert is about, from the `values` that came with its sentence, so that one row says
 * one number; only a word if there is no such value, or while the patient is not known.
 */
export function alertReading(
  alert: AlertItem,
  values: AlertItem['values'],
  shownPatient: Patient | undefined,
  context: Context,
): AlertReading {
  const { parameter } = alert;
  if (shownPatient === undefined || shownPatient.id !== alert.patientId) {
    return wordOf(alert);
  }
  const patient = { ...shownPatient, latest: values };
  if (parameter === 'news2') {
    const { serverLost, timeZone } = context;
    const score = shownNews2(patient, context);
    const at = serverLost === null ? null : formatTime(serverLost, timeZone);
    const note = score?.complete === true ? (at ?? 'now') : ['at least', at].filter((word) => word !== null).join(', ');
    return score === null
      ? wordOf(alert)
      : { state: 'live', isQuestionable: false, number: String(score.range[0]), label: 'NEWS2', note };
  }
  if (parameter === 'reporting' || parameter === 'sensor') {
    // Another device may have a value now; a number would look like the one that is wrong.
    const kind = alert.evidence.samples[0]?.kind ?? 'spo2';
    const shown = shownValue(kind, patient.latest[kind], context);
    return shown.number === '--' ? withLabel(kind, shown) : wordOf(alert);
  }
  const kind = isOfRate(parameter) ? rateKind(alert, patient, context.now) : kindOf[parameter];
  return kind === undefined ? wordOf(alert) : withLabel(kind, shownValue(kind, patient.latest[kind], context));
}

function withLabel(kind: VitalKind, shown: ShownValue): AlertReading {
  return { ...shown, label: { kind, unit: kinds[kind].unit } };
}

function wordOf({ parameter }: AlertItem): AlertReading {
  const kind = isOfRate(parameter) ? 'heartRate' : kindOf[parameter];
  const label = kind === undefined ? (shortNames[parameter] ?? parameterLabels[parameter]) : { kind, unit: '' };
  return { state: 'none', isQuestionable: false, number: null, label, note: '' };
}

/** Returns the rate that raised an alert, not the other one: "PR 30" beside an ECG of 80. */
export function rateKind(
  { evidence }: AlertItem,
  { latest }: Pick<Patient, 'latest'>,
  now: number,
): 'heartRate' | 'pulseRate' {
  const raised = rates.find((rate) => evidence.samples[0]?.kind === rate);
  return raised ?? shownRate(latest, now).kind;
}

const isOfRate = (parameter: Parameter): boolean => parameter === 'rate' || parameter === 'rateQuality';
