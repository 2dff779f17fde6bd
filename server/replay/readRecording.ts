import { readChartEvents } from './readChartEvents';
import { readColumns, type ColumnUse } from './readColumns';
import { readNumber } from './readNumber';
import { readTable, type Row } from './readTable';
import { UnreadableRecording, type PressureSource, type Recording, signalQuality, richerSource } from './recording';

export const formatNames = ['bidmc', 'minutes', 'challenge2019', 'chartevents'] as const;
export type FormatName = (typeof formatNames)[number];

interface Format {
  /** The beginning of a header that no other format has. */
  header: RegExp;
  read: (text: string, pressure?: PressureSource) => Recording;
}

const second = 1_000;

/**
 * Reads the numerics of PhysioNet's BIDMC recordings: one row a second, `Time [s], HR, PULSE, RESP, SpO2`, missing =
 * NaN or empty. A missing second is no sample, so the gap stays open.
 */
export function readBidmc(text: string): Recording {
  const read = readColumns(readTable(text, ',', ['Time [s]']), {
    time: 'Time [s]',
    unitMs: second,
    plan: new Map<string, ColumnUse>([
      ['HR', 'heartRate'],
      ['PULSE', 'pulseRate'],
      ['RESP', 'respiratoryRate'],
      ['SpO2', 'spo2'],
    ]),
    qualityOf: signalQuality,
  });
  return { ...read, expectedEveryMs: second };
}

const hour = 3_600_000;

/**
 * Reads a patient of the PhysioNet Challenge 2019: columns separated by "|", one row an hour (ICULOS), NaN = not
 * charted that hour. The values are hourly medians, so halves occur and are sent as they stand. FiO2 is a fraction and
 * never becomes an oxygen flow.
 */
export function readChallenge2019(text: string): Recording {
  const read = readColumns(readTable(text, '|', ['ICULOS']), {
    time: 'ICULOS',
    unitMs: hour,
    plan: new Map<string, ColumnUse>([
      ['HR', 'heartRate'],
      ['O2Sat', 'spo2'],
      ['Temp', 'temperature'],
      ['SBP', 'systolic'],
      ['DBP', 'diastolic'],
      ['Resp', 'respiratoryRate'],
      ['MAP', { skip: 'mean pressure' }],
      ['FiO2', { skip: 'oxygen fraction, not a flow' }],
      // Facts about the patient or the stay, repeated on every row.
      ['Age', null],
      ['Gender', null],
      ['Unit1', null],
      ['Unit2', null],
      ['HospAdmTime', null],
      ['SepsisLabel', null],
    ]),
    qualityOf: signalQuality,
  });
  return { ...read, expectedEveryMs: hour };
}

const minute = 60_000;

/**
 * Reads the numerics records of the MIMIC waveform database: one row a minute, empty = not measured. A value of 0 means
 * "no signal" (probe or lead off) under every name of this format, so it is played as an invalid 0: the gap shows and
 * the technical rules evaluate it.
 */
export function readMinutes(text: string, pressure?: PressureSource): Recording {
  const rows = readTable(text, ',', ['minute']);
  const source = pressure ?? richerSource(readings(rows, 'NBPSys'), readings(rows, 'ABPSys'));
  const cuff = source === 'cuff';
  const other: ColumnUse = { skip: 'other pressure source' };
  const read = readColumns(rows, {
    time: 'minute',
    unitMs: minute,
    plan: new Map<string, ColumnUse>([
      ['HR', 'heartRate'],
      ['PULSE', 'pulseRate'],
      ['RESP', 'respiratoryRate'],
      ['SpO2', 'spo2'],
      ['NBPSys', cuff ? 'systolic' : other],
      ['NBPDias', cuff ? 'diastolic' : other],
      ['ABPSys', cuff ? other : 'systolic'],
      ['ABPDias', cuff ? other : 'diastolic'],
      ['NBPMean', { skip: 'mean pressure' }],
      ['ABPMean', { skip: 'mean pressure' }],
    ]),
    qualityOf: (_kind, value) => (value === 0 ? 'invalid' : 'good'),
  });
  return { ...read, expectedEveryMs: minute };
}

function readings(rows: readonly Row[], column: string): number {
  return rows.filter((row) => {
    const value = readNumber(row[column]);
    return typeof value === 'number' && value > 0;
  }).length;
}

const formats = {
  bidmc: { header: /^Time \[s\]\s*,/, read: readBidmc },
  minutes: { header: /^minute\s*,/, read: readMinutes },
  challenge2019: { header: /^(?=[^\r\n]*\|ICULOS\|?)HR\|/, read: readChallenge2019 },
  chartevents: { header: /^charttime,storetime,itemid,/, read: readChartEvents },
} as const satisfies Record<FormatName, Format>;

/** Takes a recording's text and says by its header which format it is in, or null. */
export function detectFormat(text: string): FormatName | null {
  const start = text.replace(/^\uFEFF/, '');
  return formatNames.find((name) => formats[name].header.test(start)) ?? null;
}

/**
 * Takes the text of a file and returns the recording in it. `format` overrules the header, `pressure` the choice of the
 * pressure source. Throws UnreadableRecording when no format fits or the file breaks its own format.
 */
export function readRecording(
  text: string,
  choice: { format?: FormatName; pressure?: PressureSource },
): Recording & { format: FormatName } {
  const format = choice.format ?? detectFormat(text);
  if (format === null) {
    throw new UnreadableRecording(`has a header of no known format (${formatNames.join(', ')}); --format names one`);
  }
  return { ...formats[format].read(text, choice.pressure), format };
}
