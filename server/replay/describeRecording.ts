import { vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import type { FormatName } from './readRecording';
import { knownAtMs } from './feed';
import type { RecordedSample, Recording } from './recording';

/**
 * Returns the lines that say what a recording contains and what is not played. `name` is the file's name on the screen.
 */
export function describeRecording(name: string, mrn: string, recording: Recording & { format: FormatName }): string[] {
  const { samples, skipped, format, expectedEveryMs, columns } = recording;
  const start = samples.reduce((earliest, sample) => Math.min(earliest, knownAtMs(sample)), Infinity);
  const end = samples.reduce((latest, sample) => Math.max(latest, knownAtMs(sample)), -Infinity);
  const late = samples.filter(({ atMs, enteredAtMs }) => enteredAtMs !== undefined && enteredAtMs > atMs).length;
  return [
    `${name} -> MRN ${mrn}: ${format}, ${samples.length} samples in ` +
      `${lengthText(samples.length === 0 ? 0 : end - start)}, one every ${lengthText(expectedEveryMs)}`,
    ...(columns === undefined ? [] : [`  columns: ${columns}`]),
    ...vitalKinds.flatMap((kind) => describeKind(kind, samples)),
    ...(late > 0 ? [`  late entries: ${late}`] : []),
    ...Object.entries(skipped).map(([reason, count]) => `  not played, ${reason}: ${count}`),
  ];
}

function describeKind(kind: VitalKind, samples: readonly RecordedSample[]): string[] {
  const ofKind = samples.filter((sample) => sample.kind === kind);
  if (ofKind.length === 0) {
    return [];
  }
  const noSignal = ofKind.filter(({ quality }) => quality === 'invalid').length;
  const numbers = ofKind
    .filter(({ quality }) => quality !== 'invalid')
    .map(({ value }) => value)
    .filter((value) => typeof value === 'number');
  const range =
    numbers.length === 0
      ? ''
      : `, ${numbers.reduce((a, b) => Math.min(a, b))} to ${numbers.reduce((a, b) => Math.max(a, b))}`;
  return [`  ${kind}: ${ofKind.length}${range}${noSignal > 0 ? `, no signal ${noSignal}` : ''}`];
}

/** Returns whole seconds, minutes or hours, so that a length can be typed as shown after `--from` and `--for`. */
function lengthText(ms: number): string {
  if (ms < 60_000) {
    return `${Math.round(ms / 1_000)}s`;
  }
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)}m` : `${Math.round(ms / 3_600_000)}h`;
}
