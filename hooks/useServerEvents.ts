import { useEffect, useLayoutEffect, useRef } from 'react';
import { alertPathTopic, serverEventsPath, serverTopics, type ServerTopic } from '../lib/api/serverEvents';
import { noteAlertPathEvent } from '../lib/browser/alertPath';

/** The stream is opened after this time, in milliseconds: what the page needs to paint is loaded first. */
const openAfterMs = 1_000;
/** The stream of a hidden page is closed after this time, in milliseconds; short looks at another tab keep it. */
const closeHiddenAfterMs = 30_000;
/** After a refusal, in milliseconds. A browser does not try again by itself then. */
const reopenAfterMs = 30_000;

/**
 * Listens to the server's events while a user is signed in or the session is locked, and the page is visible, and calls
 * the function of their topic. The server ends a stream when its session is locked or unlocked; another one begins.
 * Neither opening the stream nor making the page visible polls anything (product spec, section 9): the regular polls
 * bring the same news at most 5 s later. So does a page without events, because the browser has none, a proxy blocks
 * them or the session has enough streams.
 *
 * A stream keeps one of the six connections that a browser has to a server over HTTP/1.1, for all its tabs together. So
 * a page that has been hidden for 30 s closes its own, and the server gives one session three at most.
 */
export function useServerEvents(
  session: 'open' | 'locked' | null,
  handlers: Readonly<Record<ServerTopic, () => void>>,
): void {
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  useEffect(
    () =>
      session !== null && typeof EventSource === 'function' ? listen((topic) => latest.current[topic]()) : undefined,
    [session],
  );
}

/** Calls `onTopic` with the topic of each event. Returns a function that stops that. */
function listen(onTopic: (topic: ServerTopic) => void): () => void {
  let stream: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const close = (): void => {
    stream?.close();
    stream = null;
  };
  const open = (): void => {
    const opened = new EventSource(serverEventsPath);
    stream = opened;
    for (const topic of serverTopics) {
      opened.addEventListener(topic, () => onTopic(topic));
    }
    opened.addEventListener(alertPathTopic, ({ data }: MessageEvent<unknown>) => {
      noteAlertPathEvent(data).catch(() => {
        // A part of the page did not load. The next event tries again.
      });
    });
    // The browser itself restores a lost connection.
    opened.addEventListener('error', () => {
      if (opened.readyState === EventSource.CLOSED && stream === opened) {
        stream = null;
        openLater(reopenAfterMs);
      }
    });
  };
  const openLater = (ms: number): void => {
    if (document.visibilityState === 'visible') {
      timer = setTimeout(open, ms);
    }
  };
  const onVisibility = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === 'hidden') {
      timer = setTimeout(close, closeHiddenAfterMs);
    } else if (stream === null) {
      open();
    }
  };

  openLater(openAfterMs);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    clearTimeout(timer);
    close();
  };
}
