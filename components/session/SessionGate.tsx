import Link from 'next/link';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { causeTitles } from '../../lib/api/failureCause';
import { paths } from '../../lib/paths';
import { selectLostBecause, selectSignOutRefusal } from '../../store/session/selectors';
import { NativeButton } from '../ui/NativeButton';
import { NotShowingPatients } from '../ui/NotShowingPatients';
import { PlainPage } from '../ui/PlainPage';
import { LockScreen } from './LockScreen';
import styles from './session.module.css';

/**
 * Takes the page's place while its user signs out. A refusal is said here, because a user who leaves a shared computer
 * must know that they are still signed in.
 */
function SigningOutScreen() {
  const { signOut, giveUpSignOut } = useCurrentUser();
  const refusal = useSelector(selectSignOutRefusal);
  if (refusal === null) {
    return (
      <PlainPage title="Signing out">
        <p role="status">One moment …</p>
      </PlainPage>
    );
  }
  return (
    <PlainPage title="You are still signed in">
      <p role="alert">The server did not sign you out. {refusal}</p>
      <div className={styles.ways}>
        <NativeButton look="primary" onClick={() => void signOut()}>
          Sign out
        </NativeButton>
        <NativeButton onClick={() => void giveUpSignOut()}>Back to the page</NativeButton>
      </div>
    </PlainPage>
  );
}

/**
 * Shows the pages of a signed-in user. Without one it says why, below the banners that do not depend on a user.
 */
export function SessionGate({
  isWall = false,
  banners,
  initialNow,
  children,
}: {
  /** The page is a wall: what is wrong must be legible from the corridor. */
  isWall?: boolean;
  banners: ReactNode;
  /** The server's time when the page was made, epoch milliseconds. */
  initialNow: number;
  children: ReactNode;
}) {
  const { status } = useCurrentUser();
  const off = isWall ? <NotShowingPatients>Look at the patients and the bedside monitors.</NotShowingPatients> : null;
  switch (status) {
    case 'signedIn':
      return children;
    case 'unreachable':
      return (
        <>
          {off}
          {banners}
          <LostScreen />
        </>
      );
    case 'signingOut':
      return (
        <>
          {banners}
          <SigningOutScreen />
        </>
      );
    case 'signedOutHere':
      return (
        <PlainPage title="Signed out on this computer">
          <p role="alert">
            The server could not be reached. This browser has removed your session; the session on the server ends by
            itself.
          </p>
          <Link href={paths.signIn} prefetch={false}>
            Sign in again
          </Link>
        </PlainPage>
      );
    case 'locked':
      return (
        <>
          {banners}
          <LockScreen initialNow={initialNow} />
        </>
      );
    case 'signedOut':
      return (
        <>
          {off}
          <PlainPage title="Signed out">
            <p>This screen shows and sounds no alerts.</p>
          </PlainPage>
        </>
      );
  }
}

/** Says why it is not known who is signed in. If the server answers at all, signing in again may help. */
function LostScreen() {
  const because = useSelector(selectLostBecause);
  return (
    <PlainPage title={causeTitles[because]}>
      <p role="alert">
        Wardlight tries again every 5 seconds and continues by itself, without your password, once the server answers.
        Until then look at the patients and the bedside monitors.
      </p>
      {because === 'unreachable' || because === 'throttled' ? null : (
        <Link href={paths.signIn} prefetch={false}>
          Sign in again
        </Link>
      )}
    </PlainPage>
  );
}
