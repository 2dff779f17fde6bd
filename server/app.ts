import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import cookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { alertPathHeader, alertPathText, notStoredHeader } from '../lib/alerts/alertPath';
import { calls } from '../lib/api/calls';
import { routePattern } from '../lib/monitoring/routePattern';
import { release } from '../lib/release';
import { createAlertPathWatch } from './alertPath';
import { AlertFaults } from './alerts/alertFaults';
import { loadAlerts } from './alerts/alerts';
import { alertSettingsRoutes } from './alerts/alertSettingsRoutes';
import { alertHistoryRoutes } from './alerts/historyRoutes';
import { chartMarkRoutes } from './alerts/chartMarkRoutes';
import { limitRoutes } from './alerts/limitRoutes';
import { pauseRoutes } from './alerts/pauseRoutes';
import { createPreviews } from './alerts/previews';
import { alertActionRoutes } from './alerts/actionRoutes';
import { alertRoutes } from './alerts/routes';
import { loadAssignments } from './assignments/commands';
import { assignmentRoutes } from './assignments/routes';
import { createViewAudit } from './audit/createViewAudit';
import { openLateRows } from './audit/lateRows';
import { createRejectionLog } from './audit/rejectionLog';
import { auditRoutes } from './audit/routes';
import { breakGlassRoutes } from './breakGlass/routes';
import { checkInRoutes } from './checkIn/routes';
import { createChat } from './chat/chat';
import { chartRoutes } from './chart/routes';
import { chatRoutes } from './chat/routes';
import { createClock, type Clock } from './clock/clock';
import { createClockWatch, settlingFor } from './clock/clockWatch';
import { loadEra } from './clock/era';
import { moveAtStart } from './clock/moveAtStart';
import { slowFlushMs } from './db/measureFlush';
import type { Store } from './db/open';
import { createSerialQueue } from './db/serialQueue';
import { untilHung } from './db/untilHung';
import type { Env } from './env';
import { createEvents } from './events/events';
import { eventRoutes } from './events/routes';
import { installAccess, requirePolicies } from './http/access';
import { apiDocument } from './http/apiDocument';
import { createAfterReply } from './http/afterReply';
import { createBudget } from './http/budget';
import type { Connections } from './http/connections';
import { installErrors, rejectUpgrade, sendError } from './http/errors';
import { dataPolicy, documentationPolicy, fixedHeadersOf } from './http/headers';
import { letFinish } from './http/letFinish';
import { rejectOddRequest } from './http/oddRequests';
import { requireEveryCall } from './http/on';
import { parseJson, textOf } from './http/parseJson';
import { createPort, type Port } from './http/port';
import { isOverHttps, requireHttps } from './http/requireHttps';
import { createStrangerTurns, type StrangerTurns } from './http/strangerTurns';
import { createTurns } from './http/turns';
import { validatorCompiler } from './http/validatorCompiler';
import { notFound, HttpError } from './http/httpError';
import { aliveRoute, healthRoutes } from './health';
import { deviceAlarmRoutes } from './deviceAlarms/routes';
import { createTakeAlarms } from './deviceAlarms/takeAlarms';
import { findDevice } from './devices/findDevice';
import { deviceRoutes } from './devices/routes';
import { heldValuesRoutes } from './hl7/heldValues';
import { createHl7 } from './hl7/hl7';
import { createRawMessages } from './hl7/rawMessages';
import { createReplay } from './hl7/replay';
import { hl7Routes } from './hl7/routes';
import { loadSenders } from './hl7/senders';
import { createSources } from './hl7/sources';
import { loadBedMappings, loadCodeMappings } from './mappings/mappings';
import { loadMrnAuthorities } from './site/mrnAuthorities';
import { mappingRoutes } from './mappings/routes';
import { withdrawLeft } from './checkIn/reportReadings';
import { createRecorder } from './ingest/record';
import { ingestRoutes } from './ingest/routes';
import { keepErrorEvent, serverErrorEvent } from './monitoring/errorEvents';
import { createFaultBudget } from './monitoring/faultBudget';
import { monitoringRoutes } from './monitoring/routes';
import type { ServerReporter } from './monitoring/serverReporter';
import { createMailer } from './mail/mailer';
import { createMetrics } from './metrics';
import { createDemo } from './demo/demo';
import { createDiskWatch } from './disk/diskWatch';
import { writeDemoCharts } from './demo/demoCharts';
import { writeDemoSymptoms } from './demo/demoSymptoms';
import { writeDemoHandoffs, writeDemoNotes } from './demo/demoRecord';
import { writeDemoReports } from './demo/demoReports';
import { demoRoutes } from './demo/routes';
import { createBoard } from './patients/board';
import { patientRoutes } from './patients/routes';
import { exportRoutes } from './export/routes';
import { followRoutes } from './follows/routes';
import { handoffRoutes } from './handoffs/routes';
import { noteRoutes } from './notes/routes';
import { reportRoutes } from './reports/routes';
import { symptomRoutes } from './symptoms/routes';
import { symptomStripRoutes } from './symptoms/stripRoutes';
import { symptomsTodayRoutes } from './symptoms/todayRoutes';
import { accountRoutes } from './session/accountRoutes';
import { profileRoutes } from './profile/routes';
import { sessionRoutes } from './session/routes';
import { secretOf } from './session/cookies';
import { createPasswords, type PasswordCost } from './session/passwords';
import { loadSessions } from './session/sessions';
import { hasNoUser } from './session/users';
import { unitRoutes } from './units/routes';
import { readableSecret } from './session/readableSecret';
import type { App, Server } from './server';
import { createStorageWatch } from './storageWatch';
import { siteRoutes } from './site/routes';
import { userRoutes } from './users/routes';
import { createThrottle, networkOf } from './session/throttle';
import { throttleKey } from './session/throttleKey';
import { restoreRollups } from './vitals/rollups';
import { vitalsRoutes } from './vitals/routes';
import { wallRoutes } from './wall/routes';
import { loadWard } from './loadWard';

/** In milliseconds. */
const flushWithinMs = 2_000;

interface CommonParts {
  env: Env;
  store: Store;
  log: Logger;
  /** The clock of the process, its own unless a test moves it. */
  clock?: Clock;
  /** Sends the server's own errors to the operator's receiver. Without it they are stored. */
  reporter?: ServerReporter | null;
  /** Adds the pages. Without it (API tests) every other address is a 404. */
  pages?: (app: App, server: Server, turns: StrangerTurns) => Promise<void>;
}

/**
 * `port`: the product's, which is bound already and is opened once the app is ready. Without it Fastify binds one that
 * is open, and the hashes of passwords may cost less, which tests want and the product cannot have.
 */
export type AppParts = CommonParts &
  ({ port: Port; passwordCost?: undefined } | { port?: undefined; passwordCost?: PasswordCost });

/**
 * Builds the server on an open store: loads the live state and adds the routes. Rejects if a route has no entry in the
 * policy table.
 */
export async function createApp(parts: AppParts): Promise<{ app: App; server: Server }> {
  const { env, store, log, clock = createClock(), reporter = null, pages } = parts;
  const { now, elapsed } = clock;
  const port = parts.port ?? createPort({ env, log, elapsed });
  const faults = new AlertFaults(log);
  if (store.flushMs > slowFlushMs) {
    log.warn(
      { flushMs: Math.round(store.flushMs) },
      `the disk with the data takes more than ${slowFlushMs} ms for a flush: every call of a device waits for one`,
    );
  }
  const { step, heardAt } = await moveAtStart(store, clock);
  const settlingForMs = await settlingFor(store, now());
  const era = await loadEra(store.db);
  const liveState = await loadWard(store, faults, now());
  await loadAssignments(store, liveState, now());
  const rollups = await restoreRollups(store, liveState, now, log);
  const sessions = await loadSessions(store, now, elapsed);
  const alerts = await loadAlerts({ store, liveState, faults, sessions, now, step });
  sessions.onChange(alerts.sessionsChanged);
  const alertPath = createAlertPathWatch(now, elapsed);
  const storage = createStorageWatch(store, now, elapsed);
  const passwords = createPasswords(parts.passwordCost);
  const chat = env.stream === null ? null : createChat({ key: env.stream, store, liveState, log, now });
  sessions.onAllEnded((userId) => chat?.revoke(userId));
  const lateRows = await openLateRows(store, env.dataDir, now);
  const { auditView, flushSearches } = createViewAudit({ lateRows, now, elapsed });
  const mayReport = createFaultBudget(elapsed);
  const recorder = createRecorder(store, liveState, rollups, alerts, { elapsed, letOthers: port.connections.letIn });
  const senders = await loadSenders(store);
  const beds = await loadBedMappings(store);
  const codes = await loadCodeMappings(store);
  const mrnAuthorities = await loadMrnAuthorities(store);
  const server: Server = {
    env,
    store,
    liveState,
    sessions,
    passwords,
    throttle: createThrottle(store, throttleKey(env.dataDir), now, elapsed),
    rollups,
    alerts,
    faults,
    // Compiled beside the server (scripts/bundle.mjs), whatever runs it.
    previews: createPreviews({ file: join(process.cwd(), 'dist/previewWorker.js'), log }),
    alertPath,
    storage,
    disk: createDiskWatch({ store, dataDir: env.dataDir, alerts, sessions, log, elapsed }),
    recorder,
    takeAlarms: createTakeAlarms(store, liveState),
    beds,
    codes,
    mrnAuthorities,
    hl7: createHl7(env.hl7, senders, () => server),
    sources: createSources({ store, liveState, beds, codes, now }),
    rawMessages: createRawMessages({ env, storage, log, elapsed }),
    hl7Replay: createReplay(() => server),
    clockWatch: createClockWatch({
      ...{ clock, settlingForMs, heardAt, era, store, liveState, sessions, recorder, alerts, log },
    }),
    board: createBoard(liveState, now),
    events: createEvents({ liveState, sessions, alerts, alertPath, storage, now }),
    metrics: createMetrics(liveState, store, alertPath, faults, now),
    mailer: createMailer(env, log, now),
    afterReply: createAfterReply(log),
    lateRows,
    accountQueue: createSerialQueue(),
    log,
    setup: { code: (await hasNoUser(store)) ? readableSecret() : null },
    demo: createDemo({
      store,
      liveState,
      passwords,
      alerts,
      log,
      now,
      record: {
        notes: async (siteId) => {
          await writeDemoNotes(server, siteId);
          await writeDemoReports(server, siteId);
          await writeDemoCharts(server, siteId);
          await writeDemoSymptoms(server, siteId);
        },
        handoffs: (siteId) => writeDemoHandoffs(server, siteId),
      },
    }),
    chat,
    now,
    elapsed,
    reportFault: (error, route) => {
      const id = randomUUID().replaceAll('-', '');
      const page = routePattern(route);
      if (!mayReport(`${error instanceof Error ? error.name : typeof error} ${page}`)) {
        server.metrics.withheldFaults.inc();
      } else if (reporter !== null) {
        reporter.send(error, page, id);
      } else {
        keepErrorEvent(store.db, now(), serverErrorEvent(error, page, release, id), null).catch(() => {
          log.warn('an error report could not be kept');
        });
      }
      return id;
    },
    auditView,
    flushSearches,
  };

  await withdrawLeft(server, now()).catch((error: unknown) => {
    log.error({ code: error instanceof Error ? error.name : 'unknown' }, 'readings entered in error are still counted');
  });

  const loggerInstance: FastifyBaseLogger = log;
  const app: App = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: env.trustedProxies.length > 0 ? env.trustedProxies : false,
    serverFactory: (handler) => {
      if (parts.port === undefined) {
        port.open(handler);
      }
      return port.server;
    },
    bodyLimit: 1_048_576,
    // A machine that is busy with its own start needs longer than Fastify's 10 s to prepare the pages.
    pluginTimeout: 0,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 100, ignoreTrailingSlash: false },
    // A malformed address reaches no hook, and a malformed request reaches no route: the port rejects it.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply, server);
      void sendError(error, request, reply);
    },
    clientErrorHandler: () => undefined,
  }).withTypeProvider<ZodTypeProvider>();
  app.addHook('onReady', (done) => {
    store.beginServing();
    done();
  });
  server.metrics.countConnections(port.connections);
  server.metrics.countWaiting(recorder.waitingRows);
  server.metrics.measureDisk(server.disk.space);
  // First of all hooks: what the others refuse has these headers too.
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply, server);
    done();
  });
  app.addHook('onRequest', rejectOddRequest);
  // In production no one listens for upgrades, so Node treats these requests like any other, with all its limits.
  if (!env.dev) {
    app.addHook('onRequest', rejectUpgrade);
  }

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // A logger for each request costs more than the response to a poll. The few log calls that need the id pass it.
  app.setChildLoggerFactory((logger) => logger);
  installErrors(app, { onFault: server.reportFault, onRejection: createRejectionLog(store, log, server) });
  requirePolicies(app);
  aliveRoute(app);
  await app.register(async (scope: App) => {
    await addRoutes(scope, server, port.connections, pages);
  });
  return { app, server };
}

/** Begins what the first request may find at work. Call it once the port is open to it. */
export async function opened(app: App, { alertPath, storage, demo, hl7 }: Server): Promise<void> {
  alertPath.started();
  storage.started();
  await hl7.listen();
  const address = app.server.address();
  if (typeof address === 'object' && address !== null) {
    await demo.listening(address);
  }
}

/**
 * So many calls of devices begin in a turn of the event loop. Looking a device up, and mostly refusing its call, takes
 * about a millisecond: 500 monitors that call at once would take the thread for half a second.
 */
const deviceCallsPerTurn = 16;

/** A page or document for a stranger is ready and written within this time, in milliseconds, if its client reads. */
const strangerTurnMs = 250;
/** So many requests begin in a turn of the event loop: each takes some tenths of a millisecond. */
const requestsPerTurn = 16;

/** Adds all routes except the health check, behind the hooks for access and logs. */
async function addRoutes(app: App, server: Server, connections: Connections, pages: AppParts['pages']): Promise<void> {
  const { env, store, liveState, sessions, now, elapsed } = server;
  const [ofDevices, ofOthers] = [createTurns(deviceCallsPerTurn), createTurns(requestsPerTurn)];
  const inStrangerTurn = createStrangerTurns(strangerTurnMs, connections.letIn);
  const turns: StrangerTurns = async (request, work) => {
    const release = connections.hold(request.raw.socket);
    return await inStrangerTurn(networkOf(request.ip), () => {
      release();
      return work();
    });
  };
  await app.register(cookie);
  app.addHook('onRequest', (request, reply, done) => {
    if (connections.isReserved(request.raw.socket)) {
      void reply.header('Connection', 'close');
      done(new HttpError(503, 'too_many_connections', 'Too many connections are open.', { retryAfter: 2 }));
      return;
    }
    requireHttps(request, env);
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const go = (): void => {
      // Nothing is done for a client that has gone meanwhile.
      if (!request.raw.socket.destroyed) {
        done();
      }
    };
    if (request.routeOptions.config.policy?.who === 'device') {
      // In their order: the ingest call has shares of its own (limitCalls, waitingParts).
      ofDevices('', go);
    } else {
      ofOthers(networkOf(request.ip), go);
    }
  });
  installBodies(app);
  installAccess(app, {
    secretOf: (request) => secretOf(request, env),
    findSession: (token, secret) => sessions.find(token, secret),
    isLocked: (session) => sessions.isLocked(session),
    findDevice: async (authorization) => {
      const row = await findDevice(store.db, now(), authorization, liveState.devices);
      return { id: row.id, siteId: row.site_id, row };
    },
    mayCall: createBudget(env.sessionCallsPerMinute, elapsed),
    publicUrl: env.publicUrl,
  });
  installRequestLog(app, server);
  app.addHook('onListen', () => opened(app, server));
  app.addHook('preClose', async () => {
    await server.demo.stop();
    server.chat?.stop();
    server.previews.stop();
    letFinish(app.server, connections.open);
    // What it has taken is committed and acknowledged before the recorder ends.
    await server.hl7.stop();
    server.events.close();
    await server.afterReply.idle();
    await server.recorder.idle();
    // A disk that does not respond holds up no stop.
    await untilHung(flushWithinMs, () => server.rawMessages.flush()).catch(() => undefined);
    // Fastify closes only what it has bound itself.
    await new Promise<void>((resolve) => {
      app.server.close(() => {
        resolve();
      });
    });
  });
  app.addHook('onClose', async () => {
    await server.flushSearches(true).catch((error: unknown) => {
      const code = error instanceof Error ? error.name : 'unknown';
      server.log.error({ code }, 'the last searches could not be recorded');
    });
  });

  await app.register(swagger, {
    openapi: {
      info: { title: 'Wardlight', description: 'The calls of pages and devices.', version: '2' },
      components: { securitySchemes: { device: { type: 'http', scheme: 'bearer' } } },
    },
    ...apiDocument,
  });
  // Each once: they are a megabyte, anybody may ask for them, and to write one takes the thread 60 ms.
  const documents = new Map<string, Buffer>();
  const sendDocument = (request: FastifyRequest, reply: FastifyReply, form: 'json' | 'yaml'): Promise<FastifyReply> =>
    turns(request, async () => {
      const bytes =
        documents.get(form) ??
        Buffer.from(form === 'json' ? JSON.stringify(app.swagger()) : app.swagger({ yaml: true }));
      documents.set(form, bytes);
      void reply.type(form === 'json' ? 'application/json; charset=utf-8' : 'application/x-yaml').send(bytes);
      await finished(reply.raw).catch(() => undefined);
      return reply;
    });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: documentationPolicy,
    uiHooks: {
      preHandler: (request, reply, done) => {
        const form = (['json', 'yaml'] as const).find((name) => request.routeOptions.url === `/api/docs/${name}`);
        if (form === undefined) {
          done();
        } else {
          sendDocument(request, reply, form).catch(done);
        }
      },
    },
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, (request, reply) => sendDocument(request, reply, 'json'));

  healthRoutes(app, server);
  sessionRoutes(app, server);
  accountRoutes(app, server);
  userRoutes(app, server);
  await profileRoutes(app, server);
  demoRoutes(app, server);
  patientRoutes(app, server);
  symptomRoutes(app, server);
  checkInRoutes(app, server);
  symptomStripRoutes(app, server);
  deviceAlarmRoutes(app, server);
  heldValuesRoutes(app, server);
  symptomsTodayRoutes(app, server);
  exportRoutes(app, server);
  followRoutes(app, server);
  handoffRoutes(app, server);
  reportRoutes(app, server);
  chartRoutes(app, server);
  noteRoutes(app, server);
  alertRoutes(app, server);
  alertHistoryRoutes(app, server);
  alertActionRoutes(app, server);
  chartMarkRoutes(app, server);
  limitRoutes(app, server);
  alertSettingsRoutes(app, server);
  pauseRoutes(app, server);
  vitalsRoutes(app, server);
  wallRoutes(app, server);
  await monitoringRoutes(app, server);
  unitRoutes(app, server);
  deviceRoutes(app, server);
  assignmentRoutes(app, server);
  breakGlassRoutes(app, server);
  chatRoutes(app, server);
  await ingestRoutes(app, server, connections);
  eventRoutes(app, server);
  auditRoutes(app, server);
  siteRoutes(app, server);
  hl7Routes(app, server);
  mappingRoutes(app, server);
  requireEveryCall(app);
  if (pages !== undefined) {
    await pages(app, server, turns);
  }
  app.setNotFoundHandler(() => {
    throw notFound();
  });
}

/** Sets the headers that every response has. */
function setHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  { env, alertPath, storage, now }: Pick<Server, 'env' | 'alertPath' | 'storage' | 'now'>,
): void {
  void reply
    .headers(fixedHeadersOf(isOverHttps(request, env)))
    .header('x-server-time', String(now()))
    .header(alertPathHeader, alertPathText(alertPath.read()))
    .header('x-request-id', request.id);
  const notStoredSince = storage.notStoredSince();
  // Only while nothing can be stored.
  if (notStoredSince !== null) {
    void reply.header(notStoredHeader, String(notStoredSince));
  }
  // Uses the route pattern if there is one, because an address can be written in more than one way.
  const address = request.routeOptions.url === '*' ? request.url : (request.routeOptions.url ?? request.url);
  if (address.startsWith('/api/') && !address.startsWith('/api/docs')) {
    void reply.header('content-security-policy', dataPolicy);
  }
}

/** Accepts JSON bodies only, parsed by parseJson and without content encoding. */
function installBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(textOf(body)));
    } catch (error) {
      done(error instanceof Error ? error : new HttpError(400, 'malformed_json', 'The body is not JSON.'));
    }
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const encoding = request.headers['content-encoding'];
    const plain = encoding === undefined || encoding.toLowerCase() === 'identity';
    done(plain ? undefined : new HttpError(415, 'unsupported_encoding', 'Send the body without Content-Encoding.'));
  });
}

/**
 * Logs one line a request by its route pattern, because an address may name a patient. Frequent calls of pages and
 * devices are left out.
 */
function installRequestLog(app: App, { metrics, log }: Server): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    metrics.observe(request.method, route, status, reply.elapsedTime / 1000);
    const isRoutine =
      request.method === 'GET' ||
      route === calls.updateLastActive.path ||
      request.routeOptions.config.policy?.who === 'device';
    const level = status >= 500 ? 'error' : isRoutine && status < 400 ? 'debug' : 'info';
    if (log.isLevelEnabled(level)) {
      log[level](
        { requestId: request.id, method: request.method, route, status, ms: Math.round(reply.elapsedTime) },
        'request',
      );
    }
    done();
  });
}
