import type { FastifyInstance, FastifyRequest } from 'fastify';
import { calls } from '../../lib/api/calls';
import { reachOf, type Permission } from '../../lib/session/permissions';
import { anyone, signedIn, type Policy } from '../../lib/session/policy';
import type { Session } from '../session/sessions';
import type { Device } from '../devices/findDevice';
import { checkOrigin, checkXsrf } from './csrf';
import { forbidden, locked, signedOut } from './httpError';
import { scopeOf, type Scope } from './scope';

/** `page`: a page or a file of a page; the page's own gate reads the session. */
type RoutePolicy = Policy | { who: 'page' };

const page: RoutePolicy = { who: 'page' };

/** The routes that are not calls of the API. */
const otherRoutes: Readonly<Record<string, RoutePolicy>> = {
  'GET /healthz': anyone,
  'GET /readyz': anyone,
  'GET /metrics': anyone,
  'GET /api/openapi.json': anyone,
  'POST /api/csp-report': anyone,
  'POST /monitoring': anyone,
  'GET /api/v2/events': signedIn,
  'GET /api/docs/*': anyone,
  'GET /_next/static/*': page,
  'GET *': page,
};

/**
 * The one policy table: method and route -> who may, and how far. A route that is not in it stops the server from
 * starting. The lines of calls come from their declarations (`lib/<word>/calls.ts`).
 */
export const policies: Readonly<Record<string, RoutePolicy>> = {
  ...Object.fromEntries(Object.values(calls).map(({ method, path, who }) => [`${method} ${path}`, who])),
  ...otherRoutes,
};

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: RoutePolicy;
  }
  interface FastifyRequest {
    /** Set on routes for people. */
    session: Session | null;
    /** Set on routes for devices. */
    device: Device | null;
  }
}

/** Takes a method and a route's pattern and returns its policy; throws when the table has no line for it. */
export function policyOf(method: string, url: string): RoutePolicy {
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
  policy: Exclude<RoutePolicy, { who: 'device' }> | undefined,
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
    case 'can': {
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
      if (policy.who === 'can' && reachOf(session.user, policy.permission) === null) {
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
