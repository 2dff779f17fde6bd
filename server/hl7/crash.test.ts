import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import pino from 'pino';
import { formatDtm } from '../../lib/hl7/formatDtm';
import { buildCrashServer, startUntilReady, type CrashServer, type CrashStart } from '../../test/crashProcess';
import { crashRounds } from '../../test/fuzzRuns';
import { createTestDatabase, type Engine, engines, type TestDatabase } from '../../test/database';
import { freePort } from '../../test/freePort';
import { connectMllp, type MllpClient } from '../../test/mllpClient';
import { startOfTest } from '../../test/testServer';
import { createApp } from '../app';
import { system } from '../audit/actor';
import { createClock } from '../clock/clock';
import { openStore, openStoreForCommand } from '../db/open';
import { parseEnv } from '../env';
import { acceptSender } from './commands';
import { answerFor } from '../../test/addSender';

/** The store that goes on when the server is killed has fewer. */
const killsOf = (engine: Engine): number => crashRounds(engine === 'sqlite' ? 3 : 2);
/** Connections at the same time; each brings its patient's messages in order. */
const patients = 4;
const roundMs = 60_000;
const messagesOfRound = 20;

/** A site with patients and a sender whom it has accepted. */
async function prepare(where: TestDatabase): Promise<void> {
  const parsed = parseEnv({ NODE_ENV: 'test', DATA_DIR: where.dataDir, DATABASE_URL: where.databaseUrl ?? undefined });
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  const { env } = parsed;
  const store = await openStore(env);
  const { id: siteId } = await store.db
    .insertInto('sites')
    .values({ name: 'Ward', time_zone: 'UTC', intended_use_accepted_at: startOfTest, created_at: startOfTest })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let patient = 0; patient < patients; patient += 1) {
    const who = { mrn: `P${patient}`, given_name: 'Sam', family_name: 'Sample', date_of_birth: '1950-03-07' };
    const how = { sex: 'unknown', unit_id: null, bed: null, profile: 'continuous', spo2_scale: 1 } as const;
    const times = { created_at: startOfTest, updated_at: startOfTest };
    const values = { site_id: siteId, ...who, ...how, state: 'active' as const, version: 1, ...times };
    await store.db.insertInto('patients').values(values).execute();
  }
  const clock = createClock({ wall: () => startOfTest, monotonic: () => startOfTest });
  const { app, server } = await createApp({ env, store, log: pino({ level: 'silent' }), clock });
  await app.ready();
  const sender = { address: '127.0.0.1', certificate: null, application: 'GATEWAY', facility: '' };
  server.hl7.senders.noteUnknown(sender, startOfTest);
  const unknownId = server.hl7.senders.unknown()[0]?.id ?? 0;
  const accepted = { unknownId, name: 'North', address: sender.address, isTrial: false };
  await answerFor({ server }, (await acceptSender(server, startOfTest, system, siteId, accepted)).id);
  await app.close();
  await store.close();
}

interface Message {
  text: string;
  /** Epoch milliseconds, none twice. */
  at: number;
}

function messagesOf(round: number, patient: number): Message[] {
  return Array.from({ length: messagesOfRound }, (_, index): Message => {
    const at = startOfTest + round * roundMs - (messagesOfRound - index) * 100;
    const text = [
      `MSH|^~\\&|GATEWAY||||${formatDtm(at)}||ORU^R01|${round}-${patient}-${index}|P|2.5`,
      `PID|||P${patient}^^^^MR||Sample^Sam||19500307`,
      `PV1|||North^^${patient}`,
      `OBR|||||||${formatDtm(at)}`,
      `OBX||NM|150456^MDC_PULS_OXIM_SAT_O2^MDC||${90 + patient}|262688^MDC_DIM_PERCENT^MDC|||||F`,
      `OBX||NM|149530^MDC_PULS_OXIM_PULS_RATE^MDC||${60 + patient}|264864^MDC_DIM_BEAT_PER_MIN^MDC|||||F`,
    ];
    return { text: text.join('\n'), at };
  });
}

/** A connection's messages: those that are acknowledged, with their answers, and those still to send. */
interface Lane {
  taken: { message: Message; answer: string }[];
  waiting: Message[];
}

const textOf = async (gateway: MllpClient, { text }: Message): Promise<string | null> => {
  gateway.send(text);
  return await gateway.next().then(
    (answer) => answer.text,
    () => null,
  );
};

/**
 * Sends until nothing waits or the server is gone. The last message that was acknowledged is sent again before. Returns
 * whether all was answered.
 */
async function send(lane: Lane, port: number, onAnswer: () => void): Promise<boolean> {
  const gateway = await connectMllp(port).catch(() => null);
  if (gateway === null) {
    return false;
  }
  const last = lane.taken.at(-1);
  if (last !== undefined) {
    const again = await textOf(gateway, last.message);
    if (again === null) {
      // Another lane's answer has already ended the server.
      return false;
    }
    // oxlint-disable-next-line jest/no-conditional-expect -- the first connection has nothing to send again
    expect(again).toBe(last.answer);
  }
  for (let [message] = lane.waiting; message !== undefined; [message] = lane.waiting) {
    const answer = await textOf(gateway, message);
    if (answer === null) {
      break;
    }
    expect(answer).toContain('MSA|AA|');
    lane.taken.push({ message, answer });
    lane.waiting.shift();
    onAnswer();
  }
  gateway.socket.destroy();
  return lane.waiting.length === 0;
}

/** Starts the server and waits until its HL7 port takes connections, which it opens after the other one. */
async function startListening(where: TestDatabase, hl7Port: number, start: CrashStart): Promise<CrashServer> {
  const running = await startUntilReady(where, start);
  for (;;) {
    const gateway = await connectMllp(hl7Port).catch(() => null);
    if (gateway !== null) {
      gateway.socket.destroy();
      return running;
    }
    await turn();
  }
}

async function kill({ child }: CrashServer): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

it.each(engines)(
  'what a killed server acknowledged over HL7 is on disk, once, and its repeats get the same answer on %s',
  async (engine) => {
    const kills = killsOf(engine);
    const where = await createTestDatabase(engine);
    try {
      await prepare(where);
      const hl7Port = await freePort();
      const program = buildCrashServer(`hl7-${engine}`);
      const lanes = Array.from({ length: patients }, (): Lane => ({ taken: [], waiting: [] }));
      let interrupted = 0;
      const startOf = (round: number) =>
        startListening(where, hl7Port, {
          program,
          now: startOfTest + round * roundMs,
          env: { HL7_PORT: String(hl7Port) },
        });
      let running = await startOf(1);
      for (let round = 1; round <= kills; round += 1) {
        lanes.forEach((lane, patient) => lane.waiting.push(...messagesOf(round, patient)));
        const doomed = running;
        let answers = 0;
        const killAt = randomInt(1, patients * messagesOfRound - patients);
        await Promise.all(
          lanes.map((lane) =>
            send(lane, hl7Port, () => {
              answers += 1;
              if (answers === killAt) {
                // In the middle of a commit, before or after it.
                setTimeout(() => doomed.child.kill('SIGKILL'), randomInt(6));
              }
            }),
          ),
        );
        await kill(doomed);
        interrupted += lanes.some(({ waiting }) => waiting.length > 0) ? 1 : 0;
        // It takes the rest, and is killed in the next round.
        running = await startOf(round + 1);
        const answered = await Promise.all(lanes.map((lane) => send(lane, hl7Port, () => undefined)));
        expect(answered).toEqual(lanes.map(() => true));
      }
      await kill(running);
      expect(interrupted).toBeGreaterThan(0);
      const db = await openStoreForCommand(where);
      const rows = await db.selectFrom('samples').select(['patient_id', 'taken_at', 'value']).execute();
      const corrections = await db.selectFrom('sample_corrections').select('taken_at').execute();
      const refused = await db.selectFrom('quarantine').select('code').execute();
      await db.destroy();
      const words = (patient: number, at: number, value: number): string => `${patient} ${at} ${value}`;
      const wanted = lanes.flatMap(({ taken }, patient) =>
        taken.flatMap(({ message: { at } }) => [
          words(patient + 1, at, 90 + patient),
          words(patient + 1, at, 60 + patient),
        ]),
      );
      expect(wanted).toHaveLength(kills * patients * messagesOfRound * 2);
      expect(rows.map((row) => words(row.patient_id, row.taken_at, row.value)).sort()).toEqual(wanted.sort());
      expect([corrections, refused]).toEqual([[], []]);
    } finally {
      await where.remove();
    }
  },
  600_000 + killsOf('sqlite') * 60_000,
);
