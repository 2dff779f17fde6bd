import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { AlertPathWatch } from './alertPath';
import type { AlertFaults } from './alerts/alertFaults';
import type { Alerts } from './alerts/alerts';
import type { Previews } from './alerts/previews';
import type { View } from './audit';
import type { LateRows } from './audit/lateRows';
import type { Chat } from './chat/chat';
import type { ClockWatch } from './clock/clockWatch';
import type { Store } from './db/open';
import type { SerialQueue } from './db/serialQueue';
import type { Demo } from './demo/demo';
import type { TakeAlarms } from './deviceAlarms/takeAlarms';
import type { DiskWatch } from './disk/diskWatch';
import type { Env } from './env';
import type { Events } from './events/events';
import type { Hl7 } from './hl7/hl7';
import type { RawMessages } from './hl7/rawMessages';
import type { Replay } from './hl7/replay';
import type { Sources } from './hl7/sources';
import type { AfterReply } from './http/afterReply';
import type { Recorder } from './ingest/record';
import type { LiveState } from './liveState';
import type { Mailer } from './mail/mailer';
import type { MrnAuthorities } from './site/mrnAuthorities';
import type { BedMappings, CodeMappings } from './mappings/mappings';
import type { Metrics } from './metrics';
import type { Board } from './patients/board';
import type { Passwords } from './session/passwords';
import type { Sessions } from './session/sessions';
import type { Setup } from './session/setupCode';
import type { Throttle } from './session/throttle';
import type { StorageWatch } from './storageWatch';
import type { Rollups } from './vitals/rollups';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** The parts that routes use. One object, created at start and passed to the routes of each feature. */
export interface Server {
  env: Env;
  store: Store;
  liveState: LiveState;
  sessions: Sessions;
  passwords: Passwords;
  throttle: Throttle;
  alerts: Alerts;
  /** What the alarm path could not read or evaluate since this start. */
  faults: AlertFaults;
  previews: Previews;
  alertPath: AlertPathWatch;
  storage: StorageWatch;
  disk: DiskWatch;
  recorder: Recorder;
  /** Stores what devices say of their own alarms. */
  takeAlarms: TakeAlarms;
  /** Which bed a bed of an HL7 sender is. */
  beds: BedMappings;
  /** What a code of an HL7 sender means. */
  codes: CodeMappings;
  /** Whose numbers in HL7 messages are MRNs. */
  mrnAuthorities: MrnAuthorities;
  /** The door of HL7 gateways. */
  hl7: Hl7;
  /** What measures the values of HL7 senders. */
  sources: Sources;
  /** What gateways sent, as it came. */
  rawMessages: RawMessages;
  /** Withdraws and takes again what HL7 senders sent, by what is known now. */
  hl7Replay: Replay;
  rollups: Rollups;
  board: Board;
  clockWatch: ClockWatch;
  events: Events;
  metrics: Metrics;
  mailer: Mailer;
  afterReply: AfterReply;
  /** The rows of the audit that can wait while nothing can be stored. */
  lateRows: LateRows;
  /**
   * Runs actions that end a user's sessions one after another, so that one that fails cannot bring back a session that
   * another has ended.
   */
  accountQueue: SerialQueue;
  log: Logger;
  /** The code that the first user needs; null once there is a user. */
  setup: Setup;
  demo: Demo;
  /** Null if no key of the chat service is set. */
  chat: Chat | null;
  /** Epoch milliseconds. */
  now: () => number;
  /** Milliseconds since some moment, which setting a clock does not change. */
  elapsed: () => number;
  /** Reports an unexpected error of a route or a page and returns the report's id. */
  reportFault(error: unknown, route: string): string;
  /**
   * Audits a view of patient data before the first response, once a view; while nothing can be stored, in memory.
   * Returns null if it is on record already.
   */
  auditView(request: FastifyRequest, view: View): Promise<void> | null;
  /** Writes the rows of searches that are due; `all`: of all that have none yet. */
  flushSearches(all?: boolean): Promise<void>;
}
