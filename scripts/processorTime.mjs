import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * Loaded before a program that `npm test` runs: writes the seconds of processor of the program, and of the programs
 * that it started and waited for, into the file that PROCESSOR_TIME names after the id of the process that asks. Those
 * programs load this as well and write nothing. Only Linux says it, elsewhere the file stays away.
 * A worker of jest that ends by a fault leaves a mark beside the file: jest starts another one and runs its test file
 * again, as if nothing had been.
 */
const [asks, file] = (process.env.PROCESSOR_TIME ?? '').split(' ');
/** The kernel counts in hundredths of a second, on every system that Node runs on. */
const ticksPerSecond = 100;

if (file !== undefined && Number(asks) === process.ppid && process.platform === 'linux') {
  process.once('exit', () => {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    writeFileSync(file, String(ticks / ticksPerSecond));
  });
}

if (file !== undefined && process.argv[1]?.includes('jest-worker')) {
  process.once('exit', (code) => (code === 0 ? null : writeFileSync(join(dirname(file), 'fault'), '')));
}
