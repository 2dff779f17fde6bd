import { useCallback, useEffect, useMemo, useState } from 'react';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { useLoaded } from '../../hooks/useLoaded';
import { useAskedTour } from '../../hooks/tourSignals';
import { isTourLater, readTour } from '../../lib/browser/tourRecord';
import { whenIdle } from '../../lib/browser/whenIdle';
import type { User } from '../../lib/session/schema';
import { canTour } from '../../lib/tour/canTour';
import type { TourProps } from './Tour';

/**
 * The place of the walkthrough in the frame of a page. Its code is loaded only for a user who has neither finished it
 * nor put it off in this session.
 */
export function TourPlace({ user, sessionEndsAt }: { user: User; sessionEndsAt: number | null }) {
  const asked = useAskedTour();
  const [askedBefore] = useState(asked);
  const [isDue, setIsDue] = useState(false);
  /** How often it had been asked for when it was over or put off; null before. */
  const [overAt, setOverAt] = useState<number | null>(null);
  const { id } = user;
  const isAllowed = canTour(user);
  useEffect(() => {
    let isOver = false;
    if (isAllowed) {
      // The numbers come first.
      whenIdle(() => {
        if (!isOver) {
          setIsDue(readTour(id).status === 'ongoing' && !isTourLater({ userId: id, endsAt: sessionEndsAt }));
        }
      });
    }
    return () => {
      isOver = true;
    };
  }, [id, isAllowed, sessionEndsAt]);
  const isRestart = asked !== askedBefore;
  const isWanted = isAllowed && (isRestart || isDue) && overAt !== asked;
  useStaleFlag(!isWanted);
  const session = useMemo(() => ({ userId: id, endsAt: sessionEndsAt }), [id, sessionEndsAt]);
  const end = useCallback((): void => setOverAt(asked), [asked]);
  return isWanted ? <LaterTour key={asked} user={user} session={session} isRestart={isRestart} onEnd={end} /> : null;
}

const loadTour = async () => (await import('./Tour')).Tour;

/** Shows the walkthrough once its code is loaded. */
function LaterTour(props: TourProps) {
  const loaded = useLoaded(loadTour);
  return loaded === null ? null : <loaded.Part {...props} />;
}

/** A page that was reloaded with the walkthrough on it has stored so; clears that where none is shown. */
function useStaleFlag(isOver: boolean): void {
  const { user, updateUserInfo } = useCurrentUser();
  const isStale = isOver && user?.isTouring === true;
  useEffect(() => {
    if (isStale) {
      updateUserInfo({ isTouring: false });
    }
  }, [isStale, updateUserInfo]);
}
