import { on } from '../http/on';
import type { App, Server } from '../server';
import { renewDisplay } from '../session/renewDisplay';
import { readWall } from './readWall';

/** The wall of a unit, which also keeps the session of a display alive. */
export function wallRoutes(app: App, server: Server): void {
  on(app, 'readWall', async (request, reply) => {
    const { after, ...query } = request.query;
    await renewDisplay(server, request, reply);
    const wall = await readWall(server, request, query);
    return after === wall.version ? { unchanged: true as const, version: wall.version } : wall;
  });
}
