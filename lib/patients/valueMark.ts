import { numberMark, type NumberMark } from '../alerts/numberMark';
import type { Side } from '../alerts/episode';
import type { EpochMs } from '../time/epochMs';
import { news2 } from '../vitals/news2';
import type { VitalKind } from '../vitals/kinds';
import { noNews2Because } from './patientNews2';
import type { Patient } from './schema';

/** A value without an alert that has three points of NEWS2 by itself: a delay still runs. No alarm colour is spent. */
interface ThreePoints {
  look: 'bold';
  side: Side;
  words: string;
}

export type ValueMark = NumberMark | ThreePoints;
export type MarkedKind = 'spo2' | 'heartRate' | 'pulseRate';
export type MarkedPatient = Pick<Patient, 'alerts' | 'latest' | 'spo2Scale' | 'dateOfBirth' | 'news2ExemptFor'>;

/** Returns whether the numbers of a kind carry an alarm. */
export function isMarkedKind(kind: VitalKind): kind is MarkedKind {
  return kind in middle;
}

/** Between what is too low and what is too high of each, in its unit. */
const middle = { spo2: 94, heartRate: 90, pulseRate: 90 } as const satisfies Record<MarkedKind, number>;

/**
 * Returns how the number of a value shows the patient's alert about it, else that it has three points of NEWS2; null:
 * it shows neither (screens.md section 1). `now` is the server's time, epoch milliseconds.
 */
export function valueMark(patient: MarkedPatient, kind: MarkedKind, now: EpochMs, timeZone: string): ValueMark | null {
  const mark = numberMark(patient.alerts, kind === 'spo2' ? 'spo2' : 'rate', patient.latest, now);
  return mark ?? threePoints(patient, kind, now, timeZone);
}

function threePoints(patient: MarkedPatient, kind: MarkedKind, now: EpochMs, timeZone: string): ThreePoints | null {
  const { latest, spo2Scale } = patient;
  const value = latest[kind];
  // Few values are so far off: the rest need no calendar.
  if (value === undefined || noNews2Because(patient, now, timeZone) !== null) {
    return null;
  }
  // Of the value that is shown, even if the score is of the other rate.
  const own = { [kind]: value, ...(latest.oxygenFlow === undefined ? {} : { oxygenFlow: latest.oxygenFlow }) };
  return news2(own, spo2Scale, now).parts[kind]?.points === 3
    ? { look: 'bold', side: value.value < middle[kind] ? 'low' : 'high', words: '3 points of NEWS2' }
    : null;
}
