import type { FastifyReply, FastifyRequest } from 'fastify';
import { serverEventsPath } from '../../lib/api/serverEvents';
import { sessionOf } from '../http/access';
import { checkStreamOrigin } from '../http/csrf';
import { handOverHeaders } from '../http/headers';
import type { App, Server } from '../server';

/**
 * `GET /api/v2/events`: the stream of a signed-in page, or of a lock screen. A session with enough streams gets 204:
 * browsers stop then.
 */
export function eventRoutes(app: App, { events, liveState, sessions }: Server): void {
  const schema = {
    description:
      'A stream of server-sent events, named by their topic: patients, {"topic":"patients","version":1}, when ' +
      'there is something new to read; alerts, in the same form, as soon as an alert was raised or changed; ' +
      'session when the session has ended, was locked or unlocked; alertPath, at least every 5 s, with when the ' +
      'clock evaluation and the heartbeat last succeeded, in epoch milliseconds. A locked session gets no patients. ' +
      '204 if the session has three streams already.',
  };
  // Without a body there is nothing to stream, so HEAD is not offered.
  app.get(serverEventsPath, { exposeHeadRoute: false, schema }, (request: FastifyRequest, reply: FastifyReply) => {
    checkStreamOrigin(request);
    const session = sessionOf(request);
    const { token, user } = session;
    if (!events.hasRoom(token)) {
      void reply.code(204).send();
      return;
    }
    handOverHeaders(reply);
    void reply.hijack();
    // A stream must not wait for anything that buffers on the way.
    reply.raw.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
    reply.raw.write('retry: 5000\n\n');
    events.add({
      token,
      user,
      response: reply.raw,
      isLocked: sessions.isLocked(session),
      sentVersion: liveState.version(user.siteId),
    });
  });
}
