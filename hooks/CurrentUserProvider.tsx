import Cookies from 'js-cookie';
import { useEffect, useLayoutEffect, useMemo, useRef, type ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { onLocked, onUnauthorized, ApiFailure } from '../lib/browser/client';
import { checkUserInfoKeys, onForgotten, onOtherUser } from '../lib/browser/userInfo';
import { everyMs } from '../lib/browser/workerClock';
import { logError } from '../lib/log';
import { setReportedUser } from '../lib/monitoring/pageErrors';
import type { User } from '../lib/session/schema';
import { setUserInfo } from '../store/authentication/actions';
import { selectIsWaiting } from '../store/authentication/selectors';
import type { AppStore } from '../store/index';
import { pageOpened, sessionLocked } from '../store/session/actions';
import {
  endSession,
  followUnlocked,
  giveUpSignOut,
  hasSession,
  lockSession,
  refreshUser,
  signOut,
  unlockSession,
} from '../store/session/saga';
import {
  selectIsLocked,
  selectPageUserId,
  selectShownUser,
  selectStatus,
  type SessionStatus,
} from '../store/session/selectors';
import { useAppStore } from '../store/useAppStore';
import { keepTextsOf } from './keptTexts';
import { poll } from './poll';
import { isAlertsKey } from './useAlerts';
import { isChartMarksKey } from './useChartMarks';
import { SessionActionsContext, type SessionActions } from './useCurrentUser';
import { useDropPatients } from './useDropPatients';
import { useEarlierPoll } from './useEarlierPoll';
import { isPatientKey } from './usePatient';
import { isPatientsKey } from './usePatients';
import { isPresenceKey } from './usePresenceRead';
import { useServerEvents } from './useServerEvents';
import { isWallKey } from './useWall';

/** The interval at which an open page is reported, in milliseconds (product spec, section 9). */
const pingEveryMs = 5_000;

/**
 * Reports to the server every 5 s that this user's page is open, also in a hidden tab. A failure is logged and not
 * shown. A page that is being left logs nothing: the browser ends its calls.
 */
function useLastActive(userId: number | undefined): void {
  useEffect(() => {
    if (userId === undefined) {
      return undefined;
    }
    let isLoaded = true;
    const ping = () => {
      poll('updateLastActive', { params: { id: userId } }).catch((problem: unknown) => {
        if (isLoaded) {
          logError('Failed to update last active', problem instanceof ApiFailure ? problem.forLog() : undefined);
        }
      });
    };
    const note = ({ type }: Event) => {
      isLoaded = type === 'pageshow';
    };
    window.addEventListener('pagehide', note);
    window.addEventListener('pageshow', note);
    const stop = everyMs(pingEveryMs, ping);
    return () => {
      isLoaded = false;
      window.removeEventListener('pagehide', note);
      window.removeEventListener('pageshow', note);
      stop();
    };
  }, [userId]);
}

const askAgainAfterMs = 5_000;
/** The interval at which the page checks whether its cookie is gone or has changed, in milliseconds. */
const watchEveryMs = 1_000;
/**
 * An alert must be on the screen within a second of its sample, also while others come and go. In milliseconds: each
 * page polls alerts at most four times a second, however many events come.
 */
const alertsGapMs = 250;
/** A ward changes every second, and each response has to be drawn. In milliseconds. */
const patientsGapMs = 2_000;

/** A chart's alerts are read with its limits, and each change of any alert asks for them. In milliseconds. */
const chartMarksGapMs = 5_000;

const holdsPatients = (key: string): boolean => isPatientsKey(key) || isPatientKey(key) || isWallKey(key);
const holdsAlerts = (key: string): boolean => isAlertsKey(key) || isPresenceKey(key) || isWallKey(key);

interface CurrentUserProviderProps {
  /** `pageProps.user`: null on a public page, undefined on a page that does not know, such as 404. */
  user: User | null | undefined;
  /** The page is that of the lock screen. */
  isLockedPage?: boolean;
  children: ReactNode;
}

/**
 * Reports to the store what happens to the session of this page: new pages, refusals, the cookie, other tabs. The sagas
 * of store/session decide what follows. Use it inside the redux Provider and the SWRConfig, around the gate.
 */
export function CurrentUserProvider({ user, isLockedPage = false, children }: CurrentUserProviderProps): ReactNode {
  const store = useAppStore();
  const shownUserId = useSelector(selectShownUser)?.id;
  const isWaiting = useSelector(selectIsWaiting);
  const actions = useMemo(() => sessionActions(store), [store]);

  useRefusals(store);
  // Before the browser paints, so that no page is shown with the user of the page before.
  useLayoutEffect(() => {
    if (user !== undefined) {
      store.dispatch(pageOpened({ user, isLocked: isLockedPage }));
    }
  }, [store, user, isLockedPage]);
  useDroppedPatients(shownUserId);

  useOtherTabs(store);
  useCookieWatch(store);
  useReturn(store);

  useLastActive(shownUserId);
  useEffect(() => {
    setReportedUser(shownUserId ?? null);
  }, [shownUserId]);
  const refreshPatients = useEarlierPoll(holdsPatients, patientsGapMs);
  const refreshAlerts = useEarlierPoll(holdsAlerts, alertsGapMs);
  const refreshChartMarks = useEarlierPoll(isChartMarksKey, chartMarksGapMs);
  const isLocked = useSelector(selectIsLocked);
  const isShown = shownUserId !== undefined || isLocked;
  // While the user signs out the stream would only report the end of the session.
  useServerEvents(!isShown || isWaiting ? null : isLocked ? 'locked' : 'open', {
    alerts: () => {
      refreshAlerts();
      refreshChartMarks();
    },
    patients: refreshPatients,
    session: () => {
      // A locked session's user cannot be read; the cookie and the polls of the strip say what became of it.
      if (!isLocked) {
        void actions.refresh();
      }
    },
  });
  return <SessionActionsContext value={actions}>{children}</SessionActionsContext>;
}

function sessionActions({ run, dispatch, getState }: AppStore): SessionActions {
  return {
    lock: () => run(lockSession),
    unlock: (password) => run(unlockSession, password),
    refresh: (options) => run(refreshUser, options?.keepsUser ?? false),
    updateUserInfo: (patch) => {
      checkUserInfoKeys(patch);
      const user = selectShownUser(getState());
      if (user !== null) {
        dispatch(setUserInfo({ ...user, ...patch }));
      }
    },
    signOut: () => run(signOut),
    giveUpSignOut: () => run(giveUpSignOut),
  };
}

/**
 * Drops the patients of the page as soon as its user is no longer shown: locked, signed out, or another user; and what
 * was typed and not sent as soon as another user is.
 */
function useDroppedPatients(shownUserId: number | undefined): void {
  const dropPatients = useDropPatients();
  const lastShown = useRef(shownUserId);
  useLayoutEffect(() => {
    if (lastShown.current !== undefined && lastShown.current !== shownUserId) {
      dropPatients();
    }
    if (shownUserId !== undefined) {
      keepTextsOf(shownUserId);
    }
    lastShown.current = shownUserId;
  }, [shownUserId, dropPatients]);
}

/** Handles responses that say that the session has ended or is locked. */
function useRefusals(store: AppStore): void {
  useLayoutEffect(() => onUnauthorized(() => void store.run(endSession)), [store]);
  useLayoutEffect(() => onLocked(() => void store.dispatch(sessionLocked())), [store]);
}

function useOtherTabs(store: AppStore): void {
  const pageUserId = useSelector(selectPageUserId);
  useEffect(
    () => (pageUserId === null ? undefined : onOtherUser(pageUserId, () => void store.run(refreshUser))),
    [store, pageUserId],
  );
  useEffect(
    () =>
      onForgotten(() => {
        // Signed out in another tab. With its cookie the other tab has only lost the server.
        if (pageUserId !== null && !hasSession()) {
          void store.run(endSession);
        }
      }),
    [store, pageUserId],
  );
}

const watchedStatuses: ReadonlySet<SessionStatus> = new Set<SessionStatus>([
  'signedIn',
  'unreachable',
  'locked',
  'signingOut',
]);

/**
 * Watches the token. It expires after 12 hours, or is cleared, and a page without calls gets no response that says so.
 * Another token means that a locked page was unlocked in another tab, or that a user signed in there. A browser without
 * storage does not report that to its other tabs.
 */
function useCookieWatch(store: AppStore): void {
  const pageUserId = useSelector(selectPageUserId);
  const status = useSelector(selectStatus);
  const isWaiting = useSelector(selectIsWaiting);
  // A sign-out removes the cookie before it ends.
  const isWatching = pageUserId !== null && !isWaiting && watchedStatuses.has(status);
  useEffect(() => {
    if (!isWatching) {
      return undefined;
    }
    let known = Cookies.get('token');
    const look = (): void => {
      const token = Cookies.get('token');
      if (token === undefined) {
        stop();
        void store.run(endSession);
      } else if (token !== known) {
        known = token;
        void store.run(status === 'locked' ? followUnlocked : refreshUser);
      }
    };
    const timer = setInterval(look, watchEveryMs);
    // Browsers slow the timers of hidden tabs down.
    document.addEventListener('visibilitychange', look);
    function stop(): void {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    }
    return stop;
  }, [store, isWatching, status]);
}

/** Asks who is signed in until the server responds again. */
function useReturn(store: AppStore): void {
  const isLost = useSelector(selectStatus) === 'unreachable';
  useEffect(() => {
    if (!isLost) {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const askLater = (): void => {
      timer = setTimeout(() => {
        void store.run(refreshUser).then(() => {
          if (!isOver) {
            askLater();
          }
        });
      }, askAgainAfterMs);
    };
    askLater();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [store, isLost]);
}
