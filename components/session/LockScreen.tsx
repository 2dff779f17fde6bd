import Head from 'next/head';
import { useRef, useState } from 'react';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { can } from '../../lib/session/can';
import { PlainPage } from '../ui/PlainPage';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import { useSubmit } from '../ui/useSubmit';
import { LockStrip } from './LockStrip';
import { SignOut } from './SignOut';

/**
 * Replaces every page of a locked session. Says whose session it is, and offers to unlock it or to sign out. The open
 * alerts stay in sight, below what people press, so that no alert moves a button.
 */
export function LockScreen({ initialNow }: { initialNow: number }) {
  const { lockedUser, unlock } = useCurrentUser();
  const field = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [isWaiting, setIsWaiting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [error, setError] = useState<string | undefined>(undefined);

  const onSubmit = useSubmit(async () => {
    setFailure(null);
    setError(password === '' ? 'is empty' : undefined);
    if (password === '') {
      field.current?.focus();
      return;
    }
    setIsWaiting(true);
    const refused = await unlock(password);
    setIsWaiting(false);
    if (refused !== null) {
      setFailure(refused.code === 'wrong_password' ? 'The password is wrong.' : refused.message);
      setPassword('');
      field.current?.focus();
    }
  });

  return (
    <PlainPage title="Screen locked" isWide>
      <Head>
        <title>Locked - Wardlight</title>
      </Head>
      <p>
        {lockedUser === null ? null : (
          <>
            <strong>
              {lockedUser.fname} {lockedUser.lname}
            </strong>{' '}
            is still signed in.{' '}
          </>
        )}
        Patient data is hidden while locked.
      </p>
      <form method="post" noValidate className="stack" onSubmit={onSubmit}>
        <FormFailure>{failure}</FormFailure>
        <TextField
          ref={field}
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          value={password}
          onChange={setPassword}
          error={error}
        />
        <SubmitButton isWaiting={isWaiting}>Unlock</SubmitButton>
      </form>
      <SignOut />
      {lockedUser !== null && can(lockedUser, 'readAlerts') ? (
        <LockStrip
          timeZone={lockedUser.site.timeZone}
          rulesAreOn={lockedUser.site.rulesAreOn}
          initialNow={initialNow}
        />
      ) : null}
    </PlainPage>
  );
}
