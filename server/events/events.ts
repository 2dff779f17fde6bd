import type { ServerResponse } from 'node:http';
import type { AlertPathEvent } from '../../lib/alerts/alertPathSchema';
import { alertPathTopic, type ServerTopic } from '../../lib/api/serverEvents';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { AlertPathWatch } from '../alertPath';
import type { Alerts } from '../alerts/alerts';
import type { Sessions } from '../session/sessions';
import type { StorageWatch } from '../storageWatch';
import type { LiveState } from '../liveState';

/**
 * How often each stream checks its session, and the least time between two reports of changes, in milliseconds.
 */
const tickMs = 1_000;
/**
 * After this many ticks each stream says that the alarm path works: at least every 5 s (docs/alerts/calls.md). It also
 * keeps proxies from closing the stream.
 */
const alertPathTicks = 4;
/** The most bytes that may wait for a slow browser. Beyond it the stream ends; the page polls and connects again. */
const mostWaiting = 1_048_576;
/**
 * The most streams of one session, which is one browser. Over HTTP/1.1 a browser has six connections to a server, and
 * each stream takes one: with six of them no poll would get through.
 */
const mostStreams = 3;

interface Stream {
  token: string;
  /** The user as last sent to the page. */
  user: User;
  response: ServerResponse;
  /** Opened by a locked session: it says nothing about patients, and ends when the session is unlocked. */
  isLocked: boolean;
  sentVersion: number;
  ticks: number;
}

export interface Events {
  /** Returns whether a session may have one more stream. */
  hasRoom(token: string): boolean;
  add(stream: Omit<Stream, 'ticks'>): void;
  /** Ends all streams. */
  close(): void;
}

interface EventsParts {
  liveState: LiveState;
  sessions: Pick<Sessions, 'get' | 'isLocked' | 'onChange'>;
  alerts: Pick<Alerts, 'onChange'>;
  alertPath: Pick<AlertPathWatch, 'read'>;
  storage: Pick<StorageWatch, 'notStoredSince'>;
  /** Epoch milliseconds. */
  now: () => EpochMs;
}

/**
 * Creates the server-sent events. They contain no data of patients, only which topic has a newer version, so that a
 * page refreshes at once; without them a page only polls. The topic `session` is sent when the user of a stream was
 * changed, and when the session was ended, locked or unlocked, which also ends its streams. A locked session's own
 * streams have `alerts` and `alertPath` alone besides.
 */
export function createEvents({ liveState, sessions, alerts, alertPath, storage, now }: EventsParts): Events {
  const streams = new Set<Stream>();

  const alertPathNow = (): string => {
    const event: AlertPathEvent = {
      topic: alertPathTopic,
      serverTime: now(),
      ...alertPath.read(),
      notStoredSince: storage.notStoredSince(),
    };
    return eventText(event);
  };

  const end = (stream: Stream): void => {
    streams.delete(stream);
    stream.response.end();
  };

  /** Reports a change of its session to a stream. Returns false if the stream has ended with the session. */
  const goesOn = (stream: Stream): boolean => {
    const session = sessions.get(stream.token);
    const isSame = session !== null && sessions.isLocked(session) === stream.isLocked;
    if (!isSame || session.user !== stream.user) {
      stream.response.write(eventText({ topic: 'session' }));
    }
    if (!isSame) {
      end(stream);
      return false;
    }
    stream.user = session.user;
    return true;
  };

  const tick = (stream: Stream): void => {
    if (!goesOn(stream)) {
      return;
    }
    if (stream.response.writableLength > mostWaiting) {
      streams.delete(stream);
      stream.response.destroy();
      return;
    }
    const version = liveState.version(stream.user.siteId);
    stream.ticks += 1;
    if (version !== stream.sentVersion && !stream.isLocked) {
      stream.sentVersion = version;
      stream.response.write(eventText({ topic: 'patients', version }));
    }
    if (stream.ticks % alertPathTicks === 0) {
      stream.response.write(alertPathNow());
    }
  };

  const timer = setInterval(() => {
    for (const stream of streams) {
      tick(stream);
    }
  }, tickMs);
  timer.unref();
  sessions.onChange(() => {
    for (const stream of streams) {
      goesOn(stream);
    }
  });

  // At once, not with the next tick: an alert must not lose a second on its way to the screen.
  const stopListening = alerts.onChange((siteId, version) => {
    for (const stream of streams) {
      if (stream.user.siteId === siteId && (can(stream.user, 'readAlerts') || can(stream.user, 'readWall'))) {
        stream.response.write(eventText({ topic: 'alerts', version }));
      }
    }
  });

  return {
    hasRoom: (token) => [...streams].filter((stream) => stream.token === token).length < mostStreams,
    add: (given) => {
      const stream = { ...given, ticks: 0 };
      streams.add(stream);
      stream.response.write(alertPathNow());
      stream.response.on('close', () => streams.delete(stream));
    },
    close: () => {
      clearInterval(timer);
      stopListening();
      for (const stream of streams) {
        end(stream);
      }
    },
  };
}

function eventText(event: { topic: ServerTopic; version?: number } | AlertPathEvent): string {
  return `event: ${event.topic}\ndata: ${JSON.stringify(event)}\n\n`;
}
