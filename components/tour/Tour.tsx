import { useRouter } from 'next/router';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { saveDrafts } from '../../hooks/keptTexts';
import { holdRowsForTour } from '../../hooks/tourSignals';
import { useAlerts } from '../../hooks/useAlerts';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { takeTourTurn } from '../../lib/browser/tabTurn';
import { keepTourPatient, keptTourPatient } from '../../lib/browser/tourPatient';
import {
  onTourElsewhere,
  isTourLater,
  readTour,
  setTourStatus,
  setTourStep,
  showTourLater,
  type TourSession,
} from '../../lib/browser/tourRecord';
import { logWarning } from '../../lib/log';
import { paths } from '../../lib/paths';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { nextAddress, pageAddress, tourSize, tourSteps, type TourStep, progressText } from '../../lib/tour/tourSteps';
import { NativeButton } from '../ui/NativeButton';
import { TourAlertBar } from './TourAlertBar';
import styles from './TourChip.module.css';
import { TourEngine } from './TourEngine';
import { TourActsContext } from './tourActs';
import { findTarget, isAnyRowSelected, isPageBusy, selectTourRow, tourPatientId } from './tourTarget';
import { usePausingAlerts } from './usePausingAlerts';

interface TourChipProps {
  index: number;
  onContinue: () => void;
  onLater: () => void;
}

/** The walkthrough waits: the page has an alert, a dialog or a text that must not be left without being asked. */
function TourChip({ index, onContinue, onLater }: TourChipProps) {
  return (
    <aside className={styles.chip} aria-label="Walkthrough">
      <NativeButton onClick={onContinue}>{`Continue walkthrough (${progressText(index)})`}</NativeButton>
      <NativeButton look="text" onClick={onLater}>
        Show me later
      </NativeButton>
    </aside>
  );
}

/** A HIGH alert was raised: the card is folded until someone has the alert, or the user goes on. */
function TourPaused({ index, onContinue }: Pick<TourChipProps, 'index' | 'onContinue'>) {
  const chip = useRef<HTMLElement>(null);
  useEffect(() => {
    // The card went with the keyboard on it. Not on the button: its user may be about to press Next.
    if (document.activeElement === document.body) {
      chip.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <aside ref={chip} tabIndex={-1} className={styles.chip} aria-label="Walkthrough">
      <span role="status">{`Walkthrough paused, ${progressText(index)}`}</span>
      <span aria-hidden="true">-</span>
      <NativeButton onClick={onContinue} aria-label="Continue the walkthrough">
        Continue
      </NativeButton>
    </aside>
  );
}

export interface TourProps {
  user: User;
  session: TourSession;
  /** The user has just asked for it: it may leave the page. */
  isRestart: boolean;
  /** It is over, or put off. */
  onEnd: () => void;
}

/** The steps whose targets are rows of the list: their order is held (indexes from 0). */
const rowSteps = { table: 3, select: 4, check: 5 };
/** A turn that comes later than this came from another tab that was closed, in milliseconds. */
const lateAfterMs = 2_000;

/** What the walkthrough waits for. */
type Mode = 'turn' | 'load' | 'card' | 'chip';

/**
 * Owns the walkthrough of a page: its step and status in the browser's storage, the page that the step is on, and when
 * a card may be shown. `TourEngine` draws the card.
 */
export function Tour({ user, session, isRestart, onEnd }: TourProps) {
  const router = useRouter();
  const { pathname } = router;
  const { user: info, refresh, updateUserInfo } = useCurrentUser();
  const [steps] = useState(() => tourSteps(user));
  const [index, setIndex] = useState(() => Math.floor(readTour(user.id).step));
  const [mode, setMode] = useState<Mode>('turn');
  /** The page that the walkthrough itself has opened, until a page is there. */
  const goingTo = useRef<string | null>(null);
  const [placed, setPlaced] = useState<number | null>(null);
  const step = steps[index];
  const isOnPage = step !== undefined && pathname === step.page;
  const strip = useAlertStrip();
  const isKnown = strip.items !== undefined || !can(user, 'readAlerts');
  const isShowing = mode === 'card' && isOnPage;
  const { alerts, unowned, isPaused, goOn } = usePausingAlerts(useAlerts().data, isShowing);
  const isOnScreen = isShowing && !isPaused && placed === index;
  const hasEnded = useRef(false);

  const go = useCallback(
    async (address: string): Promise<void> => {
      const page = pageOf(address);
      goingTo.current = page;
      // What is typed is in this page alone.
      void saveDrafts();
      const isThere = await router.push(address);
      // The server is out of reach, unless another navigation has taken its place and is there.
      if (!isThere && goingTo.current === page) {
        setMode((now) => (now === 'card' ? 'chip' : now));
      }
    },
    [router],
  );
  const complete = useCallback(
    (address: string | null): void => {
      if (hasEnded.current) {
        return;
      }
      hasEnded.current = true;
      setTourStatus(user.id, 'completed');
      void refresh({ keepsUser: true });
      if (address !== null) {
        void saveDrafts();
        void router.push(address);
      }
      onEnd();
    },
    [user.id, refresh, router, onEnd],
  );
  const later = useCallback((): void => {
    hasEnded.current = true;
    showTourLater(session);
    onEnd();
  }, [session, onEnd]);
  const dismiss = useCallback((): void => complete(paths.start), [complete]);
  const moveTo = useCallback(
    (next: number): void => {
      setTourStep(user.id, next);
      setIndex(next);
    },
    [user.id],
  );
  const next = useCallback((): void => {
    if (step === undefined) {
      return;
    }
    const address = nextAddress(step, tourPatientId());
    moveTo(index + 1);
    // After the last card the engine ends the tour.
    if (address !== null && index + 1 < tourSize) {
      void go(address);
    }
  }, [step, index, moveTo, go]);
  const acts = useMemo(() => ({ next, later, dismiss }), [next, later, dismiss]);

  const { id: userId } = user;
  useEffect(() => onTourElsewhere(userId, onEnd), [userId, onEnd]);
  const takeTurn = useEffectEvent((waitedMs: number): void => {
    // The tab that had the turn may have ended it for all, before this one listened.
    if (readTour(userId).status === 'completed' || isTourLater(session)) {
      onEnd();
      return;
    }
    setMode(waitedMs > lateAfterMs ? 'chip' : 'load');
  });
  useEffect(() => {
    const askedAt = performance.now();
    return takeTourTurn(userId, () => takeTurn(performance.now() - askedAt));
  }, [userId]);

  // A record that is past the last step.
  useEffect(() => {
    if (index >= tourSize && mode !== 'turn') {
      complete(paths.start);
    }
  }, [index, mode, complete]);

  const begin = useEffectEvent((): void => {
    if (step === undefined) {
      return;
    }
    if (isOnPage) {
      setMode('card');
      return;
    }
    warnIfMissing(step);
    if (isRestart || ((strip.items ?? []).length === 0 && !isPageBusy())) {
      setMode('card');
      void go(pageAddress(step, keptTourPatient(userId)));
    } else {
      setMode('chip');
    }
  });
  const isReady = mode === 'load' && (isOnPage || isKnown || isRestart);
  useEffect(() => {
    if (!isReady) {
      return undefined;
    }
    const timer = setTimeout(begin);
    return () => clearTimeout(timer);
  }, [isReady]);

  // The page has changed: by the walkthrough, or by its user, who is not fetched back.
  const arrive = useEffectEvent((address: string): void => {
    const page = pageOf(address);
    const isOwn = goingTo.current === page;
    goingTo.current = null;
    if (isOwn) {
      // Late, if the server was out of reach.
      setMode((now) => (now === 'chip' ? 'card' : now));
      return;
    }
    if (mode !== 'card' || step === undefined || step.page === page) {
      return;
    }
    const following = steps[index + 1];
    if (step.next !== undefined && following?.page === page) {
      moveTo(index + 1);
    } else {
      setMode('chip');
    }
  });
  const { events } = router;
  useEffect(() => {
    const onComplete = (address: string): void => arrive(address);
    events.on('routeChangeComplete', onComplete);
    return () => events.off('routeChangeComplete', onComplete);
  }, [events]);

  const holdsRows = mode === 'card' && index >= rowSteps.table && index <= rowSteps.check;
  useEffect(() => {
    holdRowsForTour(holdsRows);
    return () => holdRowsForTour(false);
  }, [holdsRows]);

  const isTouring = info?.isTouring === true;
  useEffect(() => {
    if (isTouring !== isOnScreen && info !== null) {
      updateUserInfo({ isTouring: isOnScreen });
    }
  }, [isTouring, isOnScreen, info, updateUserInfo]);
  useEffect(() => {
    if (!isOnScreen) {
      return undefined;
    }
    document.documentElement.dataset.touring = '';
    return () => {
      delete document.documentElement.dataset.touring;
    };
  }, [isOnScreen]);

  useDoneClick(isOnScreen && index === tourSize - 1, () => complete(null));
  useKeys(isOnScreen, dismiss);

  const selecting = useRef<(() => void) | null>(null);
  useEffect(() => () => selecting.current?.(), [index]);
  const onFound = useCallback((): void => {
    if (index === rowSteps.select || index === rowSteps.check) {
      keepTourPatient(userId, tourPatientId());
    }
    if (index === rowSteps.select || (index === rowSteps.check && !isAnyRowSelected())) {
      selecting.current = selectTourRow();
    }
  }, [index, userId]);
  const onMissing = useCallback((): void => complete(paths.start), [complete]);

  return (
    <TourActsContext value={acts}>
      {isShowing && can(user, 'readAlerts') ? (
        <TourAlertBar user={user} alerts={alerts} unowned={unowned} isSilent={pathname === paths.dashboard} />
      ) : null}
      {isShowing && !isPaused ? (
        <TourEngine
          steps={steps}
          index={index}
          onFound={onFound}
          onPlaced={setPlaced}
          onHidden={() => moveTo(index + 1)}
          onMissing={onMissing}
          onOver={dismiss}
        />
      ) : null}
      {isShowing && isPaused ? <TourPaused index={index} onContinue={goOn} /> : null}
      {mode === 'chip' && step !== undefined ? (
        <TourChip
          index={index}
          onContinue={() => {
            setMode('card');
            if (!isOnPage) {
              void go(pageAddress(step, keptTourPatient(userId)));
            }
          }}
          onLater={later}
        />
      ) : null}
    </TourActsContext>
  );
}

/** Returns the page of an address. */
function pageOf(address: string): string {
  return address.split(/[?#]/)[0] ?? address;
}

/** The step is on another page than this one. */
function warnIfMissing({ target }: TourStep): void {
  if (findTarget(target) === null) {
    logWarning('Target not mounted');
  }
}

/** A click on the highlighted Done finishes the walkthrough too; the button itself leads to the patients. */
function useDoneClick(isOn: boolean, onClick: () => void): void {
  const handle = useEffectEvent(onClick);
  useEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const listen = ({ target }: MouseEvent): void => {
      if (target instanceof Element && target.closest('[data-tour="done"]') !== null) {
        handle();
      }
    };
    document.addEventListener('click', listen);
    return () => document.removeEventListener('click', listen);
  }, [isOn]);
}

/** Esc closes the card unless the keyboard is in something else; F6 goes from the card to the alerts and back. */
function useKeys(isOn: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const listen = (event: KeyboardEvent): void => {
      const focused = document.activeElement;
      const card = document.querySelector<HTMLElement>('[data-tour-card]');
      const bar = document.querySelector<HTMLElement>('#tour-bar > section');
      const isInCard = card?.contains(focused) === true;
      if (event.key === 'Escape' && (isInCard || focused === document.body) && !event.defaultPrevented) {
        close();
      } else if (event.key === 'F6' && card !== null && bar !== null) {
        event.preventDefault();
        const [to, button] = isInCard ? [bar, 'button'] : [card, '[data-tour-primary] button'];
        (to.querySelector<HTMLElement>(button) ?? to).focus({ preventScroll: true });
      }
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOn]);
}
