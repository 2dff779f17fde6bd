import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import Fastify, { type FastifyInstance, type FastifyRequest, type HTTPMethods, type InjectOptions } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import pino from 'pino';
import { z } from 'zod';
import { calls } from '../../lib/api/calls';
import type { Calls } from '../../lib/api/declaration';
import type { AuditResponse } from '../../lib/audit/schema';
import type { PatientsPage } from '../../lib/patients/schema';
import { anyone } from '../../lib/session/policy';
import { type UserType, userTypes } from '../../lib/session/userTypes';
import { apiEngines } from '../../test/database';
import { type Call, everyCall } from '../../test/everyCall';
import { sharedTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, testPassword, type TestServer } from '../../test/testServer';
import { createApp } from '../app';
import type { createViewAudit, ViewAudit } from '../audit/createViewAudit';
import { readHead } from '../audit/verify';
import { policies, requirePolicies } from './access';
import { checkOrigin, checkXsrf, sameText, xsrfTokenOf } from './csrf';
import { isClosedToDisplay } from './displayPages';
import { installErrors } from './errors';
import { on, requireEveryCall } from './on';

/** The routes that have recorded a view. */
const viewed = new Set<string>();
jest.mock('../audit/createViewAudit', () => {
  const actual = jest.requireActual<{ createViewAudit: typeof createViewAudit }>('../audit/createViewAudit');
  return {
    ...actual,
    createViewAudit: (...given: Parameters<typeof createViewAudit>): ViewAudit => {
      const made = actual.createViewAudit(...given);
      return {
        ...made,
        auditView: (request, view) => {
          viewed.add(`${request.method} ${request.routeOptions.url}`);
          return made.auditView(request, view);
        },
      };
    },
  };
});

describe('access', () => {
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
  /** Those who may read the audit. */
  const readers: readonly Who[] = [...clinicians, 'isAdmin'];

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
        'GET /api/v2/alerts/held',
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
        'POST /api/v2/alerts/:id/contact',
        'POST /api/v2/alerts/:id/pause-audio',
        'POST /api/v2/alerts/:id/reassign',
        'POST /api/v2/alerts/:id/reject',
        'POST /api/v2/alerts/:id/resolve',
        'POST /api/v2/alerts/:id/source',
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
        'GET /api/v2/patients/:id/readings',
        'POST /api/v2/patients/:id/readings',
        'POST /api/v2/patients/:id/readings/withdraw',
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
        'POST /api/v2/devices/:id/wrong-patient',
        'GET /api/v2/patients/duplicates',
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
        'POST /api/v2/admin/mappings/:id/undo',
        'POST /api/v2/admin/mappings/codes/:id/undo',
        'POST /api/v2/admin/mappings/proposals/:id/confirm',
        'POST /api/v2/admin/senders/settings/:id/confirm',
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
        'POST /api/v2/admin/mappings/proposals/:id/reject',
        'GET /api/v2/admin/senders/settings',
        'POST /api/v2/admin/senders/settings/:id/reject',
        'GET /api/v2/admin/messages',
        'GET /api/v2/admin/messages/:id',
      ],
    },
    {
      who: ['technician', 'isAdmin'],
      rows: [
        'POST /api/v2/admin/mappings',
        'POST /api/v2/admin/mappings/codes',
        'POST /api/v2/admin/senders/:id/settings',
      ],
    },
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
        // Administrators of the first site; those of another one are refused (server/site/site.test.ts).
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
  /** What is read in these says nothing of a patient: users, units, settings, faults, and what sounds. */
  const withoutPatient: readonly string[] = [
    'GET /api/user/getCurrentUser',
    'GET /api/v2/admin/break-glass',
    'GET /api/v2/admin/errors',
    'GET /api/v2/admin/invitations',
    'GET /api/v2/admin/senders',
    'GET /api/v2/admin/senders/settings',
    'GET /api/v2/admin/site',
    'GET /api/v2/admin/sites',
    'GET /api/v2/admin/users',
    'GET /api/v2/alert-path',
    'GET /api/v2/alerts/history/people',
    'GET /api/v2/alerts/sound',
    'GET /api/v2/audit/people',
    'GET /api/v2/confirmations',
    'GET /api/v2/events',
    'GET /api/v2/profile/sessions',
    'GET /api/v2/site/escalation',
    'GET /api/v2/site/limits',
    'GET /api/v2/units',
    'GET /api/v2/users/:id/picture',
  ];
  /** Each file has a row of its own. */
  const files: readonly string[] = [
    'GET /api/v2/alerts/budget/export',
    'GET /api/v2/alerts/history/export',
    'GET /api/v2/audit/export',
    'GET /api/v2/patients/:id/export',
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
      // A server of its own: each refusal in its audit is one of these calls.
      test = await startTestServer(engine);
      calls = everyCall(test);
      site = await test.addSite();
      // The site of the first user is the one whose administrators add sites.
      await test.addUser(site, 'administrator', true);
      otherSite = await test.addSite('Other ward');
      otherUser = (await test.addUser(otherSite, 'nurse')).id;
      ({ token } = await test.addDevice(site));
    });
    // Tests end and lock sessions.
    beforeEach(signEverybodyIn);
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

    /**
     * A row of the caller's site that the call is about: a new one, because the calls before may have used up theirs.
     */
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
        // Those who are refused use no row up, nor do those who read: one is for all of them.
        const shared = await ownRow(call, 'anonymous');
        const sharedBody = await call.body(shared);
        const isRead = call.method === 'GET' && !call.row.startsWith('GET /api/v2/reports');
        // Where everybody may call, no session is looked at.
        for (const who of isFree(call) ? (['physician', 'anonymous', 'device'] as const) : everybody) {
          const isShared = call.about !== 'caller' && (isRead || expectedStatus(who, call) !== call.status);
          const own = isShared ? shared : await ownRow(call, who);
          const sentBody = isShared ? sharedBody : await call.body(own);
          const { status, body } = await send(who, call.method, call.url(own), sentBody, call.headers);
          if (status !== expectedStatus(who, call)) {
            wrong.push(`${who} ${call.row}: ${status}, not ${expectedStatus(who, call)}: ${body}`);
          }
        }
      }
      return wrong;
    }

    it('decides every call of every kind of caller, and the audit has each of a user that it refused', async () => {
      // Those of alerts first: to raise one is to look at all patients of the site.
      const isOfAlert = ({ row }: Call): number => (row.includes('/alerts/') ? 0 : 1);
      const made = calls.filter((call) => !isLast(call)).toSorted((a, b) => isOfAlert(a) - isOfAlert(b));
      const { id: last } = await readHead(test.store.db);
      await expect(wrongAnswers(made)).resolves.toEqual([]);
      const refused = users.flatMap((who) =>
        made
          .filter((call) => !isFree(call) && [403, 404].includes(expectedStatus(who, call)))
          .map((call) => `${callers.get(who)?.userId ?? 0} ${call.row}`),
      );
      const rows = test.store.db.selectFrom('audit').select(['actor_id', 'details']).where('id', '>', last);
      const audited = await rows.where('action', '=', 'refused_call').execute();
      const route = z.object({ route: z.string() });
      const words = audited.map(
        ({ actor_id, details }) => `${actor_id} ${route.parse(JSON.parse(details ?? '')).route}`,
      );
      expect(words.sort()).toEqual(refused.sort());
    });

    it('puts each read of patients on record as a view', async () => {
      // Chat is off here.
      const reads = calls.filter((call) => call.method === 'GET' && !isFree(call) && call.code === undefined);
      await test.startRules(site);
      const patientId = await test.addPatient(site);
      const nurse = callers.get('nurse');
      const worst = { readings: { heartRate: 30, spo2: 70 } };
      expect((await nurse?.call('POST', `/api/v2/patients/${patientId}/readings`, worst))?.statusCode).toBe(201);
      const alert = test.server.alerts.listOpen(site).find((record) => record.patientId === patientId);
      const device = await test.addDevice(site);
      const { mrn, date_of_birth: dateOfBirth } = test.server.liveState.patients.get(patientId) ?? {};
      const assigned = await nurse?.call('POST', `/api/v2/devices/${device.id}/assignment`, { mrn, dateOfBirth });
      expect(assigned?.statusCode).toBe(200);
      viewed.clear();
      for (const call of reads) {
        const who = groups.get(call.row)?.who.find((each) => each !== 'display') ?? 'nurse';
        const id = call.row.includes('/alerts/:id/') ? (alert?.id ?? 0) : await ownRow(call, who);
        expect([call.row, (await send(who, call.method, call.url(id))).status]).toEqual([call.row, call.status]);
      }
      const unviewed = reads.map(({ row }) => row).filter((row) => !viewed.has(row));
      expect(unviewed.sort()).toEqual([...withoutPatient, ...files].sort());
    });

    /** Returns the status for a row of another site, and for one that does not exist. */
    const statusElsewhere = (who: Who, call: Call): number =>
      expectedStatus(who, call) !== call.status ? expectedStatus(who, call) : call.about === 'caller' ? 403 : 404;

    it('gives who has no session the same answer for another site’s row and for one that does not exist', async () => {
      // To raise an alert is to look at all patients of sites whose rules are on.
      await test.stopRules();
      const wrong: string[] = [];
      for (const call of calls.filter(({ hasId }) => hasId)) {
        const id = call.about === 'caller' ? otherUser : await call.about(otherSite);
        const sentBody = await call.body(id);
        // Users have the next test, but for calls that it leaves out.
        for (const who of isLast(call) || isFree(call) ? everybody : (['anonymous', 'device'] as const)) {
          const other = await send(who, call.method, call.url(id), sentBody, call.headers);
          const missing = await send(who, call.method, call.url(999_999_999), sentBody, call.headers);
          const expected = statusElsewhere(who, call);
          if (other.status !== expected || !isDeepStrictEqual(other, missing)) {
            wrong.push(
              `${who} ${call.row}: ${other.status} ${other.body} and ` +
                `${missing.status} ${missing.body}, not ${expected}`,
            );
          }
        }
      }
      expect(wrong).toEqual([]);
    });

    /** Gives what the other site has names that no row, file or page of this site may have. */
    async function nameOtherSite(): Promise<void> {
      const { db } = test.store;
      const patient = { family_name: 'Qzwpatient', given_name: 'Ödön', bed: 'Qzwbed' };
      await db.updateTable('patients').set(patient).where('site_id', '=', otherSite).execute();
      await db
        .updateTable('patients')
        .set((row) => ({ mrn: sql<string>`'Qzwmrn' || ${row.ref('id')}` }))
        .where('site_id', '=', otherSite)
        .execute();
      await db.updateTable('users').set({ fname: 'Qzwuser' }).where('site_id', '=', otherSite).execute();
      await db.updateTable('devices').set({ name: 'Qzwdevice' }).where('site_id', '=', otherSite).execute();
      await db
        .updateTable('units')
        .set((row) => ({ name: sql<string>`'Qzwunit' || ${row.ref('id')}` }))
        .where('site_id', '=', otherSite)
        .execute();
    }
    const foreignWord = /Qzw|Ö\./;

    /** What these callers can read of the newest rows, and what refusals after a row have but for their own ids. */
    async function auditSince(last: number): Promise<{ who: Who; text: string; refusals: object[] }[]> {
      const found: { who: Who; text: string; refusals: object[] }[] = [];
      for (const who of readers) {
        const { body } = await send(who, 'GET', '/api/v2/audit?pageSize=100');
        const { items } = JSON.parse(body) as AuditResponse;
        const refusals = items
          .filter(({ id, action }) => id > last && action === 'refused_call')
          .map(({ id: _, at: __, ip: ___, actorId: ____, actorName: _____, ...row }) => row);
        found.push({ who, text: body, refusals });
      }
      return found;
    }

    const isFree = ({ row }: Call): boolean => groups.get(row)?.who === everybody;
    /** The sites that learned behind a row of the audit that one of their rows was asked for. */
    const sealedSince = async (last: number): Promise<(number | null)[]> => {
      const rows = test.store.db.selectFrom('audit').select('site_id').where('id', '>', last);
      return (await rows.where('action', '=', 'refused_subject').execute()).map(({ site_id }) => site_id);
    };

    it('gives users the same answer for another site’s row as for none, and their audit leaves out which', async () => {
      await test.stopRules();
      const wrong: unknown[] = [];
      let sessions: Map<Who, Caller>[] = [];
      const named = calls.filter((each) => each.hasId && !isLast(each) && !isFree(each));
      // The refusals of so many calls are on one page of the audit.
      const many = 8;
      for (let first = 0; first < named.length; first += many) {
        // Two of each kind, because one leaves no second row within a minute. One leaves 60 rows of subjects at most.
        if (first % (7 * many) === 0) {
          sessions = [];
          for (let each = 0; each < 2; each += 1) {
            await signEverybodyIn();
            sessions.push(new Map(callers));
          }
        }
        const batch: { call: Call; who: Who; there: number; nowhere: number; body?: object; isSealed: boolean }[] = [];
        for (const [place, call] of named.slice(first, first + many).entries()) {
          const nowhere = 999_000_000 + first + place;
          const id = call.about === 'caller' ? otherUser : await call.about(otherSite);
          const body = await call.body(id);
          // A message is no row of the store.
          const isSealed = !call.row.includes(' /api/v2/admin/messages/:id');
          batch.push(...users.map((who) => ({ call, who, there: id, nowhere, body, isSealed })));
        }
        await nameOtherSite();
        const refuse = async (row: 'there' | 'nowhere', as: ReadonlyMap<Who, Caller> = new Map()) => {
          as.forEach((caller, who) => callers.set(who, caller));
          const { id: last } = await readHead(test.store.db);
          const answers = [];
          for (const { call, who, body, ...ids } of batch) {
            answers.push(await send(who, call.method, call.url(ids[row]), body, call.headers));
          }
          return { answers, audits: await auditSince(last), sealed: await sealedSince(last) };
        };
        const [there, nowhere] = [await refuse('there', sessions[0]), await refuse('nowhere', sessions[1])];
        batch.forEach(({ call, who }, index) => {
          const [other, missing] = [there.answers[index], nowhere.answers[index]];
          if (other?.status !== statusElsewhere(who, call) || !isDeepStrictEqual(other, missing)) {
            wrong.push([who, call.row, other, missing]);
          }
        });
        const rows = [...new Set(batch.map(({ call }) => call.row))];
        there.audits.forEach(({ who, text, refusals }, of) => {
          const other = nowhere.audits[of]?.refusals;
          const own = batch.filter((one) => who === 'isAdmin' || one.who === who);
          if (foreignWord.test(text) || refusals.length !== own.length || !isDeepStrictEqual(refusals, other)) {
            wrong.push([who, rows, refusals, other]);
          }
        });
        const sealed = batch.filter(({ isSealed }) => isSealed);
        expect([rows, there.sealed]).toEqual([rows, sealed.map(() => otherSite)]);
        expect([rows, nowhere.sealed]).toEqual([rows, sealed.map(() => null)]);
      }
      expect(wrong).toEqual([]);
      expect((await send('isAdmin', 'GET', '/api/v2/audit/export')).body).not.toMatch(foreignWord);
    });

    it('takes nothing but a whole number from 1 on for an id of a row', async () => {
      const ids = ['0', '-1', '1.5', '9007199254740993', 'abc', '%00', '1;2', '1,2', '*'];
      for (const [index, call] of calls.filter(({ hasId }) => hasId).entries()) {
        const caller = expectedStatus('physician', call) === 403 ? 'isAdmin' : 'physician';
        const body = await call.body(1);
        // What one of the schemas of ids takes by itself at each call, and the others in turn.
        for (const id of ['01', '1e3', ids[index % ids.length] ?? '']) {
          const { status } = await send(caller, call.method, call.url(0).replace(/(?<=[/=])0/, id), body);
          expect([call.row, id, status]).toEqual([call.row, id, 400]);
        }
      }
    });

    it('knows no other method at any address of the table', async () => {
      const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
      const others = ['physician', 'anonymous', 'device'] as const;
      let tries = 0;
      const addresses = new Map(calls.map(({ url, row }) => [row.split(' ')[1] ?? '', url]));
      for (const [path, url] of addresses) {
        // "search" is what a :id could be as well, and then it is not one.
        const known = [path, path.replace(/[^/]+$/, ':id')];
        for (const method of methods.filter((name) =>
          known.every((pattern) => policies[`${name} ${pattern}`] === undefined),
        )) {
          // No route is there that could tell them apart.
          const who = others[tries % others.length] ?? 'physician';
          tries += 1;
          const status = method === 'TRACE' ? 405 : 404;
          expect([who, method, path, (await send(who, method, url(1))).status]).toEqual([who, method, path, status]);
        }
      }
    });

    it('answers HEAD to those whom it answers GET', async () => {
      // A file is on record as what its reader got: it has no answer without its rows.
      const without = ['GET /api/v2/events', 'GET /api/v2/patients/:id/export'];
      for (const call of calls.filter(({ method, row }) => method === 'GET' && !without.includes(row))) {
        const ofRefused = await ownRow(call, 'anonymous');
        for (const who of ['physician', 'isAdmin', 'anonymous'] as const) {
          const isRefused = expectedStatus(who, call) !== call.status && call.about !== 'caller';
          const { status, body } = await send(who, 'HEAD', call.url(isRefused ? ofRefused : await ownRow(call, who)));
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

    it('refuses a user who calls more often than pages do, in whatever session, and no other', async () => {
      const few = await startTestServer('sqlite', { SESSION_CALLS_PER_MINUTE: '600' });
      const ofSite = await few.addSite();
      const [busy, calm] = [await few.signIn(ofSite, 'nurse'), await few.signIn(ofSite, 'nurse')];
      const own = '/api/user/getCurrentUser';
      for (let count = 0; count < 600; count += 1) {
        await busy.call('GET', own);
      }
      const refused = await busy.call('GET', own);
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
      const body = { email: 'person@example.org', password: testPassword };
      await few.store.db.updateTable('users').set({ email: body.email }).where('id', '=', busy.userId).execute();
      const signedIn = await few.app.inject({ method: 'POST', url: '/api/v2/auth/sign-in', payload: body });
      const cookies = Object.fromEntries(signedIn.cookies.map(({ name, value }) => [name, value]));
      expect([signedIn.statusCode, (await few.app.inject({ url: own, cookies })).statusCode]).toEqual([200, 429]);
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
      const nurse = callers.get('nurse');
      await nurse?.call('POST', '/api/v2/auth/lock');
      const answers: string[] = [];
      const last = ({ row }: Call): number => (row.endsWith('sign-out') ? 1 : 0);
      const ofPeople = calls.filter(({ row }) => {
        const who = groups.get(row)?.who ?? [];
        return !who.includes('anonymous') && !who.includes('device');
      });
      for (const call of ofPeople.toSorted((a, b) => last(a) - last(b))) {
        const body = call.row.endsWith('/unlock') ? { password: 'wrong' } : undefined;
        // Whatever row it names: a call that is not refused for the lock has another answer.
        const id = call.about === 'caller' ? (nurse?.userId ?? 0) : 1;
        const { status } = await send('nurse', call.method, call.url(id), body);
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
});

describe.each(apiEngines)('the reach on %s', (engine) => {
  const url = '/api/v2/patients';
  const sam = { givenName: 'Sam', familyName: 'Sample', dateOfBirth: '1950-03-07' };
  const inUnit = (unit: string) => ({ unit, bed: '1' });

  let test: TestServer;
  let site: number;
  let east: number;
  let unitEast: number;
  let west: number;
  let nowhere: number;
  let elsewhere: number;
  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    east = await test.addPatient(site, { mrn: 'EAST', location: inUnit('East') });
    west = await test.addPatient(site, { mrn: 'WEST', location: inUnit('West') });
    nowhere = await test.addPatient(site, { mrn: 'HOME' });
    elsewhere = await test.addPatient(await test.addSite('Other'), { mrn: 'ELSEWHERE', location: inUnit('East') });
    unitEast = await test.addUnit(site, 'East');
  });

  async function memberOfEast(type: UserType, of = site): Promise<Caller> {
    const person = await test.signIn(of, type);
    await test.addUnit(of, 'East', [person.userId]);
    return person;
  }
  const mrnsOf = (page: PatientsPage): string[] => page.items.map(({ mrn }) => mrn).sort();
  const listed = async (who: Caller): Promise<string[]> => mrnsOf((await who.call('GET', url)).json<PatientsPage>());
  const found = async (who: Caller): Promise<string[]> =>
    mrnsOf((await who.call('POST', `${url}/search`, { text: 'sample' })).json<PatientsPage>());

  describe.each(['nurse', 'respiratory_therapist', 'viewer'] as const)('of a %s with a unit', (type) => {
    let person: Caller;
    beforeAll(async () => {
      person = await memberOfEast(type);
    });

    it('is the patients of the unit and those without a place, in the list and in the search', async () => {
      await expect(listed(person)).resolves.toEqual(['EAST', 'HOME']);
      await expect(found(person)).resolves.toEqual(['EAST', 'HOME']);
      const { units } = (await person.call('GET', url)).json<PatientsPage>();
      expect(units.map(({ name }) => name)).toEqual(['East']);
    });

    it('answers for a patient of another unit exactly as for one that does not exist', async () => {
      for (const path of ['', '/vitals']) {
        const there = await person.call('GET', `${url}/${west}${path}`);
        const missing = await person.call('GET', `${url}/888888${path}`);
        expect([there.statusCode, there.body]).toEqual([404, missing.body]);
        for (const id of [east, nowhere]) {
          expect((await person.call('GET', `${url}/${id}${path}`)).statusCode).toBe(200);
        }
      }
      const unit = test.server.liveState.unitByName(site, 'West')?.id ?? 0;
      expect((await person.call('GET', `${url}?unit=${unit}`)).json<PatientsPage>()).toMatchObject({
        items: [],
        total: 0,
      });
    });

    it('audits no view of a patient out of reach', async () => {
      const rows = await test.store.db
        .selectFrom('audit')
        .select('object_id')
        .where('actor_id', '=', person.userId)
        .where('object_type', '=', 'patient')
        .where('outcome', '=', 'done')
        .execute();
      expect(rows.map(({ object_id }) => object_id)).not.toContain(west);
    });
  });

  it.each(['physician', 'ward_lead'] as const)('of a %s with a unit is the whole site', async (type) => {
    const person = await memberOfEast(type);
    await expect(listed(person)).resolves.toEqual(['EAST', 'HOME', 'WEST']);
    expect((await person.call('GET', `${url}/${elsewhere}`)).statusCode).toBe(404);
  });

  it('of a nurse without a unit is the whole site', async () => {
    await expect(listed(await test.signIn(site, 'nurse'))).resolves.toEqual(['EAST', 'HOME', 'WEST']);
  });

  it('changes with the next call after the membership changed', async () => {
    const nurse = await memberOfEast('nurse');
    await expect(listed(nurse)).resolves.toEqual(['EAST', 'HOME']);
    await test.addUnit(site, 'West', [nurse.userId]);
    await expect(listed(nurse)).resolves.toEqual(['EAST', 'HOME', 'WEST']);
  });

  it('of an administrator is no patient, and isAdmin gives a nurse no more patients', async () => {
    const administrator = await test.signIn(site, 'administrator', true);
    expect((await administrator.call('GET', url)).statusCode).toBe(403);
    const nurse = await test.signIn(site, 'nurse', true);
    await test.addUnit(site, 'East', [nurse.userId]);
    await expect(listed(nurse)).resolves.toEqual(['EAST', 'HOME']);
  });

  it('lets a nurse admit to their own unit, in any letter case, and to no other', async () => {
    const own = await test.addSite();
    const nurse = await memberOfEast('nurse', own);
    const inWest = await test.addPatient(own, { location: inUnit('West') });
    for (const unit of ['West', 'A new one']) {
      const refused = await nurse.call('POST', url, { ...sam, mrn: `X-${unit}`, location: inUnit(unit) });
      expect([refused.statusCode, refused.json<{ error: object }>().error]).toMatchObject([
        403,
        { code: 'other_unit', fields: { 'location.unit': 'is not a unit of yours' } },
      ]);
    }
    expect(test.server.liveState.unitByName(own, 'A new one')).toBeNull();
    const admitted = await nurse.call('POST', url, { ...sam, mrn: 'TO-EAST', location: { unit: 'EAST', bed: '2' } });
    expect([admitted.statusCode, admitted.json()]).toMatchObject([201, { location: { unit: 'East' } }]);
    const renamed = await nurse.call('PATCH', `${url}/${inWest}`, { version: 1, familyName: 'Reached' });
    expect(renamed.statusCode).toBe(404);
  });

  it('lets a nurse move a patient out of their unit, and then no longer reaches them', async () => {
    const own = await test.addSite();
    const nurse = await memberOfEast('nurse', own);
    await test.addUnit(own, 'West');
    const id = await test.addPatient(own, { location: inUnit('East') });
    expect(
      (await nurse.call('PATCH', `${url}/${id}`, { version: 1, location: { unit: 'West', bed: '2' } })).statusCode,
    ).toBe(200);
    expect((await nurse.call('GET', `${url}/${id}`)).statusCode).toBe(404);
  });

  it('is marked in the list of units, which names all units of the site', async () => {
    const nurse = await memberOfEast('nurse');
    const { items } = (await nurse.call('GET', '/api/v2/units')).json<{
      items: { id: number; name: string; isOpen: boolean }[];
    }>();
    expect(items.map(({ name, isOpen }) => [name, isOpen])).toEqual([
      ['East', true],
      ['West', false],
    ]);
    expect(items[0]?.id).toBe(unitEast);
  });
});

describe('csrf', () => {
  /** As much of a request as these checks look at. */
  function requestWith(headers: Record<string, string>, method = 'POST'): FastifyRequest {
    return { method, headers, protocol: 'http', host: 'ward.example:3000' } as unknown as FastifyRequest;
  }

  const refusal = expect.objectContaining({ status: 403, code: 'xsrf' }) as unknown;

  function passes(headers: Record<string, string>, publicUrl: string | null = null, method = 'POST'): unknown {
    try {
      checkOrigin(requestWith(headers, method), publicUrl);
      return true;
    } catch (error) {
      // oxlint-disable-next-line jest/no-conditional-expect -- each test expects what is returned
      expect(error).toEqual(refusal);
      return false;
    }
  }

  describe('checkOrigin', () => {
    it.each([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
      ['the address bar', { 'sec-fetch-site': 'none' }],
      ['a browser that says two things', { 'sec-fetch-site': 'same-origin, cross-site' }],
      ['another site that names our origin', { 'sec-fetch-site': 'cross-site', origin: 'http://ward.example:3000' }],
      ['another origin', { origin: 'http://evil.example' }],
      ['our host on another port', { origin: 'http://ward.example:3001' }],
      ['our host over another scheme', { origin: 'https://ward.example:3000' }],
      ['a host that begins like ours', { origin: 'http://ward.example:3000.evil.example' }],
      ['a sandboxed frame', { origin: 'null' }],
      ['an empty origin', { origin: '' }],
    ])('refuses an unsafe call from %s', (_, headers) => {
      expect(passes(headers)).toBe(false);
    });

    it('holds an origin against the public address where there is one, not against the Host header', () => {
      expect(passes({ origin: 'http://ward.example:3000' }, 'https://ward.example')).toBe(false);
      expect(passes({ origin: 'https://ward.example' }, 'https://ward.example')).toBe(true);
    });

    it.each([
      ['our own pages', { 'sec-fetch-site': 'same-origin' }],
      ['our own pages in a browser without Sec-Fetch-Site', { origin: 'http://ward.example:3000' }],
      ['what is not a browser', {}],
    ])('takes an unsafe call from %s', (_, headers) => {
      expect(passes(headers)).toBe(true);
    });

    it.each(['GET', 'HEAD', 'OPTIONS'])('asks nothing of %s, which changes nothing', (method) => {
      expect(passes({ 'sec-fetch-site': 'cross-site' }, null, method)).toBe(true);
    });
  });

  describe('checkXsrf', () => {
    const secret = 'one-secret';

    it.each([
      ['no token', {}],
      ['an empty token', { 'x-xsrf-token': '' }],
      ['the token of another session', { 'x-xsrf-token': xsrfTokenOf('another-secret') }],
      ['the secret itself', { 'x-xsrf-token': secret }],
      ['half a token', { 'x-xsrf-token': xsrfTokenOf(secret).slice(0, 20) }],
      ['the token twice', { 'x-xsrf-token': `${xsrfTokenOf(secret)}, ${xsrfTokenOf(secret)}` }],
    ])('refuses %s', (_, headers: Record<string, string>) => {
      expect(() => checkXsrf(requestWith(headers), secret)).toThrow(
        expect.objectContaining({ status: 403, code: 'xsrf' }) as Error,
      );
    });

    it('takes the token of the session', () => {
      expect(() => checkXsrf(requestWith({ 'x-xsrf-token': xsrfTokenOf(secret) }), secret)).not.toThrow();
    });

    it('asks nothing of a safe method', () => {
      expect(() => checkXsrf(requestWith({}, 'GET'), secret)).not.toThrow();
    });
  });

  describe('sameText', () => {
    it('says what === says', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
          expect(sameText(a, b)).toBe(a === b);
          expect(sameText(a, a)).toBe(true);
        }),
      );
    });
  });
});

describe.each(apiEngines)('an unsafe call on %s', (engine) => {
  const own = 'http://localhost:80';
  const foreign: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }];

  let test: TestServer;
  let person: Caller;
  let another: Caller;
  let unsafe: Call[];
  /** The row that each call is about. */
  const rows = new Map<Call, number>();
  const ofPeople = (): Call[] => unsafe.filter(({ row }) => ['session', 'can'].includes(policies[row]?.who ?? ''));

  // A server of its own: it makes every call, and those of strangers use up what their address may ask for.
  beforeAll(async () => {
    test = await startTestServer(engine);
    const site = await test.addSite();
    person = await test.signIn(site, 'physician', true);
    another = await test.signIn(site, 'physician', true);
    unsafe = everyCall(test).filter(({ method }) => method !== 'GET');
    for (const call of unsafe.filter(({ hasId }) => hasId)) {
      rows.set(call, call.about === 'caller' ? person.userId : await call.about(site));
    }
  });
  afterAll(() => test.stop());

  /** Everything that these calls could change. */
  async function everything(): Promise<string> {
    const { db } = test.store;
    const tables = await Promise.all([
      db.selectFrom('patients').selectAll().orderBy('id').execute(),
      db.selectFrom('sessions').selectAll().orderBy('token').execute(),
      db.selectFrom('users').selectAll().orderBy('id').execute(),
      db.selectFrom('user_pictures').selectAll().orderBy('user_id').execute(),
      db.selectFrom('account_tokens').selectAll().orderBy('id').execute(),
      db.selectFrom('units').selectAll().orderBy('id').execute(),
      db.selectFrom('assignments').selectAll().orderBy('id').execute(),
      db.selectFrom('break_glass').selectAll().orderBy('id').execute(),
      // The audit records the refusal and nothing else.
      db.selectFrom('audit').selectAll().where('action', '!=', 'refused_call').orderBy('id').execute(),
      db.selectFrom('sites').selectAll().orderBy('id').execute(),
      db.selectFrom('devices').selectAll().orderBy('id').execute(),
      db.selectFrom('device_assignments').selectAll().orderBy('id').execute(),
    ]);
    return JSON.stringify([...tables, [...test.server.liveState.patients.values()]]);
  }

  const bodyOf = (call: Call): Promise<object | undefined> => call.body(rows.get(call) ?? 1);
  /** The calls of people with their bodies: making a body may add rows. */
  const withBodies = async (): Promise<[Call, object | undefined][]> => {
    const made: [Call, object | undefined][] = [];
    for (const call of ofPeople()) {
      made.push([call, await bodyOf(call)]);
    }
    return made;
  };

  async function send(
    call: Call,
    headers: Record<string, string>,
    cookies: Record<string, string>,
    body: Promise<object | undefined> = bodyOf(call),
  ): Promise<[number, string]> {
    const id = rows.get(call) ?? 1;
    const answer = await test.app.inject({
      method: call.method,
      url: call.url(id),
      headers: { ...call.headers, ...headers },
      cookies,
      payload: await body,
    });
    return [
      answer.statusCode,
      answer.statusCode < 400 ? 'done' : answer.json<{ error: { code: string } }>().error.code,
    ];
  }

  const right = (): string => person.cookies['XSRF-TOKEN'] ?? '';
  const attacks: [string, () => Record<string, string>][] = [
    ['without the token', () => ({})],
    ['with an empty token', () => ({ 'x-xsrf-token': '' })],
    ['with a wrong token', () => ({ 'x-xsrf-token': right().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) })],
    ['with the token of another session', () => ({ 'x-xsrf-token': another.cookies['XSRF-TOKEN'] ?? '' })],
    ['with the right token from another site', () => ({ 'x-xsrf-token': right(), 'sec-fetch-site': 'cross-site' })],
    [
      'with the right token from another host of the same site',
      () => ({ 'x-xsrf-token': right(), 'sec-fetch-site': 'same-site' }),
    ],
    ['with the right token from another origin', () => ({ 'x-xsrf-token': right(), origin: 'https://evil.example' })],
    ['with the right token from a sandboxed frame', () => ({ 'x-xsrf-token': right(), origin: 'null' })],
  ];

  it.each(attacks)('is refused %s, and nothing changes', async (_, headers) => {
    const made = await withBodies();
    const before = await everything();
    for (const [call, body] of made) {
      const answer = await send(call, headers(), person.cookies, Promise.resolve(body));
      expect([call.row, ...answer]).toEqual([call.row, 403, 'xsrf']);
    }
    await expect(everything()).resolves.toBe(before);
  });

  it.each([
    ['half the cookie, the token', () => ({ token: person.cookies.token ?? '' })],
    ['half the cookie, the secret', () => ({ 'token.sig': person.cookies['token.sig'] ?? '' })],
    [
      'the secret of another session',
      () => ({ token: person.cookies.token ?? '', 'token.sig': another.cookies['token.sig'] ?? '' }),
    ],
    ['no cookie but the token’s', () => ({ 'XSRF-TOKEN': right() })],
  ])('is refused with %s, and nothing changes', async (_, cookies) => {
    const made = await withBodies();
    const before = await everything();
    for (const [call, body] of made) {
      const answer = await send(call, { 'x-xsrf-token': right() }, cookies(), Promise.resolve(body));
      expect([call.row, ...answer]).toEqual([call.row, 401, 'signed_out']);
    }
    await expect(everything()).resolves.toBe(before);
  });

  it('without a session is refused from another site, and nothing changes', async () => {
    const before = await everything();
    for (const call of unsafe.filter(({ row }) => policies[row]?.who === 'anyone')) {
      for (const headers of foreign) {
        expect([call.row, ...(await send(call, headers, {}))]).toEqual([call.row, 403, 'xsrf']);
      }
    }
    await expect(everything()).resolves.toBe(before);
  });

  it('is not taken as a form, which a foreign page can send', async () => {
    // Reports are in formats of their own; they change nothing of anybody's, and a foreign page is refused by its
    // origin.
    const reports = ['POST /api/csp-report', 'POST /monitoring'];
    for (const { url, row } of unsafe.filter(({ row }) => policies[row]?.who === 'anyone' && !reports.includes(row))) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const answer = await test.app.inject({
          method: 'POST',
          url: url(1),
          headers: { 'content-type': type },
          payload: '{"email":"a"}',
        });
        expect([row, type, answer.statusCode]).toEqual([row, type, 415]);
      }
    }
  });

  it('of a device asks for no token of a page and looks at no cookie', async () => {
    const { token } = await test.addDevice(person.siteId);
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/vitals',
      headers: { authorization: `Bearer ${token}`, origin: 'https://gateway.example' },
      cookies: { token: 'x', 'token.sig': 'y' },
      payload: { samples: [] },
    });
    expect(answer.statusCode).toBe(200);
  });

  it('is done with the right token from our own pages', async () => {
    const last = ({ spendsSession }: Call): number => (spendsSession === true ? 1 : 0);
    for (const call of ofPeople().toSorted((a, b) => last(a) - last(b))) {
      const headers = { 'x-xsrf-token': right(), 'sec-fetch-site': 'same-origin', origin: own };
      const end = call.status < 400 ? 'done' : (call.code ?? 'not_found');
      expect([call.row, ...(await send(call, headers, person.cookies))]).toEqual([call.row, call.status, end]);
      if (call.spendsSession === true) {
        person = await test.signIn(person.siteId, 'physician', true);
      }
    }
  });
});

describe('what a display may open', () => {
  const pages = readdirSync(join(__dirname, '../../pages'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.startsWith('_'))
    .map((file) => `/${file.replace(/\.tsx$/, '').replace(/^index$/, '')}`);

  it('is the wall, what leads to it, and what everyone may read, of all pages there are', () => {
    expect(pages.filter((page) => !isClosedToDisplay(page)).sort()).toEqual(
      ['/', '/dashboard', '/intended_use', '/locked', '/sign_in', '/wall'].filter((page) => pages.includes(page)),
    );
  });

  it.each([
    '/patients?page=2',
    '/patient_details?ids=1',
    '/patients/',
    '/%70atients',
    '/admin/users',
    '/_next/data/build/patients.json',
    '/_next/data/build/admin/users.json?x=1',
    '/nothing',
  ])('is not %s', (url) => {
    expect(isClosedToDisplay(url)).toBe(true);
  });

  it.each(['/wall?unit=3', '/_next/data/build/wall.json?unit=3', '/_next/data/build/index.json', '/icon-high.svg'])(
    'is %s',
    (url) => {
      expect(isClosedToDisplay(url)).toBe(false);
    },
  );
});

describe('on', () => {
  const east = { id: 7, name: 'East', patients: 0, people: 0, isOpen: true };

  describe('on', () => {
    let app: FastifyInstance;

    beforeEach(() => {
      app = Fastify();
      app.setValidatorCompiler(validatorCompiler);
      app.setSerializerCompiler(serializerCompiler);
      installErrors(app, { onFault: () => 'f', onRejection: () => Promise.resolve() });
      requirePolicies(app);
    });

    afterEach(() => app.close());

    it('refuses a second handler of the same call', () => {
      on(app, 'listUnits', () => ({ items: [], total: 0 }));
      expect(() => {
        on(app, 'listUnits', () => ({ items: [], total: 0 }));
      }).toThrow(/already declared/);
    });

    it.each([
      ['a field of another type', { ...east, patients: 'none' }],
      ['a missing field', { id: 7, name: 'East' }],
      ['nothing', null],
    ])('answers 500 instead of a response that breaks its schema: %s', async (_, broken) => {
      on(app, 'createUnit', () => broken as never);
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: '/api/v2/units',
        payload: { name: 'East' },
      });
      expect(statusCode).toBe(500);
      expect(body).not.toContain('East');
    });

    it('refuses what breaks the schema of the params, the query or the body before the handler sees it', async () => {
      const handler = jest.fn();
      on(app, 'renameUnit', handler);
      on(app, 'listAudit', handler);
      const answers = [
        await app.inject({ method: 'PATCH', url: '/api/v2/units/0', payload: { name: 'East' } }),
        await app.inject({ method: 'PATCH', url: '/api/v2/units/7', payload: { name: 7 } }),
        await app.inject('/api/v2/audit?before=never'),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 422, 400]);
      expect(handler).not.toHaveBeenCalled();
    });

    it('hands the parsed parts to the handler', async () => {
      on(app, 'renameUnit', ({ params, body }) => ({ ...east, id: params.id, name: body.name }));
      const answer = await app.inject({ method: 'PATCH', url: '/api/v2/units/12', payload: { name: ' West ' } });
      expect(answer.json()).toEqual({ ...east, id: 12, name: 'West' });
    });

    it('answers with the declared status, also without a body', async () => {
      on(app, 'createUnit', () => Promise.resolve(east));
      on(app, 'deleteUnit', () => null);
      const created = await app.inject({ method: 'POST', url: '/api/v2/units', payload: { name: 'East' } });
      const deleted = await app.inject({ method: 'DELETE', url: '/api/v2/units/7' });
      expect([created.statusCode, deleted.statusCode, deleted.body]).toEqual([201, 204, '']);
    });

    it('sends what a handler has made into bytes by itself', async () => {
      on(app, 'listUnits', (_request, reply) => reply.type('application/json').send(Buffer.from('{"made":"before"}')));
      expect((await app.inject('/api/v2/units')).json()).toEqual({ made: 'before' });
    });
  });

  describe('requireEveryCall', () => {
    it('names a declared call that has no handler', () => {
      const app = Fastify();
      for (const { method, path } of Object.values(calls)) {
        if (path !== calls.renameUnit.path || method !== 'PATCH') {
          app.route({ method, url: path, handler: () => null });
        }
      }
      expect(() => {
        requireEveryCall(app);
      }).toThrow('The call renameUnit is declared but has no handler');
      on(app, 'renameUnit', () => east);
      expect(() => {
        requireEveryCall(app);
      }).not.toThrow();
    });
  });

  describe('a declaration', () => {
    it('does not compile without who may make the call', () => {
      const unit = { method: 'GET', path: '/api/v2/units', status: 200, response: z.null() } as const;
      // @ts-expect-error `who` is missing.
      const forgotten = { listUnits: unit } satisfies Calls;
      const complete = { listUnits: { ...unit, who: anyone } } satisfies Calls;
      expect([forgotten, complete]).toHaveLength(2);
    });

    it('has an address and method of its own', () => {
      const addresses = Object.values(calls).map(({ method, path }) => `${method} ${path}`);
      expect(new Set(addresses).size).toBe(addresses.length);
    });

    it('answers 204 if and only if its response is nothing that could be sent', () => {
      for (const { status, response } of Object.values(calls)) {
        expect(response.safeParse(null).success).toBe(status === 204 || status === 202);
      }
    });
  });
});
