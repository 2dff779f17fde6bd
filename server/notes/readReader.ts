import type { FastifyRequest } from 'fastify';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Store } from '../db/open';
import { requireScope, sessionOf } from '../http/access';
import type { Reader } from './queries';

/** Resolves with the user of a request as a reader of notes. Rejects with 403 for one who reads none. */
export async function readReader({ db }: Store, request: FastifyRequest, now: EpochMs): Promise<Reader> {
  const { user } = sessionOf(request);
  const scope = requireScope(request, 'readNotes', now);
  const { created_at: since } = await db
    .selectFrom('users')
    .select('created_at')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  return { userId: user.id, since, scope };
}
