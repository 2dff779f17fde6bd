import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { appAddress } from '../../test/appAddress';
import { sharedTestServer } from '../../test/sharedServer';
import { startTestServer, testPassword, type Caller, type TestServer } from '../../test/testServer';
import { createEvents } from './events';
import { inventedUser } from '../../test/inventedWard';
import type { Sessions } from '../session/sessions';
import { sessionLastsMs } from '../session/sessionTimes';
import { LiveState } from '../liveState';

/** A stream as a page reads it: `next` waits for the text that comes next, `end` for its end. */
interface Stream {
  response: IncomingMessage;
  next(wanted: string): Promise<void>;
  end: Promise<unknown>;
}

describe('the stream of events', () => {
  let test: TestServer;
  let address: string;
  let nurse: Caller;
  let site: number;

  async function begin(server: TestServer): Promise<void> {
    test = server;
    address = await appAddress(test);
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
  }
  beforeEach(async () => {
    await begin(await sharedTestServer('sqlite'));
  });

  async function open(cookies: Record<string, string>, more: Record<string, string> = {}): Promise<Stream> {
    const cookie = Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const request = get(`${address}/api/v2/events`, { headers: { cookie, ...more } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    return {
      response,
      end: once(response, 'close'),
      next: async (wanted) => {
        while (!text.includes(wanted)) {
          await once(response, 'data');
        }
        text = text.slice(text.indexOf(wanted) + wanted.length);
      },
    };
  }

  it('does not open without a session', async () => {
    const { response, end } = await open({ token: nurse.cookies.token ?? '' });
    expect(response.statusCode).toBe(401);
    await end;
  });

  it.each(['cross-site', 'same-site', 'none'])('does not open for a page that is %s', async (site) => {
    const { response, end } = await open(nurse.cookies, { 'sec-fetch-site': site });
    expect(response.statusCode).toBe(403);
    await end;
  });

  it('opens three times for one session and once more when one of them has gone, but always for another', async () => {
    const streams = [await open(nurse.cookies), await open(nurse.cookies), await open(nurse.cookies)];
    const refused = await open(nurse.cookies);
    expect(refused.response.statusCode).toBe(204);
    await refused.end;
    expect((await open((await test.signIn(site, 'nurse')).cookies)).response.statusCode).toBe(200);
    streams[0]?.response.destroy();
    const status = async (): Promise<number | undefined> => (await open(nurse.cookies)).response.statusCode;
    // The server hears a moment later that the connection has gone.
    let last = await status();
    while (last === 204) {
      last = await status();
    }
    expect(last).toBe(200);
  });

  it('tells of a change of its own site, with no data in it, and of no other', async () => {
    const { response, next } = await open(nurse.cookies);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    await next('retry: 5000\n\n');
    await next('event: alertPath');
    await next('\n\n');
    const seen: string[] = [];
    response.on('data', (part: string) => seen.push(part));
    await test.addPatient(await test.addSite('Other ward'));
    await test.addPatient(site);
    await next(`event: patients\ndata: {"topic":"patients","version":${test.server.liveState.version(site)}}\n\n`);
    expect(seen).toHaveLength(1);
  });

  it('ends at once when its session is ended, and those of other sessions go on', async () => {
    const colleague = await test.signIn(site, 'nurse');
    const [mine, theirs] = [await open(nurse.cookies), await open(colleague.cookies)];
    await nurse.call('POST', '/api/v2/auth/sign-out');
    await mine.next('event: session');
    await mine.end;
    await test.addPatient(site);
    await expect(theirs.next('"topic":"patients"')).resolves.toBeUndefined();
  });

  it('ends within a second after its session has run out', async () => {
    const { next, end } = await open(nurse.cookies);
    await next('retry');
    test.advance(sessionLastsMs);
    await next('event: session');
    await expect(end).resolves.toEqual([]);
  });

  it('tells that its session was locked, and ends', async () => {
    const { next, end } = await open(nurse.cookies);
    await next('retry');
    await nurse.call('POST', '/api/v2/auth/lock');
    await next('event: session');
    await expect(end).resolves.toEqual([]);
  });

  it('says to a locked session that alerts have changed, nothing of patients, and ends with the lock', async () => {
    const { id: device, token } = await test.addDevice(site);
    await test.startRules(site);
    await nurse.call('POST', '/api/v2/auth/lock');
    const { response, next, end } = await open(nurse.cookies);
    const seen: string[] = [];
    response.on('data', (part: string) => seen.push(part));
    await next('event: alertPath');
    const patientId = await test.addPatient(site);
    const ahead = new Date(test.now() + 120_000).toISOString();
    await test.ingest(token, [{ patientId, kind: 'spo2', value: 97, takenAt: ahead }], { sentAt: ahead });
    await test.server.alerts.evaluateClock();
    expect(test.server.alerts.listOpen(site).map(({ deviceId }) => deviceId)).toEqual([device]);
    await next('event: alerts');
    await nurse.call('POST', '/api/v2/auth/unlock', { password: testPassword });
    await next('event: session');
    await end;
    expect(seen.join('')).not.toContain('patients');
  });

  it('says within a second that the page had no input for too long, and ends', async () => {
    const { next, end } = await open(nurse.cookies);
    await next('retry');
    test.advance(15 * 60_000);
    await next('event: session');
    await expect(end).resolves.toEqual([]);
  });

  it('tells of a change of its user and goes on', async () => {
    const { next } = await open(nurse.cookies);
    await next('retry');
    await nurse.call('PATCH', '/api/v2/profile', { fname: 'Ines', lname: 'Moreau' });
    await next('event: session');
    await test.addPatient(site);
    await expect(next('"topic":"patients"')).resolves.toBeUndefined();
  });

  it('does not keep the server from stopping', async () => {
    // On a server of its own, which it stops.
    await begin(await startTestServer('sqlite'));
    const streams = await Promise.all([open(nurse.cookies), open(nurse.cookies)]);
    await test.app.close();
    await expect(Promise.all(streams.map(({ end }) => end))).resolves.toHaveLength(2);
    await test.stop();
  });
});

describe('createEvents', () => {
  const user = inventedUser();
  /** Sessions that all live, unlocked. */
  const sessions: Pick<Sessions, 'get' | 'isLocked' | 'onChange'> = {
    get: (token) => ({
      token,
      secretHash: '',
      startedAt: 0,
      expiresAt: 1,
      lastInputAt: 0,
      lockedAt: null,
      provedAt: null,
      ip: null,
      userAgent: null,
      user,
      breakGlassUntil: null,
    }),
    isLocked: () => false,
    onChange: () => {},
  };

  /** A response whose reader has left `waiting` bytes unread. */
  function reader(waiting: number) {
    const response = Object.assign(new PassThrough(), { waiting });
    Object.defineProperty(response, 'writableLength', { get: () => response.waiting });
    return response;
  }

  /** What does not matter here: no alert changes, and the alarm path worked a moment ago. */
  const others = {
    sessions,
    alerts: { onChange: () => () => undefined },
    alertPath: { read: () => ({ lastTickAt: 900, lastHeartbeatAt: 500 }) },
    storage: { notStoredSince: () => 700 },
    now: () => 1_000,
  };
  const stream = { token: 't', user, isLocked: false, sentVersion: 0 };
  const alertPath =
    'event: alertPath\ndata: {"topic":"alertPath","serverTime":1000,"lastTickAt":900,"lastHeartbeatAt":500,' +
    '"notStoredSince":700}\n\n';

  /** All that was written to a response, without what was read before. */
  const written = (response: PassThrough): string => {
    // A chunk at a time: from Node 26 on, one read does not return all that was written.
    let text = '';
    for (let chunk: unknown = response.read(); chunk instanceof Buffer; chunk = response.read()) {
      text += chunk.toString();
    }
    return text;
  };

  it('lets a reader go who leaves more than a MiB unread, and keeps the others', () => {
    jest.useFakeTimers();
    const liveState = new LiveState();
    const events = createEvents({ liveState, ...others });
    const [slow, quick] = [reader(1_048_577), reader(1_048_576)];
    for (const response of [slow, quick]) {
      events.add({ ...stream, response: response as unknown as ServerResponse });
    }
    jest.advanceTimersByTime(1_000);
    expect([slow.destroyed, quick.destroyed]).toEqual([true, false]);
    expect(written(quick)).toBe(alertPath);
    liveState.changed(1);
    jest.advanceTimersByTime(1_000);
    expect(written(quick)).toBe('event: patients\ndata: {"topic":"patients","version":1}\n\n');
    events.close();
    jest.useRealTimers();
  });

  it('says at once and every 4 s when the alarm path last worked, and nothing after it is closed', () => {
    jest.useFakeTimers();
    const liveState = new LiveState();
    const events = createEvents({ liveState, ...others });
    const response = reader(0);
    events.add({ ...stream, response: response as unknown as ServerResponse });
    expect(written(response)).toBe(alertPath);
    jest.advanceTimersByTime(3_000);
    expect(written(response)).toBe('');
    jest.advanceTimersByTime(1_000);
    expect(written(response)).toBe(alertPath);
    // Also while there is other news each second.
    for (let second = 0; second < 8; second += 1) {
      liveState.changed(1);
      jest.advanceTimersByTime(1_000);
    }
    expect(written(response).split(alertPath)).toHaveLength(3);
    events.close();
    expect(response.writableEnded).toBe(true);
    jest.advanceTimersByTime(30_000);
    jest.useRealTimers();
  });
});
