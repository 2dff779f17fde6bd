import { useCallback, useEffect, useMemo, useState, type ComponentType } from 'react';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { useAskedTour } from '../../hooks/tourSignals';
import { isTourLater, readTour } from '../../lib/browser/tourRecord';
import { whenIdle } from '../../lib/browser/whenIdle';
import type { User } from '../../lib/session/schema';
import { canTour } from '../../lib/tour/canTour';
import type { TourProps } from './Tour';

/** After this time a download that failed is tried again, in milliseconds. */
const againAfterMs = 10_000;

/**
 * The place of the walkthrough in the frame of a page. Its code is loaded only for a user who has neither finished it
 * nor put it off in this session.
 */
export function TourPlace({ user, sessionEndsAt }: { user: User; sessionEndsAt: number | null }) {
  const asked = useAskedTour();
  // A press of the menu counts once.
  const [begun, setBegun] = useState({ asked, isRestart: false });
  const [isWanted, setIsWanted] = useState(false);
  const { id } = user;
  const isAllowed = canTour(user);
  useEffect(() => {
    let isOver = false;
    if (isAllowed) {
      // The numbers come first.
      whenIdle(() => {
        if (!isOver) {
          setIsWanted(readTour(id).status === 'ongoing' && !isTourLater({ userId: id, endsAt: sessionEndsAt }));
        }
      });
    }
    return () => {
      isOver = true;
    };
  }, [id, isAllowed, sessionEndsAt]);
  if (begun.asked !== asked && isAllowed) {
    setBegun({ asked, isRestart: true });
    setIsWanted(true);
  }
  useStaleFlag(!isWanted);
  const session = useMemo(() => ({ userId: id, endsAt: sessionEndsAt }), [id, sessionEndsAt]);
  const end = useCallback((): void => {
    setBegun((last) => ({ ...last, isRestart: false }));
    setIsWanted(false);
  }, []);
  return isWanted ? (
    <LaterTour key={begun.asked} user={user} session={session} isRestart={begun.isRestart} onEnd={end} />
  ) : null;
}

/** Shows the walkthrough once its code is loaded. */
function LaterTour(props: TourProps) {
  const [loaded, setLoaded] = useState<{ component: ComponentType<TourProps> } | null>(null);
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    import('./Tour').then(
      ({ Tour }) => {
        if (!isOver) {
          setLoaded({ component: Tour });
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
  }, [attempt]);
  if (loaded === null) {
    return null;
  }
  const { component: Shown } = loaded;
  return <Shown {...props} />;
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
