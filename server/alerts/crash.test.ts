import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { toInstant } from '../../lib/time/schema';
import { addPeople, createActions, NoResponse, type Ward } from '../../test/crashActions';
import { buildCrashServer, startCrashServer, startUntilReady } from '../../test/crashProcess';
import { crashRounds } from '../../test/fuzzRuns';
import { createTestDatabase, type Engine, type TestDatabase } from '../../test/database';
import { patientRow } from '../../test/patientRow';
import { createPowerLoss, type PowerLoss } from '../../test/powerLoss';
import { startOfTest } from '../../test/testServer';
import { system } from '../audit/actor';
import { openStore, openStoreForCommand } from '../db/open';
import { addDevice } from '../devices/commands';

/**
 * Fewer rounds than this are too short for every patient to have an alert, for some alerts to be escalated and for each
 * action of users to be done. Reversing them takes twice as many.
 */
const leastRounds = 10;
const patients = 8;
/** Senders at the same time; each sends its patients' values in order, as a device does. */
const lanes = 4;
/** The samples of a round were measured since the one before, so that none is late. */
const roundSeconds = 50;

/**
 * Mostly well; each patient has a short desaturation every four minutes, some a long one, and some of these a deep one.
 */
function valueOf(patient: number, second: number): number {
  const phase = (second + patient * 37) % 240;
  const isLong = patient % 4 === 0 && phase >= 110 && phase < 210;
  if (isLong && patient % 8 === 0 && phase >= 150 && phase < 160) {
    return 70;
  }
  return phase < 20 || isLong ? 86 : 97 - (phase % 2);
}

const clockOf = (round: number): number => startOfTest + round * roundSeconds * 1_000;

/** Creates a ward with rules and a gateway, as the first start finds them. Returns it with the gateway's token. */
async function prepare(where: TestDatabase): Promise<{ token: string; ward: Ward }> {
  const store = await openStore(where);
  const created = { created_at: startOfTest };
  const { id: siteId } = await store.db
    .insertInto('sites')
    .values({ name: 'Ward', time_zone: 'UTC', intended_use_accepted_at: startOfTest, ...created })
    .returning('id')
    .executeTakeFirstOrThrow();
  const people = await addPeople(store, siteId, startOfTest);
  const dateOfBirth = '1950-03-07';
  const inNorth: Ward['patients'][number][] = [];
  for (let index = 0; index < patients; index += 1) {
    const [mrn, bed] = [`P${index}`, `B${index}`];
    const { id: _, ...row } = patientRow(0, siteId, mrn, {
      unit_id: people.units.north,
      bed,
      date_of_birth: dateOfBirth,
    });
    const { id } = await store.db.insertInto('patients').values(row).returning('id').executeTakeFirstOrThrow();
    inNorth.push({ id, mrn, bed });
  }
  const device = { siteId, expectedEveryMs: null, expiresAt: null };
  const gateway = { ...device, name: 'gateway', gatewayUntil: Date.UTC(2100, 0, 1) };
  const { token } = await addDevice(store.db, startOfTest, system, gateway);
  // It never sends, and is not missed so soon: silence counts from a start again, so a kill would delay its alert.
  const silent = { ...device, name: 'oximeter', expectedEveryMs: 3_600_000 };
  const { id: deviceId } = await addDevice(store.db, startOfTest, system, silent);
  await store.close();
  return { token, ward: { ...people, patients: inNorth, dateOfBirth, deviceId } };
}

/** What the senders still have to send: the bodies of calls by sender. */
type Waiting = string[][];

/** A patient's values of a round are one call: between two a tick might ask about an alert that the next one ends. */
function callsOf(round: number): Waiting {
  const sentAt = toInstant(clockOf(round));
  const callOf = (patient: number): string => {
    const samples = Array.from({ length: roundSeconds }, (_, place) => {
      const second = (round - 1) * roundSeconds + place + 1;
      const takenAt = toInstant(startOfTest + second * 1_000);
      return { mrn: `P${patient}`, kind: 'spo2', value: valueOf(patient, second), takenAt, quality: 'good' };
    });
    return JSON.stringify({ sentAt, samples });
  };
  return Array.from({ length: lanes }, (_, lane) =>
    Array.from({ length: patients / lanes }, (_unused, place) => callOf(lane + place * lanes)),
  );
}

/** Sends until every sender has nothing left or gets no response; a call with a response is not sent again. */
async function send(waiting: Waiting, port: number, token: string, onResponse: () => void): Promise<void> {
  const sendLane = async (calls: string[]): Promise<void> => {
    for (let body = calls[0]; body !== undefined; body = calls[0]) {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
      const response = await fetch(`http://127.0.0.1:${port}/api/v2/vitals`, { method: 'POST', headers, body }).catch(
        () => null,
      );
      if (response === null) {
        return;
      }
      if (response.status !== 200) {
        throw new Error(`Ingest responded with ${response.status}`);
      }
      calls.shift();
      onResponse();
    }
  };
  await Promise.all(waiting.map(sendLane));
}

interface Played {
  /** How many rounds a kill interrupted while values came in. */
  interrupted: number;
  /** The actions of users that were never done. */
  neverDone: ReadonlySet<string>;
}

/**
 * Plays the whole stream, two actions of users before the values of each round, with the kills spread over it: every
 * other one while a user acts. With `losesPower` half of both kinds also take what was not flushed to the disk.
 */
async function play(
  where: TestDatabase,
  { program, rounds, kills, losesPower }: { program: string; rounds: number; kills: number; losesPower: boolean },
): Promise<Played> {
  const prepared = await prepare(where);
  const power = losesPower ? createPowerLoss(where.dataDir) : null;
  try {
    return await playTo(where, prepared, { program, rounds, kills, power });
  } finally {
    power?.remove();
  }
}

async function playTo(
  where: TestDatabase,
  { token, ward }: Awaited<ReturnType<typeof prepare>>,
  { program, rounds, kills, power }: { program: string; rounds: number; kills: number; power: PowerLoss | null },
): Promise<Played> {
  const killsBy = (round: number): number => Math.floor((round * kills) / rounds);
  let interrupted = 0;
  let now = startOfTest;
  let takesPower = false;
  const start = async () => {
    const server = await startUntilReady(where, { program, now, env: power?.env });
    return { ...server, ended: once(server.child, 'exit').then(() => false) };
  };
  let running = await start();
  const end = async (): Promise<void> => {
    running.child.kill('SIGKILL');
    await running.ended;
    if (takesPower) {
      power?.strike();
    }
  };
  const restart = async (): Promise<void> => {
    await end();
    running = await start();
  };
  const survive = async (work: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        // A server that ends by itself is a fault.
        if (!(error instanceof NoResponse) || !running.child.killed) {
          throw error;
        }
        await restart();
      }
    }
  };
  /** Resolves once everything due by now has happened. */
  const settle = (): Promise<void> =>
    survive(async () => {
      const { child, ended } = running;
      const isDue = once(child, 'message').then(() => true);
      child.send(now, () => undefined);
      if (!(await Promise.race([ended, isDue]))) {
        throw new NoResponse();
      }
    });
  const users = createActions(() => running.port, ward, survive);
  await users.arrive();
  for (let round = 1; round <= rounds; round += 1) {
    now = clockOf(round);
    const kill = killsBy(round);
    const isKilled = kill > killsBy(round - 1);
    const killsAction = isKilled && kill % 2 === 0;
    const killsValues = isKilled && !killsAction;
    takesPower = kill % 4 > 1;
    const killSoon = async (): Promise<void> => {
      const { child, ended } = running;
      setTimeout(() => child.kill('SIGKILL'), randomInt(6));
      await ended;
    };
    await settle();
    await users.stay();
    const killed = killsAction ? randomInt(2) : null;
    for (const half of [0, 1]) {
      // Before it is stored, meanwhile, or before the response.
      const gone = killed === half ? killSoon() : null;
      await users.act(2 * (round - 1) + half);
      await gone;
      await settle();
    }
    const waiting = callsOf(round);
    let responses = 0;
    // At any response but the last ones, at once or a few milliseconds later: in the middle of a commit, before or
    // after it.
    const killAt = killsValues ? randomInt(1, patients - lanes) : Infinity;
    await send(waiting, running.port, token, () => {
      responses += 1;
      if (responses === killAt) {
        void killSoon();
      }
    });
    if (killsValues) {
      interrupted += waiting.some((calls) => calls.length > 0) ? 1 : 0;
      await restart();
      await send(waiting, running.port, token, () => undefined);
    }
    if (isKilled && round % 10 === 0) {
      await end();
      await startCrashServer(where, { program, now, env: power?.env, killAfterMs: randomInt(100, 500) });
      await restart();
    }
    await settle();
    expect(waiting.flat()).toEqual([]);
  }
  await end();
  return { interrupted, neverDone: users.neverDone };
}

/** Returns every alert with its whole log, without the numbers that the store gave. */
async function alertsOf(
  where: TestDatabase,
): Promise<{ patient: number | null; parameter: string; facts: unknown; log: { is: string }[] }[]> {
  const db = await openStoreForCommand(where);
  const alerts = await db
    .selectFrom('alerts')
    .selectAll()
    .orderBy('patient_id')
    .orderBy('raised_at')
    .orderBy('parameter')
    .execute();
  const events = await db.selectFrom('alert_events').select(['alert_id', 'event']).orderBy('id').execute();
  await db.destroy();
  return alerts.map(({ id, patient_id, facts, evidence, raised_at, closed_at, parameter }) => ({
    patient: patient_id,
    parameter,
    facts: { ...(JSON.parse(facts) as object), evidence: JSON.parse(evidence) as unknown, raised_at, closed_at },
    log: events.flatMap(({ alert_id, event }) => (alert_id === id ? [JSON.parse(event) as { is: string }] : [])),
  }));
}

type Alerts = Awaited<ReturnType<typeof alertsOf>>;

const kills = { sqlite: crashRounds(3), postgres: crashRounds(2) };
const rounds = Math.max(leastRounds, ...Object.values(kills));

// Each store is killed, and compared with one stream that no one disturbs: alerts do not depend on the store.
describe('a server that is killed', () => {
  let program: string;
  let wanted: Alerts;
  let neverDone: Played['neverDone'];

  beforeAll(async () => {
    program = buildCrashServer('alerts');
    const unharmed = await createTestDatabase('sqlite', true);
    try {
      ({ neverDone } = await play(unharmed, { program, rounds, kills: 0, losesPower: false }));
      wanted = await alertsOf(unharmed);
    } finally {
      await unharmed.remove();
    }
  });

  it.each<Engine>(['sqlite', 'postgres'])(
    'loses and doubles no alert on %s, however often the process dies while values come in and users act',
    async (engine) => {
      // The stream does raise alerts: each patient's alert, escalation after a minute, and higher and lower priorities.
      const counted = (is: string): number =>
        wanted.flatMap(({ log }) => log).filter((event) => event.is === is).length;
      expect(new Set(wanted.map(({ patient }) => patient)).size).toBe(patients);
      expect(counted('raised_again')).toBeGreaterThan(patients / 2);
      expect(counted('ended')).toBeGreaterThan(leastRounds);
      expect(counted('upgraded')).toBeGreaterThan(0);
      expect(counted('asked')).toBeGreaterThan(counted('raised'));
      expect([...neverDone]).toEqual([]);
      const killed = await createTestDatabase(engine, true);
      try {
        // On SQLite the disk is ours, and half of the kills are power failures. The library that keeps what was flushed
        // needs Linux.
        const losesPower = engine === 'sqlite' && process.platform === 'linux';
        const { interrupted } = await play(killed, { program, rounds, kills: kills[engine], losesPower });
        expect(interrupted).toBeGreaterThan(0);
        const found = await alertsOf(killed);
        const words = (alerts: Alerts): unknown =>
          alerts.map(({ patient, parameter, log }) => [patient, parameter, ...log.map(({ is }) => is)]);
        expect(words(found)).toEqual(words(wanted));
        expect(found).toEqual(wanted);
      } finally {
        await killed.remove();
      }
    },
    540_000 + rounds * 15_000,
  );
});
