import { useSelector } from 'react-redux';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { selectSignOutRefusal } from '../../store/session/selectors';
import { NativeButton } from '../ui/NativeButton';
import { PlainPage } from '../ui/PlainPage';
import styles from './session.module.css';

/**
 * Takes the page's place while its user signs out. A refusal is said here, because a user who leaves a shared computer
 * must know that they are still signed in.
 */
export function SigningOutScreen() {
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
