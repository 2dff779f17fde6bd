import { randomUUID } from 'node:crypto';
import pino from 'pino';
import type { LightMyRequestResponse } from 'fastify';
import type { NewPatient } from '../lib/patients/schema';
import type { UserType } from '../lib/session/userTypes';
import { intendedUseVersion } from '../lib/site/intendedUse';
import { audit } from '../server/audit';
import { system, type Actor } from '../server/audit/actor';
import { toInstant } from '../lib/time/schema';
import { createApp } from '../server/app';
import { createClock, type Clock } from '../server/clock/clock';
import type { App, Server } from '../server/server';
import { openStore, type Store } from '../server/db/open';
import { parseEnv } from '../server/env';
import { addDevice } from '../server/devices/commands';
import { xsrfTokenOf } from '../server/http/csrf';
import { isHttpsOnly } from '../server/http/requireHttps';
import { beginStay } from '../server/patients/stays';
import { secretCookie } from '../server/session/cookies';
import { ensureUnit } from '../server/units/ensureUnit';
import { createTestDatabase, type Engine } from './database';

/** Every test's clock starts here and moves only when the test moves it. */
export const startOfTest = Date.UTC(2026, 4, 1, 10, 0, 0);

/** The password of every user of the tests. */
export const testPassword = 'correct horse battery';
/** The least that Argon2 takes: what a hash costs has tests of its own (session/passwords.test.ts). */
export const passwordCost = { memoryCost: 8, timeCost: 1 };
/** One hash serves all users of a test file. */
let passwordHash: Promise<string> | null = null;

export interface Caller {
  userId: number;
  siteId: number;
  /** Sends a call as this user's page would: with its cookies, and on unsafe methods with its XSRF token. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
  ): Promise<LightMyRequestResponse>;
  cookies: Record<string, string>;
}

export interface TestServer {
  app: App;
  server: Server;
  store: Store;
  /** The folder of its data. */
  dataDir: string;
  /** Epoch milliseconds of the test's clock; `advance` moves it. */
  now(): number;
  /** Lets time pass. A negative time turns the clock back, and nothing that runs moves with it. */
  advance(ms: number): void;
  /** Sets the wall clock forward or back without any time passing; the server notices with `clockWatch.check`. */
  setWallClock(ms: number): void;
  /** What the server logged, one parsed line each. */
  logLines: Record<string, unknown>[];
  addSite(name?: string, timeZone?: string): Promise<number>;
  /** Adds a site and starts its rules, and stops those of all other sites: the site of one test. */
  addSiteAlone(name?: string, timeZone?: string): Promise<number>;
  addUser(siteId: number, type: UserType, isAdmin?: boolean): Promise<{ id: number; email: string; password: string }>;
  signIn(siteId: number, type: UserType, isAdmin?: boolean): Promise<Caller>;
  /** The site's unit of this name, created if there is none; `members` are users who belong to it. */
  addUnit(siteId: number, name?: string, members?: readonly number[]): Promise<number>;
  /** An emergency access of a user of the site that no administrator has read. */
  addBreakGlass(siteId: number): Promise<number>;
  addPatient(siteId: number, patient?: Partial<NewPatient>): Promise<number>;
  /**
   * A device that sends for any patient, unless `isOwn`, and whose clock is known to be right, unless `isClockKnown` is
   * false.
   */
  addDevice(
    siteId: number,
    more?: { name?: string; expectedEveryMs?: number; expiresAt?: number; isClockKnown?: boolean; isOwn?: true },
  ): Promise<{ id: number; token: string }>;
  /** Accepts the intended use for a site, with which its rules start. */
  startRules(siteId: number): Promise<void>;
  /**
   * Takes the acceptance back for all sites, from the next `startRules` or restart on: where each test has a site of
   * its own, the clock evaluates the patients of those before it no more.
   */
  stopRules(): Promise<void>;
  /** An open alert about a device of the site, whose clock is wrong; the site's rules are on then. */
  addAlert(siteId: number): Promise<number>;
  ingest(
    token: string,
    samples: unknown[],
    more?: { sentAt?: string; battery?: unknown; isRecording?: true },
  ): Promise<LightMyRequestResponse>;
  /** Stops and starts the server on the same data, as a restart does. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

let counter = 0;

/** Starts the real server on an empty database of the engine; `variables` are environment variables. */
export async function startTestServer(
  engine: Engine,
  variables: Record<string, string> = {},
  startsAt = startOfTest,
): Promise<TestServer> {
  const database = await createTestDatabase(engine, true);
  const parsed = parseEnv({
    NODE_ENV: 'test',
    DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl ?? undefined,
    ...variables,
  });
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  const { env } = parsed;
  const logLines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'debug', base: null },
    { write: (line: string) => logLines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  let wall = startsAt;
  let elapsed = 0;
  const makeClock = (): Clock => createClock({ wall: () => wall, monotonic: () => elapsed });
  let clock = makeClock();
  const now = (): number => clock.now();

  let store = await openStore(env);
  let { app, server } = await createApp({ env, store, log, clock, passwordCost });

  const test: TestServer = {
    get app() {
      return app;
    },
    get server() {
      return server;
    },
    get store() {
      return store;
    },
    dataDir: database.dataDir,
    now,
    advance: (ms) => {
      wall += ms;
      elapsed += Math.max(0, ms);
      if (ms < 0) {
        clock.move({ jumpedMs: ms, moveMs: ms });
      }
    },
    setWallClock: (ms) => {
      wall += ms;
    },
    logLines,
    addSite: async (name = 'Test ward', timeZone = 'Europe/London') => {
      const row = await store.db
        .insertInto('sites')
        .values({ name, time_zone: timeZone, created_at: now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },
    addSiteAlone: async (name, timeZone) => {
      await test.stopRules();
      const site = await test.addSite(name, timeZone);
      await test.startRules(site);
      return site;
    },
    addUser: async (siteId, type, isAdmin = false) => {
      passwordHash ??= server.passwords.hash(testPassword);
      counter += 1;
      const email = `person${counter}@example.org`;
      const row = await store.db
        .insertInto('users')
        .values({
          site_id: siteId,
          email,
          username: email,
          fname: 'Robin',
          lname: `Example${counter}`,
          user_image: null,
          type,
          is_admin: isAdmin ? 1 : 0,
          password_hash: await passwordHash,
          waiting_since: null,
          disabled_at: null,
          last_active_at: null,
          created_at: now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id: row.id, email, password: testPassword };
    },
    signIn: async (siteId, type, isAdmin = false) => {
      const user = await test.addUser(siteId, type, isAdmin);
      // Not by the call, which has tests of its own.
      const browser = { ip: '127.0.0.1', userAgent: null, before: null };
      const who: Actor = { actor: 'user', actorId: user.id, siteId, session: null, ip: browser.ip, requestId: null };
      const event = { action: 'sign_in', outcome: 'done', objectType: 'user', objectId: user.id } as const;
      const { session, secret } = await server.sessions.start(user.id, browser, {
        now: (transaction) => audit(transaction, now(), who, event),
      });
      const cookies: Record<string, string> = {
        token: session.token,
        [secretCookie(isHttpsOnly(env))]: secret,
        'XSRF-TOKEN': xsrfTokenOf(secret),
      };
      return {
        userId: user.id,
        siteId,
        cookies,
        call: (method, url, body) =>
          app.inject({
            method,
            url,
            cookies,
            headers: { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' },
            ...(body === undefined ? {} : { payload: body as object }),
          }),
      };
    },
    addUnit: async (siteId, name, members = []) => {
      counter += 1;
      const unit = await store.db
        .transaction()
        .execute((transaction) => ensureUnit(transaction, now(), siteId, name ?? `Unit ${counter}`));
      server.liveState.putUnit(unit);
      for (const user_id of members) {
        await store.db.insertInto('user_units').values({ user_id, unit_id: unit.id }).execute();
      }
      await server.sessions.reload(members);
      return unit.id;
    },
    addBreakGlass: async (siteId) => {
      const user = await test.addUser(siteId, 'nurse');
      const { id } = await store.db
        .insertInto('break_glass')
        .values({ site_id: siteId, user_id: user.id, reason: 'An emergency', started_at: now(), ends_at: now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    addPatient: async (siteId, patient = {}) => {
      counter += 1;
      const place = patient.location ?? null;
      const row = await store.db
        .insertInto('patients')
        .values({
          site_id: siteId,
          mrn: patient.mrn ?? `MRN${counter}`,
          given_name: patient.givenName ?? 'Sam',
          family_name: patient.familyName ?? `Sample${counter}`,
          date_of_birth: patient.dateOfBirth ?? '1950-03-07',
          sex: patient.sex ?? 'unknown',
          unit_id: place === null ? null : await test.addUnit(siteId, place.unit),
          bed: place?.bed ?? null,
          // As before beds were for one: many tests need a unit and no certain bed.
          shares_bed: 1,
          is_trial: patient.isTrial === true ? 1 : 0,
          profile: patient.profile ?? 'continuous',
          spo2_scale: patient.spo2Scale ?? 1,
          state: 'active',
          version: 1,
          created_at: now(),
          updated_at: now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await beginStay(store.db, now(), row);
      server.liveState.putPatient(row);
      return row.id;
    },
    addDevice: async (siteId, more = {}) => {
      const device = await addDevice(store.db, now(), system, {
        siteId,
        name: randomUUID(),
        expectedEveryMs: more.expectedEveryMs ?? null,
        expiresAt: more.expiresAt ?? null,
        // Most tests do not mind whose a device is.
        ...(more.isOwn === true ? {} : { gatewayUntil: Date.UTC(2100, 0, 1) }),
      });
      // Most tests do not mind the name: several devices of a site may have it, as before that was refused.
      const name = more.name ?? 'gateway';
      await store.db.updateTable('devices').set({ name }).where('id', '=', device.id).execute();
      if (more.isClockKnown !== false) {
        await store.db.updateTable('devices').set({ clock_offset_ms: 0 }).where('id', '=', device.id).execute();
        server.liveState.deviceClocks.set(device.id, { offsetMs: 0, candidate: null, late: null });
      }
      return device;
    },
    startRules: async (siteId) => {
      await store.db
        .updateTable('sites')
        .set({ intended_use_accepted_at: now(), intended_use_version: intendedUseVersion })
        .where('id', '=', siteId)
        .execute();
      await server.alerts.siteChanged(siteId);
    },
    stopRules: async () => {
      await store.db.updateTable('sites').set({ intended_use_accepted_at: null }).execute();
    },
    addAlert: async (siteId) => {
      const accepted = store.db.selectFrom('sites').select('intended_use_accepted_at').where('id', '=', siteId);
      // A start looks at all patients of the site again.
      if ((await accepted.executeTakeFirst())?.intended_use_accepted_at === null) {
        await test.startRules(siteId);
      }
      const device = await test.addDevice(siteId);
      const patientId = await test.addPatient(siteId);
      const ahead = toInstant(now() + 120_000);
      await test.ingest(device.token, [{ patientId, kind: 'spo2', value: 97, takenAt: ahead }], { sentAt: ahead });
      await server.alerts.evaluateClock();
      const alert = server.alerts.listOpen(siteId).find((record) => record.deviceId === device.id);
      if (alert === undefined) {
        throw new Error('No alert was raised');
      }
      return alert.id;
    },
    ingest: (token, samples, more = {}) =>
      app.inject({
        method: 'POST',
        url: '/api/v2/vitals',
        headers: { authorization: `Bearer ${token}` },
        payload: { ...more, samples },
      }),
    restart: async () => {
      await app.close();
      await store.close();
      store = await openStore(env);
      clock = makeClock();
      ({ app, server } = await createApp({ env, store, log, clock, passwordCost }));
    },
    stop: async () => {
      await app.close();
      await server.mailer.idle();
      await store.close();
      await database.remove();
    },
  };
  return test;
}
