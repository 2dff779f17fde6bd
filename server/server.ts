import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { Alerts } from './alerts/alerts';
import type { View } from './audit';
import type { Chat } from './chat/chat';
import type { Store } from './db/open';
import type { SerialQueue } from './db/serialQueue';
import type { Demo } from './demo/demo';
import type { Env } from './env';
import type { Events } from './events/events';
import type { AfterReply } from './http/afterReply';
import type { Recorder } from './ingest/record';
import type { LiveState } from './liveState';
import type { Mailer } from './mail/mailer';
import type { Metrics } from './metrics';
import type { Board } from './patients/board';
import type { Sessions } from './session/sessions';
import type { Setup } from './session/setupCode';
import type { Throttle } from './session/throttle';
import type { Rollups } from './vitals/rollups';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What the routes are made of. One object, made once at start and handed to each word's routes. */
export interface Server {
  env: Env;
  store: Store;
  liveState: LiveState;
  sessions: Sessions;
  throttle: Throttle;
  alerts: Alerts;
  recorder: Recorder;
  rollups: Rollups;
  board: Board;
  events: Events;
  metrics: Metrics;
  mailer: Mailer;
  afterReply: AfterReply;
  /**
   * Acts that end a user's sessions come one after another, so that one that fails gives back none that another ended.
   */
  accountQueue: SerialQueue;
  log: Logger;
  /** The code that the first person needs; null once there is a user. */
  setup: Setup;
  demo: Demo;
  /** Null where no key of the chat service is set. */
  chat: Chat | null;
  /** Epoch milliseconds. */
  now: () => number;
  /** Takes what a route or a page threw that nobody foresaw to where error reports go and returns the report's id. */
  reportFault(error: unknown, route: string): string;
  /** Puts a look at patient data on record before the first answer, once a view; null where it is on record already. */
  auditView(request: FastifyRequest, view: View): Promise<void> | null;
}
