import { execFileSync } from 'node:child_process';
import { startServer, type TestServer } from '../e2e/startServer';
import { readMetric } from './readMetric';

const admin = { email: 'bench@example.org', password: 'a password of the bench' };

export interface Ward {
  server: TestServer;
  /** The session's cookies, as a request sends them. */
  cookie: string;
  token: string;
  patients: number[];
}

/**
 * A server with a user, a device and patients, all created by calls; its rules are on once the intended use is
 * accepted.
 */
export async function startWard(
  patients: number,
  { acceptIntendedUse = false, env = {} }: { acceptIntendedUse?: boolean; env?: Record<string, string> } = {},
): Promise<Ward> {
  const server = await startServer({
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ADMIN_TYPE: 'physician',
    LOG_LEVEL: 'warn',
    // One session asks as fast as it can.
    SESSION_CALLS_PER_MINUTE: '1000000',
    ...env,
  });
  const cookie = await signIn(server);
  const xsrf = /XSRF-TOKEN=([^;]*)/.exec(cookie)?.[1] ?? '';
  if (acceptIntendedUse) {
    const headers = { ...json, cookie, 'X-XSRF-TOKEN': xsrf };
    const response = await fetch(`${server.url}/api/v2/site/intended-use`, {
      method: 'POST',
      headers,
      body: '{"accepted":true}',
    });
    if (!response.ok) {
      throw new Error(`Accepting the intended use responded with ${response.status}`);
    }
  }
  const ids: number[] = [];
  for (let index = 1; index <= patients; index += 1) {
    const body = {
      mrn: `B${index}`,
      givenName: 'Bench',
      familyName: `Patient ${index}`,
      dateOfBirth: '1950-03-07',
      location: { unit: `Unit ${index % 5}`, bed: `${index}` },
    };
    const response = await fetch(`${server.url}/api/v2/patients`, {
      method: 'POST',
      headers: { ...json, cookie, 'X-XSRF-TOKEN': xsrf },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) {
      throw new Error(`Adding a patient responded with ${response.status}`);
    }
    ids.push(index);
  }
  const output = execFileSync(
    process.execPath,
    ['scripts/command.mjs', 'device-add', '--site', '1', '--name', 'bench', '--any-patient', '90'],
    {
      env: { ...process.env, DATA_DIR: server.dataDir },
      encoding: 'utf8',
    },
  );
  const token = output.trim().split('\n').at(-1) ?? '';
  return { server, cookie, token, patients: ids };
}

const json = { 'Content-Type': 'application/json' };

/** Signs a user of a ward in, its first one without another, and resolves with the cookies of the session. */
export async function signIn(server: TestServer, user: { email: string; password: string } = admin): Promise<string> {
  const body = JSON.stringify(user);
  const response = await fetch(`${server.url}/api/v2/auth/sign-in`, { method: 'POST', headers: json, body });
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
}

/** Returns the cookies of the ward's session as a browser takes them. */
export function cookiesOf({ server, cookie }: Ward): { name: string; value: string; url: string }[] {
  return cookie.split('; ').map((pair) => {
    const [name = '', value = ''] = pair.split('=');
    return { name, value, url: server.url };
  });
}

/** Returns one second of the ward as a device sends it: SpO2 and heart rate of every patient, different each second. */
export function secondOf(patients: number[], at: number): string {
  const takenAt = new Date(at).toISOString();
  const beat = Math.floor(at / 1000);
  const samples = patients.flatMap((patientId) => [
    { patientId, kind: 'spo2', value: 90 + ((patientId + beat) % 10), takenAt, quality: 'good' },
    { patientId, kind: 'heartRate', value: 60 + ((patientId + beat) % 40), takenAt, quality: 'good' },
  ]);
  return JSON.stringify({ samples });
}

/** Sends one second of the ward, after which all values are new. */
export async function feedOnce(ward: Ward, at = Date.now()): Promise<void> {
  await ingest(ward, secondOf(ward.patients, at));
}

export async function ingest({ server, token }: Pick<Ward, 'server' | 'token'>, body: string): Promise<void> {
  const response = await fetch(`${server.url}/api/v2/vitals`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body,
  });
  if (response.status !== 200) {
    throw new Error(`Ingest responded with ${response.status}: ${await response.text()}`);
  }
}

/** Sends one second of the ward each second, until it is stopped. */
export function feedEverySecond(ward: Ward): { first: Promise<void>; stop(): Promise<void> } {
  const first = feedOnce(ward);
  let last: Promise<void> = first;
  const timer = setInterval(() => {
    last = last.then(() => feedOnce(ward));
  }, 1000);
  return {
    first,
    stop: async () => {
      clearInterval(timer);
      await last;
    },
  };
}

/**
 * Fills the hour before `now` (epoch milliseconds) with a reading a minute of every patient, so that spark lines have
 * their full length.
 */
export async function backfillHour(ward: Ward, now: number): Promise<void> {
  for (let ago = 60; ago > 0; ago -= 1) {
    await feedOnce(ward, now - ago * 60_000 + ago * 1_000);
  }
}

/**
 * Fills the day before `now` (epoch milliseconds) with one reading a second of the first patient's SpO2 and heart rate.
 */
export async function backfillDay(ward: Ward, now: number): Promise<void> {
  for (let from = now - 86_400_000; from < now; from += 2_500_000) {
    const samples = Array.from({ length: Math.min(2_500, Math.ceil((now - from) / 1000)) }, (_, second) => {
      const takenAt = new Date(from + second * 1000).toISOString();
      return [
        { patientId: 1, kind: 'spo2', value: 92 + (second % 7), takenAt },
        { patientId: 1, kind: 'heartRate', value: 60 + (second % 40), takenAt },
      ];
    }).flat();
    await ingest(ward, JSON.stringify({ samples }));
  }
}

/**
 * Waits until the vitals at `address` contain that many readings: the back-filled day is then rolled up in the minutes.
 */
export async function untilRolledUp(ward: Ward, address: string, readings: number): Promise<void> {
  for (;;) {
    const response = await fetch(`${ward.server.url}${address}`, { headers: { cookie: ward.cookie } });
    const { series } = (await response.json()) as { series: { points: { count: number }[] }[] };
    const count = series[0]?.points.reduce((sum, point) => sum + point.count, 0) ?? 0;
    if (count >= readings) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Waits until the server has processed what it was sent: over a second it takes less than a twentieth of a core. */
export async function untilIdle({ server }: Ward): Promise<void> {
  const cpuSeconds = (): Promise<number> => readMetric(server, 'process_cpu_seconds_total');
  let before = Number.NEGATIVE_INFINITY;
  let after = await cpuSeconds();
  while (after - before >= 0.05) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    before = after;
    after = await cpuSeconds();
  }
}
