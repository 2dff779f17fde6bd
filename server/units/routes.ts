import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { scopeOf } from '../http/scope';
import { actorOf } from '../audit/actor';
import { on } from '../http/on';
import { createUnit, deleteUnit, renameUnit } from './commands';
import { listUnits, readUnit } from './queries';

/** The units of the user's site. Users with `readUnits` see them; administrators create, rename and delete them. */
export function unitRoutes(app: App, { store, liveState, sessions, now }: Server): void {
  on(app, 'listUnits', async (request) => {
    const session = sessionOf(request);
    const items = await listUnits(store, liveState, session.user.siteId, scopeOf(session, 'readAssignments', now()));
    return { items, total: items.length };
  });

  on(app, 'createUnit', async (request) => {
    const { siteId } = requireScope(request, 'manageSite', now());
    const row = await createUnit(store, liveState, now(), actorOf(request), siteId, request.body.name);
    return await readUnit(store, liveState, row, scopeOf(sessionOf(request), 'readAssignments', now()));
  });

  on(app, 'renameUnit', async (request) => {
    const { siteId } = requireScope(request, 'manageSite', now());
    const row = await renameUnit(
      { store, liveState, sessions },
      now(),
      actorOf(request),
      siteId,
      request.params.id,
      request.body.name,
    );
    return await readUnit(store, liveState, row, scopeOf(sessionOf(request), 'readAssignments', now()));
  });

  on(app, 'deleteUnit', async (request) => {
    const { siteId } = requireScope(request, 'manageSite', now());
    await deleteUnit(store, liveState, now(), actorOf(request), siteId, request.params.id);
  });
}
