import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A capture of a real gateway with invented patients, which is not part of this repository. */
const folder = process.env.RECORDINGS_DIR ?? resolve(process.cwd(), '../shared/data');

export const capturePath = join(folder, 'hl7-philips-iic', 'open-beds.mllp');

/** `describe` if the capture is there, else `describe.skip` and a line that says why. */
export function describeCapture(): typeof describe {
  if (existsSync(capturePath)) {
    return describe;
  }
  process.stderr.write(
    `hl7-philips-iic: skipped, because ${capturePath} is not there (RECORDINGS_DIR names another folder)\n`,
  );
  return describe.skip;
}

/** The names under which the capture has vital signs, and what they are to us. */
export const capturedKinds = {
  HR: 'heartRate',
  RR: 'respiratoryRate',
  SpO2: 'spo2',
  SpO2T: 'spo2',
  'Pulse (SpO2)': 'pulseRate',
  Perf: 'perfusionIndex',
  NBPs: 'systolic',
  NBPd: 'diastolic',
} as const;

/** Returns all lines of MLLP frames as lists of fields, without anything of ours. */
export function plainLines(bytes: Uint8Array): string[][] {
  return Buffer.from(bytes)
    .toString('latin1')
    .split(/[\x0b\x1c\r]/) // oxlint-disable-line no-control-regex -- MLLP consists of them
    .filter((line) => line !== '')
    .map((line) => line.split('|'));
}

export function countBy(names: readonly string[]): Record<string, number> {
  return names.reduce<Record<string, number>>((all, name) => ({ ...all, [name]: (all[name] ?? 0) + 1 }), {});
}
