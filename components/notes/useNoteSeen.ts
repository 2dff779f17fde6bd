import { useEffect, type RefObject } from 'react';
import { useCall } from '../../hooks/useCall';
import type { Note } from '../../lib/notes/schema';

/** A note counts as read after this time in view, in milliseconds (design.md section 4). */
const readAfterMs = 2_000;

/**
 * Marks an unread note as read once its user can have seen it: 2 s in view, in the tab in front. In view is half of it,
 * or as much as fills half of the screen. A failure is tried again with the next response that still says unread.
 */
export function useNoteSeen(place: RefObject<HTMLElement | null>, { id, version, isUnread }: Note): void {
  const markRead = useCall('markNoteRead');
  useEffect(() => {
    const shown = place.current;
    if (!isUnread || shown === null || typeof IntersectionObserver !== 'function') {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isInView = false;
    let isOver = false;
    const follow = (): void => {
      clearTimeout(timer);
      if (isInView && document.visibilityState === 'visible') {
        timer = setTimeout(() => {
          markRead({ params: { id }, body: { version } }).catch(() => {
            // Still unread: it is tried again, but not once the note has left the page: another user may be here then.
            if (!isOver) {
              follow();
            }
          });
        }, readAfterMs);
      }
    };
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        const half = (last?.rootBounds?.height ?? Number.POSITIVE_INFINITY) / 2;
        isInView = last !== undefined && (last.intersectionRatio >= 0.5 || last.intersectionRect.height >= half);
        follow();
      },
      { threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5] },
    );
    observer.observe(shown);
    document.addEventListener('visibilitychange', follow);
    return () => {
      isOver = true;
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', follow);
    };
  }, [place, id, version, isUnread, markRead]);
}
