import { useEffect, useState } from 'react';

/** After this time a download that failed is tried again, in milliseconds. */
const againAfterMs = 5_000;

/**
 * Returns a part of a page whose code is downloaded once the component is on the page; null until it is there. A
 * download that failed is tried again. `load` and `show` are the same functions at each render; `show` says how the
 * part comes into the page, for example `startTransition`.
 */
export function useLoaded<Part>(
  load: () => Promise<Part>,
  show: (then: () => void) => void = atOnce,
): { Part: Part } | null {
  const [loaded, setLoaded] = useState<{ Part: Part } | null>(null);
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    load().then(
      (part) => {
        if (!isOver) {
          show(() => setLoaded({ Part: part }));
        }
      },
      () => {
        if (!isOver) {
          timer = setTimeout(() => setAttempt(attempt + 1), againAfterMs);
        }
      },
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [load, show, attempt]);
  return loaded;
}

const atOnce = (then: () => void): void => then();
