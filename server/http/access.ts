import type { FastifyInstance, FastifyRequest } from 'fastify';
import { reachOf, type Permission } from '../../lib/session/permissions';
import type { Session } from '../session/sessions';
import type { Device } from '../devices/findDevice';
import { checkOrigin, checkXsrf } from './csrf';
import { forbidden, locked, signedOut } from './httpError';
import { scopeOf, type Scope } from './scope';

/**
 * Who may call a route, and what of it they reach.
 * - `anyone`: no session is looked at.
 * - `device`: a bearer token; reaches the patients of the device's site.
 * - `session`: any session; reaches the user alone. `whileLocked`: also one that is locked, which every other call
 *   refuses with 423.
 * - `act`: a session whose user may do this (`lib/session/permissions`); reaches what the act reaches for that user
 *   (`scopeOf`).
 * - `page`: a page or a file of a page; the page's own gate reads the session.
 */
export type Policy =
  | { who: 'anyone' }
  | { who: 'device' }
  | { who: 'session'; whileLocked?: true }
  | { who: 'act'; act: Permission }
  | { who: 'page' };

const anyone: Policy = { who: 'anyone' };
const page: Policy = { who: 'page' };
const anySession: Policy = { who: 'session' };
const lockedToo: Policy = { who: 'session', whileLocked: true };
const act = (name: Permission): Policy => ({ who: 'act', act: name });

/**
 * The one policy table: method and route -> who may, and how far. A route that is not in it stops the server from
 * starting.
 */
export const policies: Readonly<Record<string, Policy>> = {
  'GET /healthz': anyone,
  'GET /readyz': anyone,
  'GET /metrics': anyone,
  'GET /api/openapi.json': anyone,
  'POST /api/csp-report': anyone,
  'POST /monitoring': anyone,
  'POST /api/v2/auth/sign-in': anyone,
  'POST /api/v2/auth/sign-up': anyone,
  'POST /api/v2/auth/invitation': anyone,
  'GET /api/v2/auth/register': anyone,
  'POST /api/v2/auth/register': anyone,
  'POST /api/v2/auth/password-reset/request': anyone,
  'POST /api/v2/auth/password-reset/confirm': anyone,
  'POST /api/v2/setup': anyone,
  'POST /api/v2/demo': anyone,
  'POST /api/v2/auth/sign-out': lockedToo,
  'POST /api/v2/auth/activity': anySession,
  'POST /api/v2/auth/lock': anySession,
  'POST /api/v2/auth/unlock': lockedToo,
  'GET /api/user/getCurrentUser': anySession,
  'PUT /api/v2/users/updateLastActive/:id': lockedToo,
  'PATCH /api/v2/profile': anySession,
  'PUT /api/v2/profile/password': anySession,
  'PUT /api/v2/profile/picture': anySession,
  'DELETE /api/v2/profile/picture': anySession,
  'GET /api/v2/profile/sessions': anySession,
  'DELETE /api/v2/profile/sessions': anySession,
  'DELETE /api/v2/profile/sessions/:sid': anySession,
  'GET /api/v2/users/:id/picture': anySession,
  'GET /api/v2/events': anySession,
  'GET /api/v2/admin/errors': act('manageSite'),
  'GET /api/v2/patients': act('readPatients'),
  'POST /api/v2/patients/search': act('readPatients'),
  'POST /api/v2/patients': act('writePatients'),
  'GET /api/v2/patients/sparks': act('readPatients'),
  'GET /api/v2/patients/:id': act('readPatients'),
  'PATCH /api/v2/patients/:id': act('writePatients'),
  'GET /api/v2/patients/:id/vitals': act('readPatients'),
  'GET /api/v2/patients/:id/spo2-target': act('readPatients'),
  'PUT /api/v2/patients/:id/spo2-target': act('setSpo2Scale'),
  'GET /api/v2/patients/:id/symptoms': act('readPatients'),
  'POST /api/v2/patients/:id/readings': act('recordObservations'),
  'POST /api/v2/patients/:id/symptoms': act('recordObservations'),
  'GET /api/v2/alerts': act('readAlerts'),
  'GET /api/v2/alerts/:id/events': act('readAlerts'),
  'POST /api/v2/alerts/:id/acknowledge': act('handleAlerts'),
  'POST /api/v2/alerts/:id/accept': act('handleAlerts'),
  'POST /api/v2/alerts/:id/reject': act('handleAlerts'),
  'POST /api/v2/alerts/:id/pause-audio': act('handleAlerts'),
  'POST /api/v2/alerts/:id/resolve': act('handleAlerts'),
  'GET /api/v2/patients/:id/limits': act('readPatients'),
  'PUT /api/v2/patients/:id/limits': act('changeLimits'),
  'GET /api/v2/site/limits': act('readAlerts'),
  'PUT /api/v2/site/limits': act('changeSiteLimits'),
  'POST /api/v2/patients/:id/standby': act('setStandby'),
  'POST /api/v2/patients/:id/standby/end': act('setStandby'),
  'PUT /api/v2/patients/:id/comfort-care': act('orderComfortCare'),
  'DELETE /api/v2/patients/:id/comfort-care': act('orderComfortCare'),
  'GET /api/v2/units': act('readUnits'),
  'POST /api/v2/units': act('manageSite'),
  'PATCH /api/v2/units/:id': act('manageSite'),
  'DELETE /api/v2/units/:id': act('manageSite'),
  'GET /api/v2/audit': act('readAudit'),
  'GET /api/v2/audit/people': act('readAudit'),
  'GET /api/v2/audit/export': act('exportAudit'),
  'GET /api/v2/admin/site': act('manageSite'),
  'PATCH /api/v2/admin/site': act('manageSite'),
  'POST /api/v2/site/intended-use': act('manageSite'),
  'GET /api/v2/admin/users': act('manageUsers'),
  'PATCH /api/v2/admin/users/:id': act('manageUsers'),
  'POST /api/v2/admin/users/:id/approve': act('manageUsers'),
  'POST /api/v2/admin/users/:id/reject': act('manageUsers'),
  'POST /api/v2/admin/users/:id/reset-link': act('manageUsers'),
  'POST /api/v2/admin/users/:id/end-sessions': act('manageUsers'),
  'GET /api/v2/admin/invitations': act('manageUsers'),
  'POST /api/v2/admin/invitations': act('manageUsers'),
  'DELETE /api/v2/admin/invitations/:id': act('manageUsers'),
  'GET /api/v2/devices': act('readDevices'),
  'POST /api/v2/devices': act('manageDevices'),
  'PATCH /api/v2/devices/:id': act('manageDevices'),
  'POST /api/v2/devices/:id/token': act('manageDevices'),
  'POST /api/v2/devices/:id/revoke': act('manageDevices'),
  'POST /api/v2/devices/:id/assignment': act('assignDevices'),
  'DELETE /api/v2/devices/:id/assignment': act('assignDevices'),
  'GET /api/v2/devices/:id/quarantine': act('readDevices'),
  'GET /api/v2/assignments': act('readAssignments'),
  'PUT /api/v2/assignments': act('writeAssignments'),
  'POST /api/v2/auth/break-glass': act('breakGlass'),
  'POST /api/v2/auth/break-glass/end': act('breakGlass'),
  'GET /api/v2/admin/break-glass': act('manageUsers'),
  'POST /api/v2/admin/break-glass/:id/seen': act('manageUsers'),
  'POST /api/v2/chat/chat-token': act('chat'),
  'GET /api/v2/chat/directory': act('chat'),
  'POST /api/v2/chat/channels': act('chat'),
  'POST /api/v2/vitals': { who: 'device' },
  'GET /api/docs/*': anyone,
  'GET /_next/static/*': page,
  'GET *': page,
};

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: Policy;
  }
  interface FastifyRequest {
    /** Set on routes for people. */
    session: Session | null;
    /** Set on routes for devices. */
    device: Device | null;
  }
}

/** Takes a method and a route's pattern and returns its policy; throws when the table has no line for it. */
export function policyOf(method: string, url: string): Policy {
  // HEAD is GET without the body.
  const row = `${method === 'HEAD' ? 'GET' : method} ${/^\/api\/docs(\/|$)/.test(url) ? '/api/docs/*' : url}`;
  const policy = policies[row];
  if (policy === undefined) {
    throw new Error(`The route ${method} ${url} has no line in the policy table (server/http/access.ts)`);
  }
  return policy;
}

export interface AccessDoors {
  findSession(token: string | undefined, secret: string | undefined): Session | null;
  isLocked(session: Session): boolean;
  /** Refuses with 401 what is not the token of a device that may send. */
  findDevice(authorization: string | undefined): Promise<Device>;
  /** The origin under which browsers reach this server, for requests that do not say where they come from. */
  publicUrl: string | null;
}

/** Gives every route its policy as it is added, and so keeps a server with a forgotten one from starting. */
export function requirePolicies(app: FastifyInstance): void {
  app.decorateRequest('session', null);
  app.decorateRequest('device', null);
  app.addHook('onRoute', (route) => {
    const methods = typeof route.method === 'string' ? [route.method] : route.method;
    const [policy, ...others] = methods.map((method) => policyOf(method, route.url));
    if (others.some((other) => other !== policy)) {
      throw new Error(`The methods of the route ${route.url} have different policies: make it one route for each`);
    }
    route.config = { ...route.config, policy };
  });
}

/** Enforces the policies before anything of a request is parsed. Only a device's token waits for the store. */
export function installAccess(app: FastifyInstance, doors: AccessDoors): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const policy = request.routeOptions.config.policy;
    if (policy?.who === 'device') {
      doors.findDevice(request.headers.authorization).then((device) => {
        request.device = device;
        done();
      }, done);
      return;
    }
    try {
      admit(request, policy, doors);
    } catch (error) {
      done(error instanceof Error ? error : forbidden());
      return;
    }
    done();
  });
}

function admit(
  request: FastifyRequest,
  policy: Exclude<Policy, { who: 'device' }> | undefined,
  doors: AccessDoors,
): void {
  // Without a policy the address is unknown: the 404 handler answers.
  switch (policy?.who) {
    case undefined:
    case 'page':
      return;
    case 'anyone':
      checkOrigin(request, doors.publicUrl);
      return;
    case 'session':
    case 'act': {
      const secret = request.cookies['token.sig'];
      const session = doors.findSession(request.cookies.token, secret);
      if (session === null || secret === undefined) {
        throw signedOut();
      }
      // Before the checks: the audit has to know whom they refuse.
      request.session = session;
      checkOrigin(request, doors.publicUrl);
      checkXsrf(request, secret);
      if (doors.isLocked(session) && !(policy.who === 'session' && policy.whileLocked === true)) {
        throw locked();
      }
      if (policy.who === 'act' && reachOf(session.user, policy.act) === null) {
        throw forbidden();
      }
      return;
    }
    default:
      policy satisfies never;
  }
}

/**
 * The patients that a call reaches by this act; refuses with 403 a user who may not do it. `now` is epoch milliseconds.
 */
export function requireScope(request: FastifyRequest, act: Permission, now: number): Scope {
  const scope = scopeOf(sessionOf(request), act, now);
  if (scope === null) {
    throw forbidden();
  }
  return scope;
}

/** The session of a route for people; the policy has made sure that there is one. */
export function sessionOf(request: FastifyRequest): Session {
  if (request.session === null) {
    throw signedOut();
  }
  return request.session;
}
