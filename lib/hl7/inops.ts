import { codeRow, type Code } from './codes';
import type { Observation } from './readOru';
import { valueStatuses } from './readValue';
import type { VitalKind } from '../vitals/kinds';

/** What an INOP, a technical alarm of Philips, says of the numbers of one probe. */
export interface Inop {
  /** What its probe measures, and under which codes. */
  numbers: readonly { kind: VitalKind; code: Code }[];
  /** `noSignal`: there is none. `questionable`: what comes beside it is not certain. */
  means: 'noSignal' | 'questionable';
}

/** Of HardInop and SoftInop; a code says nothing else of what it is about. */
const inopCodes = ['5', '6'];
const system = 'MDIL-ALERT';

/**
 * The labels of Philips' probes and the codes of their numbers (`knownCodes`). Pulse and perfusion are of the probe
 * with the label SpO2; no code is known for those of SpO2T.
 */
const numbersOf: Readonly<Record<string, readonly string[]>> = {
  SpO2: ['0002-4bb8', '0002-4822', '0002-4bb0'],
  SpO2T: ['0002-f09c'],
  ECG: ['0002-4182'],
  Resp: ['0002-500a'],
};

/**
 * What Philips says of each ("Patient Alarms and INOPs" in the instructions for use of IntelliVue monitors; of SpO2
 * those of MP2 G.0, page 76, and of CL SpO2, page 52). `noSignal`: the number "is replaced by -?-" or "unavailable"
 * because nothing is measured. `questionable`: it is "displayed with a ?", and those whose probe measures, but badly:
 * they replace the number too, and one that comes all the same must not look certain. Whatever is not here is a message
 * of the device: SpO2 Pulse? (a rate beyond its range may be the patient's), Cannot Analyze QT, those of pressures that
 * are no value here, and No Data Monitor, after which nothing comes: that is silence.
 */
const spo2Conditions: readonly [string, Inop['means']][] = [
  ['No Pulse', 'noSignal'],
  ['No Sensor', 'noSignal'],
  ['Sensor Off', 'noSignal'],
  ['Sensor Malf', 'noSignal'],
  ['Unkn.Sensor', 'noSignal'],
  ['Equip Malf', 'noSignal'],
  ['Searching', 'noSignal'],
  ['Low Perf', 'questionable'],
  ['Poor Signal', 'questionable'],
  ['Extd.Update', 'questionable'],
  ['Erratic', 'questionable'],
  ['Interference', 'questionable'],
  ['NoisySignal', 'questionable'],
];
const leadConditions: readonly [string, Inop['means']][] = [
  ['Leads Off', 'noSignal'],
  ['Equip Malf', 'noSignal'],
];
const conditionsOf: Readonly<Record<string, readonly [string, Inop['means']][]>> = {
  SpO2: spo2Conditions,
  SpO2T: spo2Conditions,
  ECG: leadConditions,
  Resp: [...leadConditions, ['Erratic', 'questionable']],
};

const byWords = new Map(
  Object.entries(conditionsOf).flatMap(([label, conditions]) => {
    const numbers = (numbersOf[label] ?? []).flatMap((id) => {
      const code = { id, text: '', system: 'MDIL' };
      const row = codeRow(code);
      return row === null ? [] : [{ kind: row.kind, code }];
    });
    return conditions.map(([condition, means]): [string, Inop] => [`${label} ${condition}`, { numbers, means }]);
  }),
);

/**
 * Returns what an INOP in an ORU^R01 says of the numbers of a probe, or null: it is none, or a message of the device
 * and nothing else. Its words decide, with the spaces with which monitors fill their screens taken as one; others that
 * look alike say nothing. Neither does a line that is no value (OBX-11), or marked as a test or demo.
 */
export function inopOf({ code, value, status, flags }: Observation): Inop | null {
  const isSaid = valueStatuses.has(status) && !flags.includes('TEST') && !flags.includes('DEMO');
  if (code.system !== system || !inopCodes.includes(code.id) || typeof value !== 'string' || !isSaid) {
    return null;
  }
  return byWords.get(value.replaceAll(/\s+/g, ' ').trim()) ?? null;
}
