import Fastify, { type HTTPMethods, type InjectOptions } from 'fastify';
import pino from 'pino';
import { userTypes, type UserType } from '../../lib/session/userTypes';
import { apiEngines } from '../../test/database';
import { everyCall, type Call } from '../../test/everyCall';
import { sharedTestServer } from '../../test/sharedServer';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { createApp } from '../app';
import { policies, requirePolicies } from './access';

describe('requirePolicies', () => {
  function add(method: HTTPMethods | HTTPMethods[], url: string): void {
    const app = Fastify();
    requirePolicies(app);
    app.route({ method, url, handler: () => null });
  }

  it.each([
    ['GET', '/api/v2/secrets'],
    ['DELETE', '/api/v2/patients/:id'],
    ['GET', '/api/docsecret'],
    ['POST', '/api/docs/upload'],
    ['GET', '/api/v2/patients/:id/'],
    ['GET', '/constructor'],
  ] as const)('refuses the route %s %s, which has no line in the table', (method, url) => {
    expect(() => add(method, url)).toThrow(`The route ${method} ${url} has no line in the policy table`);
  });

  it('refuses one route for methods that different people may use', () => {
    expect(() => add(['GET', 'POST'], '/api/v2/patients')).toThrow('different policies');
  });

  it('takes GET with its HEAD', () => {
    expect(() => add(['GET', 'HEAD'], '/api/v2/patients')).not.toThrow();
  });
});

describe('the server', () => {
  let test: TestServer;
  beforeAll(async () => {
    test = await sharedTestServer('sqlite');
    await test.app.ready();
  });

  const withPagesAt = (url: string) =>
    createApp({
      env: test.server.env,
      log: pino({ level: 'silent' }),
      store: test.store,
      pages: (app) => {
        app.route({ method: ['GET', 'HEAD'], url, schema: { hide: true }, handler: () => 'a page' });
        return Promise.resolve();
      },
    });

  it('does not start with a route that is not in the table', async () => {
    await expect(withPagesAt('/api/v2/secrets')).rejects.toThrow(
      'The route GET /api/v2/secrets has no line in the policy table',
    );
  });

  it('starts with the pages', async () => {
    const { app } = await withPagesAt('*');
    expect((await app.inject('/patients')).body).toBe('a page');
    await app.close();
  });

  it('has a route for every other line of the table', () => {
    const dead = everyCall(test).filter(({ method, url }) => test.app.findRoute({ method, url: url(1) }) === null);
    expect(dead.map(({ row }) => row)).toEqual([]);
  });
});

/** The kinds of callers. `isAdmin` is an administrator whose type has no permission by itself. */
type Who = UserType | 'isAdmin' | 'anonymous' | 'device';
const everybody: readonly Who[] = [...userTypes, 'isAdmin', 'anonymous', 'device'];
const users: readonly Who[] = [...userTypes, 'isAdmin'];
const clinicians: readonly Who[] = ['nurse', 'physician', 'respiratory_therapist', 'ward_lead'];

/**
 * Who may make which call (clinical.md section 9), written by hand a second time: a policy or a permission that is
 * changed by mistake fails a test here. Add a new call to the group of those who may make it.
 */
const allowed: readonly { who: readonly Who[]; rows: readonly string[] }[] = [
  {
    who: everybody,
    rows: [
      'POST /api/v2/auth/invitation',
      'POST /api/v2/auth/password-reset/confirm',
      'POST /api/v2/auth/password-reset/request',
      'GET /api/v2/auth/register',
      'POST /api/v2/auth/register',
      'POST /api/v2/auth/sign-in',
      'POST /api/v2/auth/sign-up',
      'POST /api/v2/check-in/open',
      'POST /api/v2/check-in/reports',
      'POST /api/v2/check-in/call-requests',
      'POST /api/v2/demo',
      'POST /api/v2/setup',
      'GET /healthz',
      'GET /readyz',
      'GET /metrics',
      'GET /api/openapi.json',
      'POST /api/csp-report',
      'POST /monitoring',
      'GET /api/docs/*',
    ],
  },
  { who: ['device'], rows: ['POST /api/v2/vitals'] },
  {
    who: users,
    rows: [
      'GET /api/user/getCurrentUser',
      'POST /api/v2/auth/activity',
      'POST /api/v2/auth/confirm-password',
      'POST /api/v2/auth/lock',
      'GET /api/v2/events',
      'PATCH /api/v2/profile',
      'PUT /api/v2/profile/password',
      'PUT /api/v2/profile/picture',
      'DELETE /api/v2/profile/picture',
      'POST /api/v2/profile/password-link/seen',
      'GET /api/v2/profile/sessions',
      'DELETE /api/v2/profile/sessions',
      'DELETE /api/v2/profile/sessions/:sid',
      'GET /api/v2/users/:id/picture',
      // Also while the session is locked: see the last test.
      'POST /api/v2/auth/sign-out',
      'POST /api/v2/auth/unlock',
      'GET /api/v2/alert-path',
      'GET /api/v2/alerts/strip',
      'GET /api/v2/alerts/sound',
      'PUT /api/v2/users/updateLastActive/:id',
    ],
  },
  {
    who: [...clinicians, 'technician', 'viewer', 'administrator', 'isAdmin'],
    rows: ['GET /api/v2/chat/directory', 'POST /api/v2/chat/channels', 'POST /api/v2/chat/chat-token'],
  },
  {
    who: [...clinicians, 'technician', 'viewer'],
    rows: [
      'GET /api/v2/alerts',
      'GET /api/v2/alerts/history',
      'GET /api/v2/alerts/history/people',
      'GET /api/v2/alerts/history/export',
      'GET /api/v2/alerts/budget',
      'GET /api/v2/alerts/budget/export',
      'GET /api/v2/alerts/:id/events',
      'GET /api/v2/site/escalation',
      'GET /api/v2/site/limits',
    ],
  },
  {
    who: [...clinicians, 'technician'],
    rows: [
      'POST /api/v2/alerts/take',
      'GET /api/v2/alerts/:id/people',
      'POST /api/v2/alerts/:id/accept',
      'POST /api/v2/alerts/:id/acknowledge',
      'POST /api/v2/alerts/:id/pause-audio',
      'POST /api/v2/alerts/:id/reassign',
      'POST /api/v2/alerts/:id/reject',
      'POST /api/v2/alerts/:id/resolve',
      'POST /api/v2/alerts/:id/undo',
      'POST /api/v2/devices/:id/assignment',
      'DELETE /api/v2/devices/:id/assignment',
    ],
  },
  {
    who: [...clinicians, 'technician', 'isAdmin'],
    rows: ['GET /api/v2/devices', 'GET /api/v2/devices/:id/quarantine'],
  },
  {
    who: [...clinicians, 'viewer'],
    rows: [
      'GET /api/v2/assignments',
      'GET /api/v2/patients',
      'GET /api/v2/patients/:id',
      'GET /api/v2/patients/:id/limits',
      'GET /api/v2/patients/:id/news2-exemption',
      'GET /api/v2/patients/:id/spo2-target',
      'GET /api/v2/patients/:id/symptoms',
      'GET /api/v2/patients/:id/symptom-strip',
      'GET /api/v2/patients/:id/vitals',
      'GET /api/v2/patients/:id/chart-marks',
      'GET /api/v2/patients/:id/device-alarms',
      'GET /api/v2/patients/:id/held-values',
      'GET /api/v2/patients/sparks',
      'GET /api/v2/symptoms/today',
      'POST /api/v2/patients/search',
    ],
  },
  {
    who: [...clinicians, 'technician', 'viewer', 'isAdmin'],
    rows: [
      'GET /api/v2/units',
      'GET /api/v2/reports',
      'GET /api/v2/reports/own',
      'GET /api/v2/reports/:id',
      'POST /api/v2/reports/:id/comments',
      'POST /api/v2/reports/:id/read',
    ],
  },
  { who: [...clinicians, 'technician', 'viewer'], rows: ['POST /api/v2/reports'] },
  { who: ['ward_lead', 'technician', 'isAdmin'], rows: ['PATCH /api/v2/reports/:id'] },
  { who: [...clinicians, 'viewer', 'display'], rows: ['GET /api/v2/wall'] },
  { who: [...clinicians, 'isAdmin'], rows: ['GET /api/v2/audit', 'GET /api/v2/audit/people'] },
  {
    who: clinicians,
    rows: [
      'GET /api/v2/patients/followed',
      'PUT /api/v2/patients/:id/follow',
      'DELETE /api/v2/patients/:id/follow',
      'POST /api/v2/patients/:id/follow/seen',
      'GET /api/v2/handoffs',
      'GET /api/v2/handoffs/own',
      'POST /api/v2/handoffs',
      'PUT /api/v2/handoffs/:id',
      'POST /api/v2/handoffs/:id/return',
      'POST /api/v2/handoffs/:id/withdraw',
      'POST /api/v2/handoffs/actions/:id/done',
      'POST /api/v2/handoffs/give',
      'POST /api/v2/handoffs/receive',
      'GET /api/v2/patients/:id/handoffs',
      'GET /api/v2/patients/:id/chart',
      'GET /api/v2/patients/:id/chart/summary',
      'POST /api/v2/patients/:id/chart/allergies',
      'POST /api/v2/patients/:id/chart/oxygen',
      'POST /api/v2/patients/:id/chart/conditions',
      'POST /api/v2/patients/:id/chart/medications',
      'POST /api/v2/patients/:id/chart/contacts',
      'POST /api/v2/chart-entries/:id/end',
      'POST /api/v2/chart-entries/:id/entered-in-error',
      'GET /api/v2/patients/:id/notes',
      'POST /api/v2/patients/:id/notes',
      'GET /api/v2/patients/:id/notes/readers',
      'GET /api/v2/notes/:id',
      'GET /api/v2/notes/own',
      'PUT /api/v2/notes/:id',
      'POST /api/v2/notes/:id/addendum',
      'POST /api/v2/notes/:id/amendment',
      'POST /api/v2/notes/:id/discard',
      'POST /api/v2/notes/:id/entered-in-error',
      'POST /api/v2/notes/:id/move',
      'POST /api/v2/notes/:id/read',
      'POST /api/v2/notes/:id/sign',
      'POST /api/v2/auth/break-glass',
      'POST /api/v2/auth/break-glass/end',
      'PUT /api/v2/patients/:id/limits',
      'POST /api/v2/patients/:id/limits/preview',
      'PUT /api/v2/patients/:id/news2-exemption',
      'POST /api/v2/patients/:id/news2-exemption/end',
      'POST /api/v2/patients/:id/readings',
      'GET /api/v2/patients/:id/standby/left',
      'POST /api/v2/patients/:id/standby',
      'POST /api/v2/patients/:id/standby/end',
      'POST /api/v2/patients/:id/symptoms',
      'POST /api/v2/symptoms/:id/entered-in-error',
    ],
  },
  {
    who: ['nurse', 'physician', 'ward_lead'],
    rows: [
      'PUT /api/v2/assignments',
      'POST /api/v2/patients',
      'POST /api/v2/patients/swap-beds',
      'PATCH /api/v2/patients/:id',
      'POST /api/v2/patients/:id/held-values/release',
      'POST /api/v2/patients/:id/held-values/take-back',
      'POST /api/v2/patients/:id/chart/team',
      'POST /api/v2/patients/:id/chart/identifiers',
      'GET /api/v2/patients/:id/check-in-links',
      'POST /api/v2/patients/:id/check-in-links',
      'POST /api/v2/check-in-links/:id/revoke',
    ],
  },
  {
    who: ['physician', 'ward_lead'],
    rows: [
      'GET /api/v2/patients/:id/export',
      'POST /api/v2/admin/mappings/:id/confirm',
      'POST /api/v2/admin/mappings/:id/undo',
      'POST /api/v2/admin/mappings/codes/:id/confirm',
      'POST /api/v2/admin/mappings/codes/:id/undo',
      'POST /api/v2/admin/messages/:id/open',
      'POST /api/v2/site/escalation/proposals',
      'POST /api/v2/site/escalation/proposals/:id/approve',
      'POST /api/v2/site/escalation/proposals/:id/reject',
      'POST /api/v2/site/limits/proposals',
      'POST /api/v2/site/limits/proposals/:id/approve',
      'POST /api/v2/site/limits/proposals/:id/reject',
    ],
  },
  {
    who: ['physician', 'ward_lead', 'isAdmin'],
    rows: ['GET /api/v2/confirmations', 'POST /api/v2/confirmations/:id'],
  },
  {
    who: ['physician', 'ward_lead', 'technician', 'isAdmin'],
    rows: [
      'GET /api/v2/admin/mappings',
      'POST /api/v2/admin/mappings/:id/end',
      'POST /api/v2/admin/mappings/codes/:id/end',
      'GET /api/v2/admin/messages',
    ],
  },
  { who: ['technician', 'isAdmin'], rows: ['POST /api/v2/admin/mappings', 'POST /api/v2/admin/mappings/codes'] },
  {
    who: ['physician'],
    rows: [
      'PUT /api/v2/patients/:id/comfort-care',
      'DELETE /api/v2/patients/:id/comfort-care',
      'POST /api/v2/patients/:id/chart/codeStatus',
      'PUT /api/v2/patients/:id/spo2-target',
    ],
  },
  {
    who: ['isAdmin'],
    rows: [
      'GET /api/v2/admin/break-glass',
      'POST /api/v2/admin/break-glass/:id/seen',
      'GET /api/v2/admin/errors',
      'GET /api/v2/admin/invitations',
      'POST /api/v2/admin/invitations',
      'DELETE /api/v2/admin/invitations/:id',
      'GET /api/v2/admin/site',
      'POST /api/v2/admin/clock',
      'PATCH /api/v2/admin/site',
      // Administrators of the first site; those of another one are refused (server/site/sites.test.ts).
      'GET /api/v2/admin/sites',
      'POST /api/v2/admin/sites',
      'POST /api/v2/admin/site-invitations',
      'GET /api/v2/admin/users',
      'PATCH /api/v2/admin/users/:id',
      'POST /api/v2/admin/users/:id/approve',
      'POST /api/v2/admin/users/:id/end-sessions',
      'POST /api/v2/admin/users/:id/reject',
      'POST /api/v2/admin/users/:id/reset-link',
      'GET /api/v2/audit/export',
      'GET /api/v2/admin/senders',
      'POST /api/v2/admin/senders',
      'PATCH /api/v2/admin/senders/:id',
      'POST /api/v2/admin/senders/:id/revoke',
      'POST /api/v2/devices',
      'PATCH /api/v2/devices/:id',
      'POST /api/v2/devices/:id/revoke',
      'POST /api/v2/devices/:id/token',
      'POST /api/v2/site/intended-use',
      'POST /api/v2/units',
      'PATCH /api/v2/units/:id',
      'DELETE /api/v2/units/:id',
    ],
  },
];
/** A page decides by itself, in its gate. */
const pageRows: readonly string[] = ['GET /_next/static/*', 'GET *'];
const groups = new Map(allowed.flatMap((group) => group.rows.map((row) => [row, group])));

it('writes down here who may make each call of the policy table', () => {
  expect([...groups.keys(), ...pageRows].sort()).toEqual(Object.keys(policies).sort());
  expect(groups.size).toBe(allowed.flatMap(({ rows }) => rows).length);
});

describe.each(apiEngines)('the policy table on %s', (engine) => {
  let test: TestServer;
  let calls: Call[];
  let site: number;
  let otherSite: number;
  let otherUser: number;
  let token: string;
  const callers = new Map<Who, Caller>();

  async function signEverybodyIn(): Promise<void> {
    for (const type of userTypes) {
      callers.set(type, await test.signIn(site, type));
    }
    callers.set('isAdmin', await test.signIn(site, 'administrator', true));
  }

  beforeAll(async () => {
    test = await startTestServer(engine);
    calls = everyCall(test);
    site = await test.addSite();
    await signEverybodyIn();
    otherSite = await test.addSite('Other ward');
    otherUser = (await test.addUser(otherSite, 'nurse')).id;
    ({ token } = await test.addDevice(site));
  });
  afterAll(() => test.stop());

  /** Calls that end or lock the caller's session have to wait until the others are made. */
  const isLast = ({ spendsSession }: Call): boolean => spendsSession === true;

  let sent = 0;
  function nextAddress(): string {
    sent += 1;
    return `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`;
  }

  async function send(who: Who, method: string, url: string, body?: object, more?: Record<string, string>) {
    const caller = callers.get(who);
    const headers = {
      ...more,
      ...(who === 'device' ? { authorization: `Bearer ${token}` } : {}),
      ...(caller === undefined ? {} : { 'x-xsrf-token': caller.cookies['XSRF-TOKEN'] }),
    };
    const answer = await test.app.inject({
      method: method as InjectOptions['method'],
      url,
      headers,
      cookies: caller?.cookies,
      payload: body,
      // Each from an address of its own, so that no failure before slows it.
      remoteAddress: nextAddress(),
      // A stream of events has no end to wait for.
      ...(url === '/api/v2/events' && caller !== undefined ? { payloadAsStream: true } : {}),
    });
    if (url === '/api/v2/events' && caller !== undefined) {
      answer.stream().destroy();
      return { status: answer.statusCode, body: '' };
    }
    return { status: answer.statusCode, body: answer.body };
  }

  /** A row of the caller's site that the call is about: a new one, because the calls before may have used up theirs. */
  async function ownRow({ about, hasId }: Call, who: Who): Promise<number> {
    if (!hasId) {
      return 1;
    }
    return about === 'caller' ? (callers.get(who)?.userId ?? 1) : await about(site, callers.get(who)?.userId);
  }

  /** Returns the status that this caller gets for a row that exists for them. */
  function expectedStatus(who: Who, { row, status }: Call): number {
    // The callers here come from other machines.
    if (row === 'GET /metrics') {
      return 403;
    }
    const isAllowed = groups.get(row)?.who.includes(who) ?? false;
    const isSignedIn = who !== 'anonymous' && who !== 'device';
    return isAllowed ? status : isSignedIn && row !== 'POST /api/v2/vitals' ? 403 : 401;
  }

  async function wrongAnswers(of: Call[]): Promise<string[]> {
    const wrong: string[] = [];
    for (const call of of) {
      for (const who of everybody) {
        const own = await ownRow(call, who);
        const { status, body } = await send(who, call.method, call.url(own), await call.body(own), call.headers);
        if (status !== expectedStatus(who, call)) {
          wrong.push(`${who} ${call.row}: ${status}, not ${expectedStatus(who, call)}: ${body}`);
        }
      }
    }
    return wrong;
  }

  it('decides every call of every kind of caller', async () => {
    await expect(wrongAnswers(calls.filter((call) => !isLast(call)))).resolves.toEqual([]);
  });

  it('gives the same answer for another site’s row and for one that does not exist', async () => {
    const wrong: string[] = [];
    for (const call of calls.filter(({ hasId }) => hasId)) {
      const ofCaller = call.about === 'caller';
      const id = call.about === 'caller' ? otherUser : await call.about(otherSite);
      for (const who of everybody) {
        const other = await send(who, call.method, call.url(id), await call.body(id), call.headers);
        const missing = await send(who, call.method, call.url(999_999_999), await call.body(id), call.headers);
        const expected = expectedStatus(who, call) === call.status ? (ofCaller ? 403 : 404) : expectedStatus(who, call);
        if (other.status !== expected || other.body !== missing.body || other.status !== missing.status) {
          wrong.push(
            `${who} ${call.row}: ${other.status} ${other.body} and ${missing.status} ${missing.body}, not ${expected}`,
          );
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(['0', '-1', '01', '1.5', '1e3', '9007199254740993', 'abc', '%00', '1;2', '1,2', '*'])(
    'takes %s for no id of any row',
    async (id) => {
      for (const call of calls.filter(({ hasId }) => hasId)) {
        const caller = expectedStatus('physician', call) === 403 ? 'isAdmin' : 'physician';
        const { status } = await send(caller, call.method, call.url(0).replace(/(?<=[/=])0/, id), await call.body(1));
        expect([call.row, status]).toEqual([call.row, 400]);
      }
    },
  );

  it('knows no other method at any address of the table', async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
    for (const { url, row } of calls) {
      const path = row.split(' ')[1] ?? '';
      // "search" is what a :id could be as well, and then it is not one.
      const known = [path, path.replace(/[^/]+$/, ':id')];
      for (const method of methods.filter((name) =>
        known.every((pattern) => policies[`${name} ${pattern}`] === undefined),
      )) {
        for (const who of ['physician', 'anonymous', 'device'] as const) {
          const status = method === 'TRACE' ? 405 : 404;
          expect([who, method, path, (await send(who, method, url(1))).status]).toEqual([who, method, path, status]);
        }
      }
    }
  });

  it('answers HEAD to those whom it answers GET', async () => {
    // A file is on record as what its reader got: it has no answer without its rows.
    const without = ['GET /api/v2/events', 'GET /api/v2/patients/:id/export'];
    for (const call of calls.filter(({ method, row }) => method === 'GET' && !without.includes(row))) {
      for (const who of ['physician', 'display', 'isAdmin', 'anonymous', 'device'] as const) {
        const { status, body } = await send(who, 'HEAD', call.url(await ownRow(call, who)));
        expect([who, call.row, status, body]).toEqual([who, call.row, expectedStatus(who, call), '']);
      }
    }
  });

  it('accepts no device token for a person and no user’s cookies for a device', async () => {
    const nurse = callers.get('nurse');
    const both = { authorization: `Bearer ${token}`, 'x-xsrf-token': nurse?.cookies['XSRF-TOKEN'] };
    const asDevice = await test.app.inject({ url: '/api/v2/patients', headers: both });
    const asPerson = await test.app.inject({
      method: 'POST',
      url: '/api/v2/vitals',
      cookies: nurse?.cookies,
      payload: { samples: [] },
    });
    expect([asDevice.statusCode, asPerson.statusCode]).toEqual([401, 401]);
  });

  it('refuses a session that calls more often than pages do, and no other', async () => {
    const few = await startTestServer('sqlite', { SESSION_CALLS_PER_MINUTE: '600' });
    const ofSite = await few.addSite();
    const [busy, calm] = [await few.signIn(ofSite, 'nurse'), await few.signIn(ofSite, 'nurse')];
    const own = '/api/user/getCurrentUser';
    for (let count = 0; count < 600; count += 1) {
      await busy.call('GET', own);
    }
    const refused = await busy.call('GET', own);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect((await calm.call('GET', own)).statusCode).toBe(200);
    few.advance(60_000);
    expect((await busy.call('GET', own)).statusCode).toBe(200);
    await few.stop();
  });

  it('lets every user with a session end, lock and renew it', async () => {
    for (const call of calls.filter(isLast)) {
      await signEverybodyIn();
      await expect(wrongAnswers([call])).resolves.toEqual([]);
    }
  });

  it('answers a locked session with 423, except for the few calls that the table marks', async () => {
    const nurse = await test.signIn(site, 'nurse');
    callers.set('nurse', nurse);
    await nurse.call('POST', '/api/v2/auth/lock');
    const answers: string[] = [];
    const last = ({ row }: Call): number => (row.endsWith('sign-out') ? 1 : 0);
    const ofPeople = calls.filter(({ row }) => {
      const who = groups.get(row)?.who ?? [];
      return !who.includes('anonymous') && !who.includes('device');
    });
    for (const call of ofPeople.toSorted((a, b) => last(a) - last(b))) {
      const body = call.row.endsWith('/unlock') ? { password: 'wrong' } : undefined;
      const { status } = await send('nurse', call.method, call.url(await ownRow(call, 'nurse')), body);
      if (status !== 423) {
        answers.push(`${call.row}: ${status}`);
      }
    }
    expect(answers).toEqual([
      'POST /api/v2/auth/unlock: 401',
      'PUT /api/v2/users/updateLastActive/:id: 204',
      'GET /api/v2/alert-path: 204',
      'GET /api/v2/alerts/strip: 200',
      'GET /api/v2/alerts/sound: 200',
      'GET /api/v2/events: 200',
      'POST /api/v2/auth/sign-out: 204',
    ]);
  });
});
