import { useEffect, useState, type RefObject } from 'react';

/** How far beyond the screen, above and below it, a block counts as near: who scrolls finds it drawn. */
const rootMargin = '25% 0px';

/** The bodies of a table that can be seen or soon will be, by their place from 0; null until the browser has told. */
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
