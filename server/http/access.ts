import type { FastifyInstance, FastifyRequest } from 'fastify';
import { calls } from '../../lib/api/calls';
import { reachOf, type Permission } from '../../lib/session/permissions';
import { anyone, signedInOrLocked, type Policy } from '../../lib/session/policy';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Session } from '../session/session';
import type { Device } from '../devices/findDevice';
import { checkOrigin, checkXsrf } from './csrf';
import { forbidden, locked, signedOut, tooManyRequests } from './httpError';
import { scopeOf, type Scope } from './scope';

/** `page` is a page or one of its files: the page's own gate reads the session. */
export type RoutePolicy = Policy | { who: 'page' };

const page: RoutePolicy = { who: 'page' };

/** The routes that are not calls of the API. */
const otherRoutes: Readonly<Record<string, RoutePolicy>> = {
  'GET /healthz': anyone,
  'GET /readyz': anyone,
  'GET /metrics': anyone,
  'GET /api/openapi.json': anyone,
  'POST /api/csp-report': anyone,
  'POST /monitoring': anyone,
  'GET /api/v2/events': signedInOrLocked,
  'GET /api/docs/*': anyone,
  'GET /_next/static/*': page,
  'GET *': page,
};

/**
 * The one policy table: who may use which method and route, and how far they reach. The server does not start if a
 * route is missing here. The entries of calls come from their declarations (`lib/<word>/calls.ts`).
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

/** Returns the policy of a method and a route pattern. Throws if the table has no entry for it. */
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
  /** Returns the secret of the session that a request's cookies carry. */
  secretOf(request: FastifyRequest): string | undefined;
  findSession(token: string | undefined, secret: string | undefined): Session | null;
  isLocked(session: Session): boolean;
  /** Counts a call of a user, by the id, and returns whether it is within the budget of all their sessions. */
  mayCall(userId: string): boolean;
  /** Rejects with 401 if the header holds no token of a device that may send. */
  findDevice(authorization: string | undefined): Promise<Device>;
  /** The origin under which browsers reach this server, or null if it is not configured. */
  publicUrl: string | null;
}

/** Attaches its policy to every route as it is added, so that the server cannot start with a route that has none. */
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

/** Enforces the policies before any part of a request is parsed. Only the check of a device token reads the store. */
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
  // A request without a policy has an unknown address: the 404 handler answers it.
  switch (policy?.who) {
    case undefined:
    case 'page':
      return;
    case 'anyone':
      checkOrigin(request, doors.publicUrl);
      return;
    case 'session':
    case 'can': {
      const secret = doors.secretOf(request);
      const session = doors.findSession(request.cookies.token, secret);
      if (session === null || secret === undefined) {
        throw signedOut();
      }
      // Set before the checks, because the audit names the user whom they reject.
      request.session = session;
      if (!doors.mayCall(String(session.user.id))) {
        // A program's rate: a page of ten patients in five tabs makes two thirds of it (`SESSION_CALLS_PER_MINUTE`).
        throw tooManyRequests('Too many calls of this user in a minute. Try again.');
      }
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

/** Returns the patients that a call reaches with this permission. Throws 403 if the user does not have it. */
export function requireScope(request: FastifyRequest, permission: Permission, now: EpochMs): Scope {
  const scope = scopeOf(sessionOf(request), permission, now);
  if (scope === null) {
    throw forbidden();
  }
  return scope;
}

/** Returns the session of a route for people. The policy has already made sure that there is one. */
export function sessionOf(request: FastifyRequest): Session {
  if (request.session === null) {
    throw signedOut();
  }
  return request.session;
}
