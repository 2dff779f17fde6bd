import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { toInstant } from '../../lib/time/schema';
import { buildCrashServer, startCrashServer, startUntilReady } from '../../test/crashProcess';
import { crashRounds } from '../../test/fuzzRuns';
import { createTestDatabase, type Engine, type TestDatabase } from '../../test/database';
import { createPowerLoss, type PowerLoss } from '../../test/powerLoss';
import { startOfTest } from '../../test/testServer';
import { system } from '../audit/actor';
import { openStore, openStoreForCommand } from '../db/open';
import { addDevice } from '../devices/commands';

/** Fewer rounds than this are too short for every patient to have an alert and for some alerts to be escalated. */
const leastRounds = 10;
const patients = 8;
/** Senders at the same time; each sends its patients' values in order, as a device does. */
const lanes = 4;
/** The samples of a round were measured since the one before, so that none is late. */
const roundSeconds = 50;
const secondsPerCall = 10;
const callsPerRound = (lanes * roundSeconds) / secondsPerCall;

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

/** Creates a site with rules and a device, as the first start finds them. Returns the device's token. */
async function prepare(where: TestDatabase): Promise<string> {
  const store = await openStore(where);
  const created = { created_at: startOfTest };
  const { id: siteId } = await store.db
    .insertInto('sites')
    .values({ name: 'Ward', time_zone: 'UTC', intended_use_accepted_at: startOfTest, ...created })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let index = 0; index < patients; index += 1) {
    const who = {
      mrn: `P${index}`,
      given_name: 'Sam',
      family_name: 'Sample',
      date_of_birth: '1950-03-07',
      sex: 'unknown' as const,
    };
    const how = {
      unit_id: null,
      bed: null,
      profile: 'continuous' as const,
      spo2_scale: 1 as const,
      state: 'active' as const,
      version: 1,
    };
    await store.db
      .insertInto('patients')
      .values({ site_id: siteId, ...who, ...how, ...created, updated_at: startOfTest })
      .execute();
  }
  const { token } = await addDevice(store.db, startOfTest, system, {
    siteId,
    name: 'gateway',
    expectedEveryMs: null,
    expiresAt: null,
    gatewayUntil: Date.UTC(2100, 0, 1),
  });
  await store.close();
  return token;
}

/** What the senders still have to send: the bodies of calls by sender. */
type Waiting = string[][];

function callsOf(round: number): Waiting {
  const sentAt = toInstant(clockOf(round));
  return Array.from({ length: lanes }, (_, lane) =>
    Array.from({ length: roundSeconds / secondsPerCall }, (_unused, call) => {
      const samples: object[] = [];
      for (let patient = lane; patient < patients; patient += lanes) {
        for (let place = 0; place < secondsPerCall; place += 1) {
          const second = (round - 1) * roundSeconds + call * secondsPerCall + place + 1;
          const takenAt = toInstant(startOfTest + second * 1_000);
          samples.push({ mrn: `P${patient}`, kind: 'spo2', value: valueOf(patient, second), takenAt, quality: 'good' });
        }
      }
      return JSON.stringify({ sentAt, samples });
    }),
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

/**
 * Plays the whole stream with the kills spread over it; returns how many rounds a kill interrupted. With `losesPower`
 * each second kill also takes what was not flushed to the disk.
 */
async function play(
  where: TestDatabase,
  { program, rounds, kills, losesPower }: { program: string; rounds: number; kills: number; losesPower: boolean },
): Promise<number> {
  const token = await prepare(where);
  const power = losesPower ? createPowerLoss(where.dataDir) : null;
  try {
    return await playTo(where, token, { program, rounds, kills, power });
  } finally {
    power?.remove();
  }
}

async function playTo(
  where: TestDatabase,
  token: string,
  { program, rounds, kills, power }: { program: string; rounds: number; kills: number; power: PowerLoss | null },
): Promise<number> {
  const killsBy = (round: number): number => Math.floor((round * kills) / rounds);
  let interrupted = 0;
  let running = await startUntilReady(where, { program, now: startOfTest, env: power?.env });
  for (let round = 1; round <= rounds; round += 1) {
    const now = clockOf(round);
    const isKilled = killsBy(round) > killsBy(round - 1);
    const isDue = once(running.child, 'message');
    running.child.send(now);
    await isDue;
    const waiting = callsOf(round);
    let responses = 0;
    // At any response but the last ones, at once or a few milliseconds later: in the middle of a commit, before or
    // after it.
    const killAt = isKilled ? randomInt(1, callsPerRound - 2 * lanes) : Infinity;
    const { child } = running;
    await send(waiting, running.port, token, () => {
      responses += 1;
      if (responses === killAt) {
        setTimeout(() => child.kill('SIGKILL'), randomInt(6));
      }
    });
    if (isKilled) {
      interrupted += waiting.some((calls) => calls.length > 0) ? 1 : 0;
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      const strike = (): void => {
        if (killsBy(round) % 2 === 0) {
          power?.strike();
        }
      };
      strike();
      if (round % 10 === 0) {
        await startCrashServer(where, { program, now, env: power?.env, killAfterMs: randomInt(100, 500) });
        strike();
      }
      running = await startUntilReady(where, { program, now, env: power?.env });
      await send(waiting, running.port, token, () => undefined);
    }
    expect(waiting.flat()).toEqual([]);
  }
  const ended = once(running.child, 'exit');
  running.child.kill('SIGKILL');
  await ended;
  return interrupted;
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

  beforeAll(async () => {
    program = buildCrashServer('alerts');
    const unharmed = await createTestDatabase('sqlite', true);
    try {
      await play(unharmed, { program, rounds, kills: 0, losesPower: false });
      wanted = await alertsOf(unharmed);
    } finally {
      await unharmed.remove();
    }
  });

  it.each<Engine>(['sqlite', 'postgres'])(
    'loses and doubles no alert on %s, however often the process dies while values come in',
    async (engine) => {
      // The stream does raise alerts: each patient's alert, escalation after a minute, and higher and lower priorities.
      const counted = (is: string): number =>
        wanted.flatMap(({ log }) => log).filter((event) => event.is === is).length;
      expect([wanted.length, counted('raised_again') > patients, counted('ended') > rounds]).toEqual([
        patients,
        true,
        true,
      ]);
      expect([counted('asked') > counted('raised'), counted('upgraded') > 0]).toEqual([true, true]);
      const killed = await createTestDatabase(engine, true);
      try {
        // On SQLite the disk is ours, and each second kill is a power failure. The library that keeps what was flushed
        // needs Linux.
        const losesPower = engine === 'sqlite' && process.platform === 'linux';
        const interrupted = await play(killed, { program, rounds, kills: kills[engine], losesPower });
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
