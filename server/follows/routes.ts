import type { FastifyRequest } from 'fastify';
import { requireScope, sessionOf } from '../http/access';
import { on } from '../http/on';
import { readReader } from '../notes/readReader';
import { requireActivePatient, requirePatient } from '../patients/requirePatient';
import type { App, Server } from '../server';
import { followPatient, markFollowedSeen, unfollowPatient } from './follows';
import { readFollowed } from './readFollowed';

/** The patients whom a user follows: each user's own, and only those whom they may see now. */
export function followRoutes(app: App, { store, liveState, now, auditView }: Server): void {
  const scopeOfReader = (request: FastifyRequest) => requireScope(request, 'readNotes', now());

  on(app, 'listFollowed', async (request) => {
    const followed = await readFollowed(store.db, liveState, await readReader(store, request, now()));
    const patientIds = followed.items.map(({ patientId }) => patientId);
    await auditView(request, { action: 'read_followed', patientIds });
    return followed;
  });

  on(app, 'followPatient', async (request) => {
    const scope = scopeOfReader(request);
    const { id } = requireActivePatient(liveState, request.params.id, scope);
    await followPatient({ store, liveState, scope }, now(), sessionOf(request).user.id, id);
    return null;
  });

  on(app, 'unfollowPatient', async (request) => {
    const scope = scopeOfReader(request);
    const hasEnded = await unfollowPatient(store, sessionOf(request).user.id, request.params.id);
    if (!hasEnded) {
      // Their own row goes wherever the patient is; of one whom they do not follow they learn nothing.
      requirePatient(liveState, request.params.id, scope);
    }
    return null;
  });

  on(app, 'markFollowedSeen', async (request) => {
    const { id } = requirePatient(liveState, request.params.id, scopeOfReader(request));
    await markFollowedSeen(store, sessionOf(request).user.id, id, request.body);
    return null;
  });
}
