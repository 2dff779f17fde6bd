import type { ServerResponse } from 'node:http';
import type { ServerTopic } from '../../lib/api/serverEvents';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import type { Alerts } from '../alerts/alerts';
import type { Sessions } from '../session/sessions';
import type { LiveState } from '../liveState';

/**
 * How often each stream looks whether its session still lives, and the most often that it tells of a change, in
 * milliseconds.
 */
const tickMs = 1_000;
/** A line without meaning this often keeps proxies from closing a quiet stream, in ticks. */
const keepAliveTicks = 15;
/** A browser that reads slower than this (bytes waiting) is let go: it comes back by itself and polls meanwhile. */
const mostWaiting = 1_048_576;
/**
 * Streams of one session, which is one browser. Over HTTP/1.1 a browser has six connections to a server, and a stream
 * keeps one for itself: with six open no poll would get through and every page would say that it is not live.
 */
const mostStreams = 3;

interface Stream {
  token: string;
  /** The user as last sent to the page. */
  user: User;
  response: ServerResponse;
  sentVersion: number;
  ticks: number;
}

export interface Events {
  /** Whether a session may have one more stream. */
  hasRoom(token: string): boolean;
  add(stream: Omit<Stream, 'ticks'>): void;
  /** Ends every stream and stops looking. */
  close(): void;
}

/**
 * Server-sent events. They carry no data, only which topic has a newer version, so that a page refreshes at once; a
 * page that cannot have them loses nothing but speed. The topic `session` is sent at once when the user of a stream was
 * changed, and when the session was ended or locked, with which its streams end.
 */
export function createEvents(
  liveState: LiveState,
  sessions: Pick<Sessions, 'get' | 'isLocked' | 'onChange'>,
  alerts: Pick<Alerts, 'onChange'>,
): Events {
  const streams = new Set<Stream>();

  const end = (stream: Stream): void => {
    streams.delete(stream);
    stream.response.end();
  };

  /** Tells a stream what became of its session, and says whether the stream goes on. */
  const goesOn = (stream: Stream): boolean => {
    const session = sessions.get(stream.token);
    const isOpen = session !== null && !sessions.isLocked(session);
    if (!isOpen || session.user !== stream.user) {
      stream.response.write(eventText('session', {}));
    }
    if (!isOpen) {
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
    if (version !== stream.sentVersion) {
      stream.sentVersion = version;
      stream.response.write(eventText('patients', { version }));
    } else if (stream.ticks % keepAliveTicks === 0) {
      stream.response.write(': still here\n\n');
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

  // Not with the next tick: between a patient in danger and the screen no second is to be lost.
  const stopListening = alerts.onChange((siteId, version) => {
    for (const stream of streams) {
      if (stream.user.siteId === siteId && can(stream.user, 'readAlerts')) {
        stream.response.write(eventText('alerts', { version }));
      }
    }
  });

  return {
    hasRoom: (token) => [...streams].filter((stream) => stream.token === token).length < mostStreams,
    add: (given) => {
      const stream = { ...given, ticks: 0 };
      streams.add(stream);
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

function eventText(topic: ServerTopic, more: { version?: number }): string {
  return `event: ${topic}\ndata: ${JSON.stringify({ topic, ...more })}\n\n`;
}
