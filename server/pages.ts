import { createServer } from 'node:http';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import next from 'next';
import type { PageContext, PageRequest } from '../lib/api/pageContext';
import { maxPageSize } from '../lib/api/pageSize';
import { routePattern } from '../lib/monitoring/routePattern';
import { isDisplay } from '../lib/session/isDisplay';
import { listAlerts } from './alerts/listAlerts';
import { idsOf } from './audit/createViewAudit';
import type { App, Server } from './server';
import { addBuiltFiles } from './builtFiles';
import { closedToDisplay, isClosedToDisplay } from './http/displayPages';
import { placesOf } from './http/errors';
import { HttpError } from './http/httpError';
import { scopeOf } from './http/scope';
import type { StrangerTurns } from './http/strangerTurns';
import { handOverHeaders, newNonce, pagePolicy } from './http/headers';
import { presentPatient } from './patients/queries';
import { filtersOf, listQueryOf } from './patients/listQuery';
import { secretOf } from './session/cookies';
import { hasNoUser } from './session/users';
import { readWall } from './wall/readWall';

/**
 * Passes every other address to Next, in its own Fastify scope without body parsers. Next's copies of our modules do
 * not see this process's state, so pages get it as `req.wardlight`.
 */
export async function addPages(app: App, server: Server, turns: StrangerTurns): Promise<void> {
  const { env, sessions, liveState, board, now, store, log, auditView } = server;
  const reportsTo = env.sentryDsn?.href ?? null;
  // Quiet, because Next prints the text of a page's error, which may quote a patient's values.
  const renderer = next({
    quiet: !env.dev,
    dev: env.dev,
    dir: process.cwd(),
    hostname: env.host,
    port: env.port,
    // Next listens for upgrades on this server, does nothing with them in production, and leaves each connection open.
    // Without a server it would use that of the first request, so it gets one that never listens.
    httpServer: env.dev ? app.server : createServer(),
  });
  await renderer.prepare();
  const handle = renderer.getRequestHandler();
  if (!env.dev) {
    await addBuiltFiles(app, join(process.cwd(), '.next/static'));
  }

  const renderPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    session: ReturnType<typeof sessions.find>,
  ): Promise<FastifyReply> => {
    const { raw } = request;
    // A client that is gone needs no page any more.
    if (raw.socket.destroyed) {
      return reply.hijack();
    }
    handOverHeaders(reply);
    void reply.hijack();
    const nonce = newNonce();
    const policy = pagePolicy(nonce, env.dev, env.stream !== null);
    // Next reads the nonce for its scripts from this request header. A value that a client sent is overwritten.
    raw.headers['content-security-policy'] = policy;
    raw.headers['x-nonce'] = nonce;
    reply.raw.setHeader('Content-Security-Policy', policy);
    request.session = session;
    const isLocked = session !== null && sessions.isLocked(session);
    const reads = session === null || isLocked ? null : scopeOf(session, 'readPatients', now());
    const context: PageContext = {
      user: session?.user ?? null,
      isLocked,
      lastInputAt: session?.lastInputAt ?? null,
      // That of a display has no end of its own.
      sessionEndsAt: session === null || isDisplay(session.user) ? null : session.expiresAt,
      setupNeeded: server.setup.code !== null && (await hasNoUser(store)),
      now: now(),
      chatKey: env.stream?.key ?? null,
      insecureTransport: env.allowHttp && request.protocol !== 'https',
      reportsTo,
      reportFault: (error) => {
        const report = server.reportFault(error, request.url);
        const fault = error instanceof Error ? error.name : typeof error;
        log.error(
          { requestId: request.id, report, page: routePattern(request.url), fault, stack: placesOf(error) },
          'page failed',
        );
        return report;
      },
      readPatients: async (asked) => {
        if (session === null || reads === null) {
          return null;
        }
        const query = listQueryOf(liveState, session.user, asked, now());
        const snapshot = board(reads, query);
        await auditView(request, {
          action: 'list_patients',
          queryKey: snapshot.queryKey,
          details: {
            count: snapshot.page.total,
            filters: filtersOf(query),
            patientIds: idsOf(snapshot.page.items),
          },
        });
        return snapshot.page;
      },
      readPatient: async (id) => {
        const row = reads === null ? null : liveState.patientInScope(id, reads);
        if (row === null) {
          return null;
        }
        await auditView(request, { action: 'read_patient', patientId: row.id });
        return presentPatient(liveState, row, now());
      },
      readWall: async (unit) => {
        if (session === null || isLocked || scopeOf(session, 'readWall', now()) === null) {
          return null;
        }
        try {
          return await readWall(server, request, { unit: unit ?? undefined });
        } catch (error) {
          if (error instanceof HttpError && error.status === 404) {
            return null;
          }
          throw error;
        }
      },
      readOpenAlerts: async () => {
        if (session === null || isLocked || scopeOf(session, 'readAlerts', now()) === null) {
          return null;
        }
        const open = await listAlerts(server, request, { state: 'open', page: 1, pageSize: maxPageSize });
        return 'unchanged' in open ? null : open;
      },
    };
    const pageRequest: PageRequest = Object.assign(raw, { wardlight: context });
    await handle(pageRequest, reply.raw);
    return reply;
  };

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => {
      done(null);
    });
    await Promise.resolve();
    scope.route({
      method: ['GET', 'HEAD'],
      url: '*',
      schema: { hide: true },
      handler: async (request, reply) => {
        const { raw } = request;
        // An unknown API address gets a JSON response, not a page.
        if (/^\/(api\/|monitoring([/?]|$))/.test(raw.url ?? '')) {
          reply.callNotFound();
          return reply;
        }
        const session = sessions.find(request.cookies.token, secretOf(request, env));
        if (session !== null && isDisplay(session.user) && isClosedToDisplay(raw.url ?? '')) {
          return reply.code(403).type('text/html; charset=utf-8').send(closedToDisplay);
        }
        const render = () => renderPage(request, reply, session);
        return session === null ? await turns(request, render) : await render();
      },
    });
  });
  app.addHook('onClose', async () => {
    await renderer.close();
  });
}
