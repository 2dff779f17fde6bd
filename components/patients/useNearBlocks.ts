import { useEffect, useState, type RefObject } from 'react';

/** A block counts as near this far above and below the screen, so that scrolling finds it up to date. */
const rootMargin = '25% 0px';

/** Returns the places, from 0, of a table's bodies on or near the screen; null until the browser has reported them. */
export function useNearBlocks(table: RefObject<HTMLTableElement | null>, count: number): ReadonlySet<number> | null {
  const [near, setNear] = useState<ReadonlySet<number> | null>(null);
  useEffect(() => {
    const places = new Map<Element, number>([...(table.current?.tBodies ?? [])].map((body, place) => [body, place]));
    const observer = new IntersectionObserver(
      (entries) => {
        setNear((last) => {
          const next = new Set(last);
          for (const { target, isIntersecting } of entries) {
            const place = places.get(target) ?? -1;
            if (isIntersecting) {
              next.add(place);
            } else {
              next.delete(place);
            }
          }
          return next;
        });
      },
      { rootMargin },
    );
    for (const body of places.keys()) {
      observer.observe(body);
    }
    return () => observer.disconnect();
  }, [table, count]);
  return near;
}
