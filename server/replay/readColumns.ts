import { hasSignal, isVitalKind, noRate, type VitalKind } from '../../lib/vitals/kinds';
import { readNumber } from './readNumber';
import { readTimes, unitMsOf, usualInterval } from './readTimes';
import {
  countSkipped,
  richerSource,
  type PressureSource,
  type RecordedSample,
  type Recording,
  type Row,
  type SkipReason,
} from './recording';

/** What a column holds: the date is in one of its own, or in that of the time; a fact is repeated on every row. */
type ColumnUse = VitalKind | SkipReason | 'date' | 'time' | 'fact';

/** What columns are by their names, as `plain` writes them, said by the user. */
export type GivenColumns = ReadonlyMap<string, VitalKind | 'time'>;

export interface ColumnChoice {
  /** What columns are, where their names do not say it. */
  columns?: GivenColumns | undefined;
  /** The source of blood pressure that is played. */
  pressure?: PressureSource | undefined;
}

/**
 * What columns are called, as `keyOf` writes it. Of several of one use the first one here is taken, and of those with
 * one name that with the most values. Layouts by their sources:
 * - numerics of the MIMIC waveform database and BIDMC (physionet.org/content/mimic3wdb, .../bidmc): HR, PULSE, RESP,
 *   SpO2, %SpO2, NBPSys, "NBP Sys", ABPSys ...; VitalDB (physionet.org/content/vitaldb): "Solar8000/PLETH_SPO2",
 *   Solar8000/HR, PLETH_HR, RR, RR_CO2, VENT_RR, BT, NIBP_SBP, ART_SBP ...
 * - PhysioNet Challenge 2019 (physionet.org/content/challenge-2019): HR|O2Sat|Temp|SBP|MAP|DBP|Resp ... ICULOS. The
 *   values are hourly medians, so halves occur. FiO2 is a fraction and never becomes an oxygen flow.
 * - CMS50D and CMS50D+: "SpO2(%)", "PR(bpm)", and github.com/headrotor/contec_data: "seconds, flags, spO2 (%), pulse
 *   (bpm)"; EMAY: "Date,Time,SpO2(%),PR(bpm)" (an EmayFileReader of P. Fagerburg); Beurer and Pulox: "DATE,TIME,SPO2,
 *   PULSE".
 * - O2Ring, Wellue, ViHealth, Checkme: "Time,Oxygen Level,Pulse Rate,Motion,O2 Reminder,PR Reminder", and O2 Insight
 *   Pro: "Time,SpO2(%),Pulse Rate(bpm),Motion,SpO2 Reminder,PR Reminder," (github.com/MackeyStingray/o2r and readers
 *   of its files).
 * - Fitbit in Google Takeout: "timestamp,beats per minute", "timestamp,oxygen saturation percentage",
 *   "timestamp,breaths per minute" (github.com/kev-m/FitOut).
 * No public sample of Nonin's nVISION was found; its names are rather among these.
 */
const vocabulary: readonly (readonly [ColumnUse, string, PressureSource?])[] = [
  ['date', 'date datum fecha'],
  ['time', 'time timestamp datetime dateandtime timeanddate elapsedtime sampleinterval start startdate iculos'],
  ['time', 'seconds second sec minutes minute hours zeit uhrzeit zeitpunkt datumzeit datumuhrzeit heure hora'],
  ['spo2', 'spo2 oxygenlevel oxygensaturation bloodoxygen bloodoxygenlevel bloodoxygensaturation plethspo2'],
  ['spo2', 'plethsato2 o2sat sauerstoffsättigung saturation'],
  ['pulseRate', 'pulse pulserate pr plethhr bpm beatsperminute puls pulsfrequenz pouls pulso'],
  ['heartRate', 'hr heartrate ecghr herzfrequenz'],
  ['respiratoryRate', 'resp rr resprate respiratoryrate respirationrate breathingrate breathsperminute'],
  ['respiratoryRate', 'atemfrequenz rrco2 ventrr'],
  ['temperature', 'bt temp'],
  ['perfusionIndex', 'pi perfusionindex plethperfrel'],
  ['systolic', 'nbpsys nibpsbp nibpsys', 'cuff'],
  ['diastolic', 'nbpdias nibpdbp nibpdia', 'cuff'],
  ['systolic', 'abpsys artsbp', 'invasive'],
  ['diastolic', 'abpdias artdbp', 'invasive'],
  ['systolic', 'systolic sbp'],
  ['diastolic', 'diastolic dbp'],
  ['mean pressure', 'nbpmean abpmean nibpmbp artmbp map'],
  ['oxygen fraction, not a flow', 'fio2'],
  ['fact', 'duration age gender unit1 unit2 hospadmtime sepsislabel'],
];
const meanings = new Map(
  vocabulary
    .flatMap(([use, keys, source]) => keys.split(' ').map((key) => ({ key, use, source })))
    .map(({ key, use, source }, rank) => [key, { use, source, rank }] as const),
);

/** Elsewhere they are something else: the milliseconds between two beats, or of the skin or the device. */
const onlyOfMonitors = ['rr', 'bt', 'temp'];

/** VitalDB writes the device before the name. */
const withDevice = /^\w+\/(?=\w+$)/;

/** Returns a name in small letters and digits, without its unit: "SpO₂ (%)", "%SpO2" and "'SpO2'" are one. */
function keyOf(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[([{].*$/, '')
    .replace(withDevice, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<=.)(?:bpm|percent|percentage)$/, '');
}

/** Returns a text in small letters, without quotes, or the apostrophes of rdsamp. */
export const plain = (text: string): string => text.replaceAll(/^[\s'"]+|[\s'"]+$/g, '').toLowerCase();

/** Returns whether the names are of numerics of WFDB: by rdsamp, between apostrophes, or a table of a row a minute. */
const isOfWfdb = ([first = '']: readonly string[]): boolean => first === 'minute' || first.startsWith("'");

/**
 * Returns what each column is that is given or known by its name. Without a pulse beside it, the heart rate of anything
 * but a monitor is a pulse: the device has light and no electrodes, and its 0 is no asystole. Of two sources of blood
 * pressure the one that measured more often is played.
 */
function planColumns(
  names: readonly string[],
  { columns = new Map(), pressure }: ColumnChoice,
  rows: readonly Row[] = [],
): Map<string, ColumnUse> {
  const isMonitor = isOfWfdb(names) || names.some((name) => withDevice.test(name) || name === 'ICULOS');
  const found = names.flatMap((name) => {
    const [key, given] = [keyOf(name), columns.get(plain(name))];
    const known = isMonitor || !onlyOfMonitors.includes(key) ? meanings.get(key) : undefined;
    const meaning = given === undefined ? known : { use: given, source: undefined, rank: -1 };
    const count = rows.filter((row) => Number(readCell(row[name])) > 0).length;
    return meaning === undefined ? [] : [{ name, ...meaning, count }];
  });
  const readings = (source: PressureSource): number =>
    found.reduce((sum, one) => sum + (one.source === source ? one.count : 0), 0);
  const played = pressure ?? richerSource(readings('cuff'), readings('invasive'));
  const hasPulse = isMonitor || found.some(({ use }) => use === 'pulseRate');
  const plan = new Map<string, ColumnUse>();
  found.sort((a, b) => (a.rank === b.rank ? b.count - a.count : a.rank - b.rank));
  for (const { name, use, source, rank } of found) {
    const meant = use === 'heartRate' && !hasPulse && rank >= 0 ? 'pulseRate' : use;
    const second = isVitalKind(meant) ? 'second device of the same kind' : isTime(meant) ? 'fact' : meant;
    const isOther = source !== undefined && source !== played;
    plan.set(name, isOther ? 'other pressure source' : [...plan.values()].includes(meant) ? second : meant);
  }
  return plan;
}

const isTime = (use: ColumnUse): use is 'date' | 'time' => use === 'date' || use === 'time';

/** Some devices write who and when before the header. */
const mostLinesBefore = 30;

/** Some devices end each line with a delimiter, but not their header, or the other way round. */
const lineEnd = /[,;\t|]*(?:\r\n|\r|\n|$)/;

/**
 * Returns a text from the first line on that names a time and something that is played, and every column that is given,
 * and the delimiter of that line; null: no such line.
 */
export function findHeader(text: string, columns: GivenColumns = new Map()) {
  const lines = text.split(lineEnd);
  for (const [index, line] of lines.slice(0, mostLinesBefore).entries()) {
    for (const delimiter of [',', ';', '\t', '|']) {
      const names = line.split(delimiter).map((name) => name.trim());
      const uses = [...planColumns(names, { columns }).values()];
      const hasGiven = [...columns.keys()].every((given) => names.some((name) => plain(name) === given));
      if (hasGiven && uses.some(isTime) && uses.some(isVitalKind)) {
        return { body: lines.slice(index).join('\n'), delimiter };
      }
    }
  }
  return null;
}

/** As `readNumber`, also between apostrophes, with a decimal comma or a unit, or as a sign for nothing. */
function readCell(text = ''): ReturnType<typeof readNumber> {
  const number = plain(text).replace(/\s*(?:%|bpm|\/min)$/, '');
  const isNothing = /^(?:[-–—*?_]+|n\/?a|null|none)$/.test(number);
  return isNothing ? 'none' : readNumber(number.replace(/^([-+]?\d+),(\d+)$/, '$1.$2'));
}

/**
 * Reads a table with one row per time and one column per measurement by the names of its columns. Times count from the
 * first row, also if it has no value. In numerics of WFDB 0 is "no signal" under every name; elsewhere SpO2 127 is, and
 * a rate of 255 without an SpO2 beside it, as the server takes what comes in one call (clinical.md section 00, A6).
 */
export function readColumns(rows: readonly Row[], choice: ColumnChoice): Recording {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const plan = planColumns(names, choice, rows);
  const ofTime = ['date', 'time'].flatMap((use) => names.filter((name) => plan.get(name) === use));
  const timeName = ofTime.at(-1) ?? '';
  const texts = rows.map((row) => ofTime.map((name) => row[name] ?? '').join(' '));
  // rdsamp writes units under the names.
  const units = [rows[0]?.[timeName], /[([](.*?)[)\]]/.exec(timeName)?.[1], timeName];
  const unitMs = units.map((unit) => unitMsOf(plain(unit ?? ''))).find((ms) => ms !== null) ?? null;
  const times = readTimes(texts, unitMs);
  const spo2 = names.find((name) => plan.get(name) === 'spo2') ?? '';
  const start = times.find((at) => !Number.isNaN(at)) ?? 0;
  const samples: RecordedSample[] = [];
  const skipped: Recording['skipped'] = {};
  for (const [index, row] of rows.entries()) {
    const at = times[index] ?? NaN;
    if (Number.isNaN(at)) {
      countSkipped(skipped, 'unreadable time', unitMsOf(plain(row[timeName] ?? '')) === null ? 1 : 0);
      continue;
    }
    for (const [name, text] of Object.entries(row)) {
      const use = plan.get(name) ?? 'no kind for it';
      const value = readCell(text);
      if (isVitalKind(use) && typeof value === 'number') {
        const isRate = use === 'heartRate' || use === 'pulseRate';
        const isNone = value === noRate && isRate && !hasSignal('spo2', Number(readCell(row[spo2])));
        const isSilent = isOfWfdb(names) ? value === 0 : isNone || !hasSignal(use, value);
        samples.push({ kind: use, value, atMs: Math.round(at - start), quality: isSilent ? 'invalid' : 'good' });
      } else if (isVitalKind(use)) {
        countSkipped(skipped, value === 'none' ? 'no value (empty or NaN)' : 'not a number');
      } else if (!isTime(use) && use !== 'fact') {
        countSkipped(skipped, use, value === 'none' ? 0 : 1);
      }
    }
  }
  const used = [...plan].filter(([, use]) => isVitalKind(use) || isTime(use)).map(([name, use]) => `${name} = ${use}`);
  return { samples, skipped, expectedEveryMs: usualInterval(times, unitMs), columns: used.join(', ') };
}
