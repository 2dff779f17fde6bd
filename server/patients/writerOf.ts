import type { FastifyRequest } from 'fastify';
import type { Permission } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { actorOf, type Actor } from '../audit/actor';
import type { Store } from '../db/open';
import { requireScope, sessionOf } from '../http/access';
import type { Scope } from '../http/scope';
import type { LiveState } from '../liveState';

/** Who changes something: the user, what they may reach, and the caller for the audit. `now` is epoch milliseconds. */
export interface Writer {
  store: Store;
  liveState: LiveState;
  now: EpochMs;
  actor: Actor;
  user: User;
  scope: Scope;
}

/** Returns who changes something by a request. Throws 403 for one who does not have the permission. */
export function writerOf(
  { store, liveState, now }: Pick<Writer, 'store' | 'liveState'> & { now: () => EpochMs },
  request: FastifyRequest,
  permission: Permission,
): Writer {
  const at = now();
  const scope = requireScope(request, permission, at);
  return { store, liveState, now: at, actor: actorOf(request), user: sessionOf(request).user, scope };
}
