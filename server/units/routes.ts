import type { App, Server } from '../server';
import { sessionOf } from '../http/access';
import { scopeOf } from '../http/scope';
import { on } from '../http/on';
import { writerOf } from '../patients/writerOf';
import { createUnit, deleteUnit, renameUnit } from './commands';
import { listUnits, readUnit } from './queries';

/** The units of the user's site. Users with `readUnits` see them; administrators create, rename and delete them. */
export function unitRoutes(app: App, server: Server): void {
  const { store, liveState, sessions, now } = server;
  on(app, 'listUnits', async (request) => {
    const session = sessionOf(request);
    const items = await listUnits(store, liveState, session.user.siteId, scopeOf(session, 'readAssignments', now()));
    return { items, total: items.length };
  });

  on(app, 'createUnit', async (request) => {
    const row = await createUnit(writerOf(server, request, 'manageSite'), request.body.name);
    return await readUnit(store, liveState, row, scopeOf(sessionOf(request), 'readAssignments', now()));
  });

  on(app, 'renameUnit', async (request) => {
    const writer = writerOf(server, request, 'manageSite');
    const row = await renameUnit(writer, sessions, request.params.id, request.body.name);
    return await readUnit(store, liveState, row, scopeOf(sessionOf(request), 'readAssignments', now()));
  });

  on(app, 'deleteUnit', (request) => deleteUnit(writerOf(server, request, 'manageSite'), request.params.id));
}
