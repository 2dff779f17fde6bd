import { constants, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { asText, noStorm, sendRows, type Storm } from './sendRows';

const rowsOfCall = 500;
/** Connections of the senders of live values. */
const openAtMost = 200;
const backfillSeconds = 3_600;

interface Target {
  server: string;
  patients: number[];
  /** One for each device. */
  tokens: string[];
}

/**
 * Offers rows to a server and prints what became of them: `offerer.js URL PATIENT,PATIENT,... HOW TOKEN...`. HOW is a
 * number of live rows a second, until SIGTERM, or `backfill`: an hour at once, until it is stored, SIGTERM or not.
 */
async function main(): Promise<void> {
  const [server = '', named = '', how = '', ...tokens] = process.argv.slice(2);
  // The monitors of a ward have processors of their own: here they take none from the server.
  setPriority(constants.priority.PRIORITY_LOW);
  const target = { server, patients: named.split(',').map(Number), tokens };
  const [storm, until] = [noStorm(), new AbortController()];
  process.on('SIGTERM', () => until.abort());
  await (how === 'backfill' ? sendBackfill(target, storm) : offerLive(target, Number(how), storm, until.signal));
  process.stdout.write(`${JSON.stringify(storm)}\n`);
}

/** Each device has patients of its own, and calls of 500 rows, however many are refused. */
async function offerLive(
  { server, patients, tokens }: Target,
  perSecond: number,
  storm: Storm,
  until: AbortSignal,
): Promise<void> {
  const open = new Set<Promise<unknown>>();
  const [callsPerSecond, begun] = [perSecond / rowsOfCall, performance.now()];
  for (let call = 0; !until.aborted; call += 1) {
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
}

const rowsOf = (patientId: number, takenAt: string): object[] => [
  { patientId, kind: 'spo2', value: 97, takenAt, quality: 'good' },
  { patientId, kind: 'heartRate', value: 72, takenAt, quality: 'good' },
];

/** Each device sends an hour of one patient's values at once, and repeats what was refused when it may. */
async function sendBackfill({ server, patients, tokens }: Target, storm: Storm): Promise<void> {
  const now = Date.now();
  const hours = tokens.map((token, device) => {
    const patientId = patients[device % patients.length] ?? 0;
    const kind = device < patients.length ? 'spo2' : 'heartRate';
    const hour = Array.from({ length: backfillSeconds }, (_, second) => ({
      patientId,
      kind,
      value: kind === 'spo2' ? 94 + (second % 5) : 70 + (second % 9),
      takenAt: new Date(now - (backfillSeconds - second) * 1_000).toISOString(),
    }));
    return { token, samples: asText(hour) };
  });
  await Promise.all(
    hours.map(async ({ token, samples }) => {
      for (let waitSeconds: number | null = 0; waitSeconds !== null;) {
        await wait(waitSeconds * 1_000);
        waitSeconds = await sendRows(server, token, samples, storm);
      }
    }),
  );
}

void main();
