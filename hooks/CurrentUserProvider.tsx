import Cookies from 'js-cookie';
import Router from 'next/router';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useDispatch } from 'react-redux';
import { useSWRConfig } from 'swr';
import { ApiFailure, call, clientFailure, onLocked, onUnauthorized } from '../lib/api/client';
import { logError } from '../lib/log';
import { setReportedUser } from '../lib/monitoring/pageErrors';
import { ownPath, paths } from '../lib/paths';
import type { User } from '../lib/session/schema';
import * as record from '../lib/session/userInfo';
import type { UserInfo } from '../lib/session/userInfoSchema';
import { logoutStarted, removeUserInfo, setUserInfo, type SignOutEnd } from '../store/authentication/actions';
import { poll } from './poll';
import { CurrentUserContext, type CurrentUser, type SessionStatus } from './useCurrentUser';
import { isAlertsKey } from './useAlerts';
import { useEarlierPoll } from './useEarlierPoll';
import { useLastActive } from './useLastActive';
import { isPatientKey } from './usePatient';
import { isPatientsKey } from './usePatients';
import { useServerEvents } from './useServerEvents';
import { dedupeMs } from './swrConfig';

const askAgainAfterMs = 5_000;
/** How often the page looks at its cookie: whether it is still there, and in a locked page whether it is another. */
const watchEveryMs = 1_000;
/** A ward changes every second, and each answer has to be drawn. */
const patientsGapMs = 2_000;

const holdsPatients = (key: string): boolean => isPatientsKey(key) || isPatientKey(key);

/**
 * Why there is no user although the page came with one. A new object for each failure, so that each is followed by a
 * new attempt.
 */
interface Gone {
  status: Exclude<SessionStatus, 'signedIn'>;
}

/** The cookie says only that a session exists; without it the page treats the user as signed out. */
const hasSession = () => Cookies.get('token') !== undefined;

/**
 * Who the server says is signed in; asked again where the session was replaced meanwhile, as by a change of password.
 */
async function fetchCurrentUser(): Promise<UserInfo> {
  const token = Cookies.get('token');
  try {
    return (await poll('getCurrentUser', {})).data;
  } catch (problem) {
    if (hasSession() && Cookies.get('token') !== token) {
      return fetchCurrentUser();
    }
    throw problem;
  }
}

interface CurrentUserProviderProps {
  user: User | null | undefined;
  /** The page is that of the lock screen. */
  isLockedPage?: boolean;
  children: ReactNode;
}

/**
 * Holds who is signed in. `user` is `pageProps.user`: null on a page for everybody, undefined on a page such as 404
 * that does not know. It belongs inside the redux Provider and the SWRConfig, around the gate.
 */
export function CurrentUserProvider({ user, isLockedPage = false, children }: CurrentUserProviderProps): ReactNode {
  const dispatch = useDispatch();
  const { unload } = useSWRConfig();
  const [held, setHeld] = useState<UserInfo | null>(null);
  const [gone, setGone] = useState<Gone | null>(null);

  // Another user's page, or everybody's: nothing that was known about the last one counts.
  const pageUserId = user?.id;
  const [lastPageUserId, setLastPageUserId] = useState(pageUserId);
  if (lastPageUserId !== pageUserId) {
    setLastPageUserId(pageUserId);
    setHeld(null);
    setGone(null);
  }

  const hold = useCallback(
    (info: UserInfo) => {
      dispatch(setUserInfo(info));
      setHeld(info);
      setGone(null);
    },
    [dispatch],
  );

  /** Forgets everything that this page holds. */
  const wipe = useCallback(
    (status: Gone['status']) => {
      dispatch(removeUserInfo());
      dropPatients(unload);
      setHeld(null);
      setGone({ status });
    },
    [dispatch, unload],
  );

  /** The token of the session while it is locked: no answer that comes late may show the page again. */
  const lockedToken = useRef<string | null>(null);
  const hide = useCallback(() => {
    if (pageUserId !== undefined && lockedToken.current === null) {
      lockedToken.current = Cookies.get('token') ?? '';
      dropPatients(unload);
      setGone({ status: 'locked' });
    }
  }, [unload, pageUserId]);
  useEffect(() => onLocked(hide), [hide]);

  /** Shows the page again, read anew: what it held is as old as the lock. */
  const show = useCallback(async () => {
    const address = isLockedPage ? (ownPath(Router.query.next) ?? paths.dashboard) : Router.asPath;
    await Router.replace(address, undefined, { scroll: false }).catch(() => false);
    lockedToken.current = null;
  }, [isLockedPage]);

  const endSession = useCallback(() => {
    Cookies.remove('token');
    wipe('signedOut');
    if (pageUserId !== undefined) {
      go(paths.signInAndReturn(Router.asPath));
    }
  }, [wipe, pageUserId]);

  const refresh = useCallback(async () => {
    try {
      const data = await fetchCurrentUser();
      if (!hasSession() || lockedToken.current !== null) {
        return;
      }
      if (pageUserId !== undefined && pageUserId !== data.id) {
        // Somebody else has signed in from another tab: this page's data were read for the last user.
        wipe('signedOut');
        go(Router.asPath);
        return;
      }
      hold(data);
    } catch (problem) {
      logError('Failed to fetch the current user', problem instanceof ApiFailure ? problem.forLog() : undefined);
      // After a 401 the cookie is gone and so is the user; any other failure leaves the cookies and is tried again.
      if (hasSession() && lockedToken.current === null) {
        wipe('unreachable');
      }
    }
  }, [hold, wipe, pageUserId]);

  useEffect(() => onUnauthorized(endSession), [endSession]);

  useEffect(
    () => (pageUserId === undefined ? undefined : record.onOtherUser(pageUserId, () => void refresh())),
    [pageUserId, refresh],
  );

  useEffect(
    () =>
      record.onForgotten(() => {
        // Signed out in another tab: the calls of this one carry no token any more, and no refusal would end its
        // session.
        if (pageUserId !== undefined && !hasSession()) {
          endSession();
        }
      }),
    [pageUserId, endSession],
  );

  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function load(): Promise<void> {
      if (user === undefined || isLockedPage || lockedToken.current !== null) {
        return;
      }
      let info: UserInfo | null;
      try {
        info = user !== null && hasSession() ? await record.readUserInfo(user.id) : null;
      } catch {
        // The code that reads the record did not come. The page goes on with the user that it came with meanwhile.
        if (isCurrent) {
          timer = setTimeout(() => void load(), askAgainAfterMs);
        }
        return;
      }
      if (!isCurrent) {
        return;
      }
      if (info !== null) {
        // What came with the page is newer than what the browser kept.
        hold({ ...info, ...user });
      } else if (hasSession()) {
        await refresh();
      } else if (user !== null) {
        endSession();
      } else {
        dispatch(removeUserInfo());
      }
    }
    void load();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [user, isLockedPage, hold, refresh, endSession, dispatch]);

  useEffect(() => {
    if (gone?.status !== 'unreachable') {
      return undefined;
    }
    const timer = setTimeout(() => void refresh(), askAgainAfterMs);
    return () => clearTimeout(timer);
  }, [gone, refresh]);

  const status = gone?.status ?? (isLockedPage ? 'locked' : null);
  useEffect(() => {
    if (status !== 'locked') {
      return undefined;
    }
    const before = lockedToken.current ?? Cookies.get('token') ?? '';
    const timer = setInterval(() => {
      const token = Cookies.get('token');
      if (token === undefined) {
        endSession();
      } else if (token !== before) {
        clearInterval(timer);
        void show().then(refresh);
      }
    }, watchEveryMs);
    return () => clearInterval(timer);
  }, [status, endSession, show, refresh]);

  // The cookie ends by itself after 12 hours, or is cleared: no answer tells a page that asks nothing.
  const [isSigningOut, setIsSigningOut] = useState(false);
  const mayEnd = pageUserId !== undefined && !isSigningOut && (status === null || status === 'unreachable');
  useEffect(() => {
    if (!mayEnd) {
      return undefined;
    }
    const look = (): void => {
      if (!hasSession()) {
        endSession();
      }
    };
    const timer = setInterval(look, watchEveryMs);
    // Browsers slow the timers of hidden tabs down.
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [mayEnd, endSession]);

  const current = status === null ? (held ?? user ?? null) : null;
  useLastActive(current?.id);
  useEffect(() => {
    setReportedUser(current?.id ?? null);
  }, [current?.id]);
  const refreshPatients = useEarlierPoll(holdsPatients, patientsGapMs);
  const refreshAlerts = useEarlierPoll(isAlertsKey, dedupeMs);
  // The stream would say that the session has ended, which is no news to whoever is ending it.
  useServerEvents(current !== null && !isSigningOut, {
    alerts: refreshAlerts,
    patients: refreshPatients,
    session: () => {
      void refresh();
    },
  });

  const value = useMemo<CurrentUser>(
    () => ({
      user: current,
      status: status ?? (current === null ? 'signedOut' : 'signedIn'),
      lockedUser: status === 'locked' ? (held ?? user ?? null) : null,
      lock: async () => {
        hide();
        try {
          await call('lock', {});
        } catch (problem) {
          // Nobody sees the page all the same, and the server locks the session by itself.
          logError('Failed to lock the session', problem instanceof ApiFailure ? problem.forLog() : undefined);
        }
      },
      unlock: async (password) => {
        try {
          const opened = await call('unlock', { body: { password } });
          await show();
          hold(opened);
          return null;
        } catch (problem) {
          return problem instanceof ApiFailure ? problem : clientFailure('unreadable_answer');
        }
      },
      refresh,
      updateUserInfo: (patch) => {
        record.updateUserInfo(patch);
        if (current !== null) {
          hold({ ...current, ...patch });
        }
      },
      signOut: async () => {
        setIsSigningOut(true);
        const end = await new Promise<SignOutEnd>((settle) => {
          dispatch(logoutStarted(settle));
        });
        setIsSigningOut(false);
        if (end instanceof ApiFailure) {
          return end;
        }
        Cookies.remove('token');
        wipe(end === 'here' ? 'signedOutHere' : 'signedOut');
        if (end === 'server') {
          go(paths.signIn);
        }
        return null;
      },
    }),
    [current, status, held, user, refresh, hold, wipe, hide, show, dispatch],
  );
  return <CurrentUserContext value={value}>{children}</CurrentUserContext>;
}

/** Drops what the page holds of patients: the answers of calls, and what the server rendered, which is read only once. */
function dropPatients(unload: ReturnType<typeof useSWRConfig>['unload']): void {
  unload({ revalidate: false });
  document.getElementById('__NEXT_DATA__')?.remove();
}

/** Leaves the page. Where Next cannot fetch the next one it loads its address anew, which ends this page as well. */
function go(address: string): void {
  Router.replace(address).catch(() => undefined);
}
