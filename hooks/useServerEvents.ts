import { useEffect, useLayoutEffect, useRef } from 'react';
import { serverEventsPath, serverTopics, type ServerTopic } from '../lib/api/serverEvents';

/** What the page needs to paint goes over the wire first. */
const openAfterMs = 1_000;
/** Whoever only looks into another tab finds the stream still open. */
const closeHiddenAfterMs = 30_000;
/** After a refusal, which a browser does not try again by itself. */
const reopenAfterMs = 30_000;

/**
 * Listens to the server's events while a user is signed in and the page is visible, and calls the function of their
 * topic. Opening the stream asks for nothing, nor does a page that becomes visible (product spec, section 9): the polls
 * go on all the time and bring what an event would have told, at most 5 s later. The same holds for a page without
 * events, because the browser has none, a proxy blocks them or the session has enough streams.
 *
 * A stream keeps one of the six connections that a browser has to a server over HTTP/1.1, for all its tabs together. So
 * a page that has been hidden for 30 s closes its own, and the server gives one session three at most.
 */
export function useServerEvents(isSignedIn: boolean, heard: Readonly<Record<ServerTopic, () => void>>): void {
  const latest = useRef(heard);
  useLayoutEffect(() => {
    latest.current = heard;
  });
  useEffect(
    () => (isSignedIn && typeof EventSource === 'function' ? listen((topic) => latest.current[topic]()) : undefined),
    [isSignedIn],
  );
}

/** Returns how to stop. */
function listen(hear: (topic: ServerTopic) => void): () => void {
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
      opened.addEventListener(topic, () => hear(topic));
    }
    // A lost connection the browser restores by itself.
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
