import { useEffect, useLayoutEffect, useRef } from 'react';
import { serverEventsPath, serverTopics, type ServerTopic } from '../lib/api/serverEvents';

/** What the page needs to paint goes over the wire first. */
const openAfterMs = 1_000;
/** Whoever only looks into another tab finds the stream still open. */
const closeHiddenAfterMs = 30_000;
/** After a refusal, which a browser does not try again by itself. */
const reopenAfterMs = 30_000;

/**
 * Listens to the server's events while somebody is signed in and the page can be seen, and calls what is given for
 * their topic. `alerts` and `patients` are also called when the page may have missed some: after each opening, and when
 * it is seen again. A page without events, because the browser has none, something on the way blocks them or the
 * session has enough streams, learns the same from its polls a few seconds later; nothing on it depends on them.
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
  /** Something may have been told while nobody listened. */
  const catchUp = (): void => {
    hear('alerts');
    hear('patients');
  };
  const open = (): void => {
    const opened = new EventSource(serverEventsPath);
    stream = opened;
    for (const topic of serverTopics) {
      opened.addEventListener(topic, () => hear(topic));
    }
    opened.addEventListener('open', catchUp);
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
    } else {
      catchUp();
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
