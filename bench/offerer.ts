import { setTimeout as wait } from 'node:timers/promises';
import { asText, noStorm, sendRows } from './sendRows';

const rowsOfCall = 500;
/** Connections of the senders. */
const openAtMost = 200;

/**
 * Offers rows to a server until SIGTERM, then prints what became of them: `offerer.js URL ROWS-PER-SECOND
 * PATIENT,PATIENT,... TOKEN...`. Each device has patients of its own.
 */
async function main(): Promise<void> {
  const [server = '', perSecond, named = '', ...tokens] = process.argv.slice(2);
  const patients = named.split(',').map(Number);
  const [storm, until, open] = [noStorm(), new AbortController(), new Set<Promise<unknown>>()];
  process.on('SIGTERM', () => until.abort());
  const [callsPerSecond, begun] = [Number(perSecond) / rowsOfCall, performance.now()];
  for (let call = 0; !until.signal.aborted; call += 1) {
    await wait(Math.max(0, begun + (call * 1_000) / callsPerSecond - performance.now()));
    if (open.size >= openAtMost) {
      await Promise.race(open);
    }
    const [device, at] = [call % tokens.length, Date.now()];
    const ofDevice = patients.filter((patientId) => patientId % tokens.length === device);
    const times = Math.ceil(rowsOfCall / (2 * ofDevice.length));
    // Each row has a time of its own, so that none is a duplicate.
    const samples = Array.from({ length: times }, (_, back) => new Date(at - 3 * back).toISOString()).flatMap(
      (takenAt) => ofDevice.flatMap((patientId) => rowsOf(patientId, takenAt)),
    );
    const sending = sendRows(server, tokens[device] ?? '', asText(samples), storm).finally(() => open.delete(sending));
    open.add(sending);
  }
  await Promise.all(open);
  process.stdout.write(`${JSON.stringify({ ...storm, statuses: [...storm.statuses] })}\n`);
}

const rowsOf = (patientId: number, takenAt: string): object[] => [
  { patientId, kind: 'spo2', value: 97, takenAt, quality: 'good' },
  { patientId, kind: 'heartRate', value: 72, takenAt, quality: 'good' },
];

void main();
