import { useState } from 'react';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import type { ApiFailure } from '../../lib/browser/client';
import { Icon } from '../ui/Icon';
import styles from './session.module.css';

/** Signs out. Says if that was refused: a user who leaves a shared computer must know that they are still signed in. */
export function SignOut() {
  const { signOut } = useCurrentUser();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const leave = async (): Promise<void> => {
    setFailure(await signOut());
  };
  return (
    <div className={styles.signOut}>
      <div role="alert">{failure === null ? null : `You are still signed in. ${failure.message}`}</div>
      <button
        type="button"
        className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
        onClick={() => void leave()}
      >
        <Icon name="signOut" />
        <span>Sign out</span>
      </button>
    </div>
  );
}
