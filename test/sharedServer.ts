import { toInstant } from '../lib/time/schema';
import { system } from '../server/audit/actor';
import type { Engine } from './database';
import { startOfTest, startTestServer, type TestServer } from './testServer';

const day = 24 * 3_600_000;

/** What `believeClock` sends, on each server. */
const sources = new WeakMap<TestServer, { token: string; patientId: number }>();

const started = new Map<string, Promise<TestServer>>();

/**
 * Returns the server of this test file, on an engine and with environment variables; the first caller starts it. It
 * stops after the last test of the file, so `stop` is not called by its users. Sites are isolated, so each test has a
 * site of its own in it. A suite about the start, the clock, the disk, throttles, keys, ports or values that cannot be
 * stored starts a server for itself with `startTestServer`.
 */
export function sharedTestServer(engine: Engine, variables: Record<string, string> = {}): Promise<TestServer> {
  return serverOf('shared', engine, variables);
}

/**
 * As `sharedTestServer`, for suites that restart it. It is another server, so that the others of the file keep what
 * theirs holds in memory.
 */
export function restartableTestServer(engine: Engine, variables: Record<string, string> = {}): Promise<TestServer> {
  return serverOf('restartable', engine, variables);
}

async function serverOf(use: string, engine: Engine, variables: Record<string, string>): Promise<TestServer> {
  const key = JSON.stringify([use, engine, variables]);
  const known = started.get(key);
  if (known === undefined) {
    const server = startTestServer(engine, variables);
    started.set(key, server);
    return await server;
  }
  const server = await known;
  // The suites before it are over.
  await server.stopRules();
  // A suite begins at the time of day at which a new server does: shifts, check-ins and ages depend on it.
  server.advance((((startOfTest - server.now()) % day) + day) % day);
  // As long as no one looks, the server takes its store for one that is gone.
  await server.server.storage.check();
  if (use === 'restartable') {
    await believeClock(server);
  }
  return server;
}

/**
 * Says that a server's clock is right, and sends a sample of now: one that has heard none for a day doubts its clock
 * when it starts, and goes on doing so.
 */
async function believeClock(test: TestServer): Promise<void> {
  await test.server.clockWatch.confirm(system);
  const source = sources.get(test) ?? (await addSource(test));
  sources.set(test, source);
  const sample = { patientId: source.patientId, kind: 'spo2', value: 97, takenAt: toInstant(test.now()) };
  const answer = await test.ingest(source.token, [sample]);
  if (answer.statusCode !== 200) {
    throw new Error(`A sample was refused: ${answer.body}`);
  }
}

async function addSource(test: TestServer): Promise<{ token: string; patientId: number }> {
  const site = await test.addSite('Heard ward');
  const { token } = await test.addDevice(site);
  return { token, patientId: await test.addPatient(site) };
}

afterAll(async () => {
  for (const server of started.values()) {
    await (await server).stop();
  }
});
