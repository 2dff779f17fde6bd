import pino from 'pino';
import { system } from '../server/audit/actor';
import { createApp } from '../server/app';
import { createClock } from '../server/clock/clock';
import { openStore } from '../server/db/open';
import { parseEnv } from '../server/env';
import { addDevice } from '../server/devices/commands';
import { createPatient } from '../server/patients/commands';

/**
 * The server without pages, on a clock that runs faster: live values can arrive a hundred times faster than real time
 * and are still live, with every minute closed and rolled up on the way. Arguments: data folder, patients, speed (or
 * `calls`: each call of ingest is a second), and `rules` for a site whose rules are on. Prints its port, the device's
 * token and the instant from which its clock runs.
 */
async function main(): Promise<void> {
  const [dataDir = '', patients = '250', speed = '200', rules = ''] = process.argv.slice(2);
  const parsed = parseEnv({ DATA_DIR: dataDir, DATABASE_URL: process.env.DATABASE_URL, LOG_LEVEL: 'warn' });
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  const store = await openStore(parsed.env);
  const start = Date.now();
  let calls = 0;
  const now = (): number => start + (speed === 'calls' ? calls * 1_000 : (Date.now() - start) * Number(speed));
  const { id: siteId } = await store.db
    .insertInto('sites')
    .values({
      name: 'Bench',
      time_zone: 'UTC',
      created_at: start,
      intended_use_accepted_at: rules === 'rules' ? start : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { app, server } = await createApp({
    env: parsed.env,
    store,
    log: pino({ level: 'warn' }),
    clock: createClock({ wall: now, monotonic: now }),
  });
  const { liveState } = server;
  const writer = { store, liveState, now: start, actor: system, scope: { siteId, unitIds: null } };
  for (let index = 1; index <= Number(patients); index += 1) {
    await createPatient(writer, {
      mrn: `B${index}`,
      givenName: 'Bench',
      familyName: `Patient ${index}`,
      dateOfBirth: '1950-03-07',
      sex: 'unknown',
      location: null,
      profile: 'continuous',
      spo2Scale: 1,
      isTrial: false,
    });
  }
  const { token } = await addDevice(store.db, start, system, {
    siteId,
    name: 'bench',
    expectedEveryMs: null,
    expiresAt: null,
    gatewayUntil: Date.UTC(2100, 0, 1),
  });
  setInterval(() => void server.rollups.catchUp(server.recorder.inFlight), 1_000);
  setInterval(() => void server.alerts.evaluateClock(), 1_000);
  setInterval(() => void server.alerts.evaluateRetrospective(), 5_000);
  app.addHook('onRequest', (_request, _reply, done) => {
    calls += 1;
    done();
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0, token, start })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
