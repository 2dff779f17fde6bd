import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readRecording } from '../server/replay/readRecording';
import type { Recording } from '../server/replay/recording';

/**
 * Real recordings of de-identified patients, which are not part of this repository: read in their folder, never copied.
 */
const folder = process.env.RECORDINGS_DIR ?? resolve(process.cwd(), '../shared/data');

export const recordingSets = [
  { name: 'bidmc-numerics', files: /^bidmc_\d+_Numerics\.csv$/, isMonitor: true },
  { name: 'mimic-waveform-numerics', files: /\.csv$/, isMonitor: true },
  { name: 'mimic-iii-demo-vitals', files: /^stay_\d+\.csv$/, isMonitor: false },
  { name: 'physionet-2019', files: /^p\d+\.psv$/, isMonitor: false },
] as const;

/** Returns the recordings of a set that have values, by the names of their files; null if the set is not there. */
export function readRecordings({
  name,
  files,
}: (typeof recordingSets)[number]): { file: string; recording: Recording }[] | null {
  const from = join(folder, name);
  if (!existsSync(from)) {
    process.stdout.write(`${name}: not measured, because ${from} is not there (RECORDINGS_DIR names another folder)\n`);
    return null;
  }
  return readdirSync(from)
    .filter((file) => files.test(file))
    .map((file) => ({ file, recording: readRecording(readFileSync(join(from, file), 'utf8'), {}) }))
    .filter(({ recording }) => recording.samples.length > 0);
}

/** Returns how long a recording is, in milliseconds. */
export function lengthOf({ samples, expectedEveryMs }: Recording): number {
  const [first, last] = samples.reduce(
    ([from, to], { atMs }) => [Math.min(from, atMs), Math.max(to, atMs)],
    [Infinity, -Infinity],
  );
  return last - first + expectedEveryMs;
}
