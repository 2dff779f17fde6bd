import { toPlainLine } from '../../lib/plainText';
import { UnreadableRecording, type Row } from './recording';

/** Returns the bytes of a file beside the recording. Throws if it cannot be read. */
export type ReadBeside = (name: string) => Uint8Array;

/** Numerics come once a second or less often; RESP and PLETH of a faster record are curves. */
const fastestHz = 2;

/** The record line (physionet.org/physiotools/wag/header-5.htm): name, signals, samples per second, and how many. */
const recordLine = /^[^\s/]+(\/\d+)?\s+(\d+)(?:\s+([\d.]+(?:e-?\d+)?)\S*(?:\s+(\d+))?.*)?$/i;

/** The usual gain of the library that wrote the format, where the header has none. */
const usualGain = 200;

/** The least number of 16 bits means "no value" (physionet.org/physiotools/wag/signal-5.htm). */
const noValue = -32_768;

const linesOf = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Returns whether a text is the header of a record of WFDB. */
export function isWfdbHeader(text: string): boolean {
  const [record = '', signal = ''] = linesOf(text.slice(0, 5_000));
  return recordLine.test(record) && /^\S+\s+\d+(?:[x:+]\d+)*(?:\s|$)/.test(signal);
}

/**
 * Reads a numerics record of WFDB by its header, with the files of samples beside it, as the table of a row a minute
 * that the same numerics are published as. A sample without a value is an empty text. Throws UnreadableRecording for
 * several segments, waveforms, and formats other than that of numerics, 16.
 */
export function readWfdb(text: string, readBeside: ReadBeside = () => new Uint8Array()): Row[] {
  const [record = '', ...lines] = linesOf(text);
  const [, segments, count = '', rate = '250', length = '0'] = recordLine.exec(record) ?? [];
  const perMinute = Number(rate) * 60;
  const isWaveform = !(perMinute > 0 && perMinute <= fastestHz * 60);
  if (segments !== undefined || isWaveform) {
    const why = isWaveform ? `has ${rate} samples a second, as waveforms have` : 'has several segments: name one';
    throw new UnreadableRecording(why);
  }
  const signals = lines.slice(0, Number(count)).map(readSignal);
  const columns = signals.map((signal) => {
    const own = signals.filter(({ file }) => file === signal.file);
    const bytes = Buffer.from(readBeside(signal.file)).subarray(own[0]?.offset);
    const textAt = (row: number) => textOf(signal, bytes.readInt16LE(2 * (row * own.length + own.indexOf(signal))));
    return { name: signal.name, textAt, count: Math.floor(bytes.length / 2 / own.length) };
  });
  const shortest = columns.reduce((least, column) => Math.min(least, column.count), Infinity);
  if (signals.length < Math.max(1, Number(count)) || shortest < Number(length)) {
    throw new UnreadableRecording(`names ${count} signals with ${length} samples, and not all of them are there`);
  }
  // 0 is "not specified".
  return Array.from({ length: Number(length) === 0 ? shortest : Number(length) }, (_, row) => ({
    minute: String(row / perMinute),
    ...Object.fromEntries(columns.map(({ name, textAt }) => [name, textAt(row)])),
  }));
}

function readSignal(line: string) {
  const [file = '', layout = '', scale = '', , zero = '0', , , , ...name] = line.split(/\s+/);
  const format = /^16(?:x1)?(?:\+(\d+))?$/.exec(layout);
  if (format === null || !/^\w[\w.-]*$/.test(file)) {
    const only = 'only those of format 16 are read, one sample at a time, in a file beside it';
    throw new UnreadableRecording(`has the signal "${toPlainLine(line)}"; ${only}`);
  }
  const [, gain = '0', baseline = zero] = /^([-\d.e+]+)(?:\((-?\d+)\))?/i.exec(scale) ?? [];
  const offset = Number(format[1] ?? 0);
  return { file, offset, gain: Number(gain), baseline: Number(baseline), name: name.join(' ') };
}

/** A sample minus the baseline, divided by the gain, is in its unit: to the third decimal, as rdsamp prints it. */
function textOf({ gain, baseline }: ReturnType<typeof readSignal>, sample: number): string {
  const value = (sample - baseline) / (gain === 0 ? usualGain : gain);
  return sample === noValue ? '' : String(Math.round(value * 1_000) / 1_000);
}
