import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { system } from '../server/audit/actor';
import { openStoreForCommand } from '../server/db/open';
import { createPasswords } from '../server/session/passwords';
import { addFirstUser } from '../server/session/users';
import { sharedServerOf, type SharedKind } from './sharedServers';
import { startServer, type TestServer } from './startServer';
import { expect } from './test';

const root = join(__dirname, '..');
const person = { email: 'robin@example.org', password: 'correct horse battery', type: 'physician' };
const ward = { name: 'Harbour ward', timeZone: 'Europe/London' };

/** Where the users of a spec sign in: on a server of its own, or at a site of its own on a shared one. */
export interface Ward {
  readonly url: string;
  readonly dataDir: string;
  /** The site of a shared server; a server of its own has only the first. */
  readonly siteId?: number;
}

/** A site on a shared server. */
export interface Site extends Ward {
  readonly siteId: number;
  /** The first user. */
  readonly userId: number;
  /** 0 if the server takes no HL7. */
  readonly hl7Port: number;
}

/** Starts a server with its first user; the alert rules of the site have not been started. */
export async function startNewWard(env: Record<string, string> = {}): Promise<TestServer> {
  return await startServer({
    ...env,
    ADMIN_EMAIL: person.email,
    ADMIN_PASSWORD: person.password,
    ADMIN_TYPE: person.type,
    SITE_NAME: ward.name,
    SITE_TIME_ZONE: ward.timeZone,
  });
}

/**
 * Starts a server with its first user, who has accepted the intended use, for specs that stop it, move its clock or
 * break its store. All others use `openWard`.
 */
export async function startWard(env: Record<string, string> = {}): Promise<TestServer> {
  const server = await startNewWard(env);
  await acceptIntendedUse(server);
  return server;
}

/** Makes a site on a shared server with the first user of `startNewWard`, whose address is `emailAt` this site. */
export async function openNewWard(kind: SharedKind = 'plain'): Promise<Site> {
  const { hl7Port, ...server } = await sharedServerOf(kind);
  const passwordHash = await createPasswords().hash(person.password);
  const db = await openStoreForCommand({ dataDir: server.dataDir, databaseUrl: null });
  // While this process holds the store's lock, the server refuses what other specs write: so it waits for no disk.
  await sql`PRAGMA synchronous = OFF`.execute(db);
  try {
    const made = await db.transaction().execute(async (transaction) => {
      const now = Date.now();
      const site = await transaction
        .insertInto('sites')
        .values({ name: ward.name, time_zone: ward.timeZone, created_at: now })
        .returningAll()
        .executeTakeFirstOrThrow();
      const { id: userId } = await addFirstUser(transaction, now, system, site, {
        ...{ email: emailAt({ ...server, siteId: site.id }), type: 'physician', isAdmin: true },
        ...{ fname: 'First', lname: 'Administrator', passwordHash },
      });
      return { siteId: site.id, userId };
    });
    return { ...server, ...made, hl7Port };
  } finally {
    await db.destroy();
  }
}

/** Makes a site on a shared server, whose first user has accepted the intended use. */
export async function openWard(kind: SharedKind = 'plain'): Promise<Site> {
  const site = await openNewWard(kind);
  await acceptIntendedUse(site);
  return site;
}

/** Returns the first site of a shared server, whose administrators have also the installation. */
export function firstSiteOf({ url, dataDir }: Site): Ward {
  return { url, dataDir };
}

async function acceptIntendedUse(server: Ward): Promise<void> {
  const session = await openSession(server);
  await send(server, session, 'POST', '/api/v2/site/intended-use', { accepted: true });
}

/** Returns the address that a user, else the first one, has at a site: an address has one account on a server. */
export function emailAt({ siteId }: Ward, email = person.email): string {
  return siteId === undefined ? email : email.replace('@', `@site${siteId}.`);
}

/** Signs the first user or another one in through the page and waits for the dashboard. */
export async function signIn(page: Page, server: Ward, email?: string): Promise<void> {
  await page.goto(`${server.url}/sign_in`);
  await page.getByLabel('E-mail').fill(emailAt(server, email));
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${server.url}/dashboard`);
}

/** The sessions shared by the tests of a spec, for each server by e-mail. */
const shared = new WeakMap<Ward, Map<string, Promise<Record<string, string>>>>();

/**
 * Opens the dashboard, or another page, as the first user or another one without the sign-in page, in one session for
 * all tests of a spec. For specs about something else; a test that signs out or locks the screen uses `signIn`, which
 * gives it a session of its own.
 */
export async function enter(page: Page, server: Ward, email?: string, path = '/dashboard'): Promise<void> {
  const { Cookie = '' } = await openSession(server, email);
  // What an open page of another user still sends would come with the new cookies.
  await page.goto('about:blank');
  const pairs = Cookie.split('; ').map((pair) => pair.split('='));
  await page
    .context()
    .addCookies(pairs.map(([name = '', ...value]) => ({ name, value: value.join('='), url: server.url })));
  await page.goto(`${server.url}${path}`);
}

/** Opens the details of patients as `enter` does. */
export const openDetails = (page: Page, server: Ward, wanted: readonly (number | string)[]): Promise<void> =>
  enter(page, server, undefined, `/patient_details?ids=${wanted.join(',')}`);

/** Returns the cookies of the session of `enter`, of the first user or another one, for calls that no page makes. */
export async function openSession(server: Ward, email = person.email): Promise<Record<string, string>> {
  const sessions = shared.get(server) ?? new Map<string, Promise<Record<string, string>>>();
  shared.set(server, sessions);
  const session = sessions.get(email) ?? beginSession(server, email);
  sessions.set(email, session);
  return await session;
}

async function beginSession(server: Ward, email: string): Promise<Record<string, string>> {
  const response = await request(`${server.url}/api/v2/auth/sign-in`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: emailAt(server, email), password: person.password }),
  });
  expect(response.status).toBe(200);
  const pairs = response.headers.getSetCookie().map((line) => (line.split(';')[0] ?? '').split('='));
  const cookies = Object.fromEntries(pairs.map(([name = '', ...value]) => [name, value.join('=')]));
  return {
    'Content-Type': 'application/json',
    Cookie: Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; '),
    'X-XSRF-TOKEN': cookies['XSRF-TOKEN'] ?? '',
  };
}

/** Sends a request again as long as the store is busy: a spec that adds its site holds its lock for a moment. */
async function request(url: string, init: RequestInit): Promise<Response> {
  let response = await fetch(url, init);
  const isBusy = async (): Promise<boolean> => {
    response = response.status === 503 ? await fetch(url, init) : response;
    return response.status === 503;
  };
  await expect.poll(isBusy).toBe(false);
  return response;
}

/** Sends a call of the session's user, which has to succeed, and returns the response. */
export async function send(
  server: Ward,
  session: Record<string, string>,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await request(`${server.url}${path}`, { method, headers: session, body: JSON.stringify(body) });
  const text = await response.text();
  expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300);
  return text === '' ? null : JSON.parse(text);
}

/**
 * Adds a user with the first user's password, as an administrator's invitation does, and returns their id. The user
 * waits for confirmation if the administrator's own type sees no patients.
 */
export async function addPerson(
  server: Ward,
  session: Record<string, string>,
  {
    email,
    fname,
    lname,
    type,
    isAdmin = false,
    unitIds,
  }: { email: string; fname: string; lname: string; type: string; isAdmin?: boolean; unitIds: number[] },
): Promise<number> {
  const invitation = { email: emailAt(server, email), type, isAdmin, unitIds };
  const { link } = (await send(server, session, 'POST', '/api/v2/admin/invitations', invitation)) as { link: string };
  const body = { invitation: link.split('#invitation=')[1], fname, lname, password: person.password };
  const { id } = (await send(server, { 'Content-Type': 'application/json' }, 'POST', '/api/v2/auth/sign-up', body)) as {
    id: number;
  };
  return id;
}

/** Adds an invented patient and returns its id. */
export async function addPatient(
  server: Ward,
  session: Record<string, string>,
  mrn: string,
  familyName: string,
  unit = 'North',
): Promise<number> {
  const patient = { mrn, givenName: 'Sam', familyName, dateOfBirth: '1950-03-07', location: { unit, bed: mrn } };
  const { id } = (await send(server, session, 'POST', '/api/v2/patients', patient)) as { id: number };
  return id;
}

let devices = 0;

/** Adds a device as an administrator does and returns its token. */
export async function addDevice(server: Ward): Promise<string> {
  const device = { name: `gateway ${(devices += 1)}` };
  const { id, token } = (await send(server, await openSession(server), 'POST', '/api/v2/devices', device)) as {
    id: number;
    token: string;
  };
  // No spec minds whose it is.
  const db = await openStoreForCommand({ dataDir: server.dataDir, databaseUrl: null });
  await db
    .updateTable('devices')
    .set({ gateway_until: Date.UTC(2100, 0, 1) })
    .where('id', '=', id)
    .execute();
  await db.destroy();
  return token;
}

/** Adds a device of the first site as an operator does and returns its token. */
export async function addDeviceByCommand(server: TestServer): Promise<string> {
  const command = [
    'scripts/command.mjs',
    'device-add',
    '--site',
    '1',
    '--name',
    'operator’s gateway',
    '--any-patient',
    '90',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    cwd: root,
    env: { ...process.env, DATA_DIR: server.dataDir },
  });
  return stdout.trim().split('\n').at(-1) ?? '';
}

/** Starts the replay client as an operator does. The caller ends it. */
export function startReplay(server: Ward, token: string, ...options: string[]): ChildProcess {
  return spawn(process.execPath, ['scripts/command.mjs', 'replay', '--url', server.url, '--token', token, ...options], {
    cwd: root,
    stdio: 'ignore',
  });
}

/** Sends samples as a monitor does, with its own time, and returns the status of the response. */
export async function ingest(server: Ward, token: string, samples: unknown[]): Promise<number> {
  const response = await fetch(`${server.url}/api/v2/vitals`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ sentAt: new Date().toISOString(), samples }),
  });
  await response.arrayBuffer();
  return response.status;
}

/**
 * Sends samples at once and then every second until the returned function is called; tries again if the server is down.
 */
export function feed(server: Ward, token: string, samplesAt: (takenAt: string) => unknown[]): () => void {
  const send = (): void => {
    ingest(server, token, samplesAt(new Date().toISOString())).catch(() => 0);
  };
  send();
  const timer = setInterval(send, 1_000);
  return () => {
    clearInterval(timer);
  };
}

/** Sends one SpO2 and one heart rate of a patient a second, with `feed`. */
export function startFeed(server: Ward, token: string, patientId: number): () => void {
  let beat = 0;
  return feed(server, token, (takenAt) => {
    beat += 1;
    const sample = { patientId, takenAt, quality: 'good' };
    return [
      { ...sample, kind: 'spo2', value: 94 + (beat % 5) },
      { ...sample, kind: 'heartRate', value: 70 + (beat % 9) },
    ];
  });
}
