import Link from 'next/link';
import { useRouter } from 'next/router';
import { useState } from 'react';
import { useAuthentication } from '../../hooks/useAuthentication';
import { useLinkSecret } from '../../hooks/useLinkSecret';
import { paths } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import { FormFailure } from '../ui/FormFailure';
import { PlainPage } from '../ui/PlainPage';
import { SubmitButton } from '../ui/SubmitButton';
import { useSubmit } from '../ui/useSubmit';
import { AlreadySignedIn } from './AlreadySignedIn';
import { EmailField } from './EmailField';
import { NewPasswordField } from './NewPasswordField';
import styles from './session.module.css';
import { useFormFaults } from './useFormFaults';

/** Asks for a reset link. The response does not say whether the account exists. */
function ResetMailForm() {
  const { send, isWaiting } = useAuthentication();
  const { form, errors, failure, validate, settle } = useFormFaults();
  const [email, setEmail] = useState('');
  const [isAsked, setIsAsked] = useState(false);

  const onSubmit = useSubmit(async () => {
    // Loaded on submit, so that the page paints without the schemas.
    const { resetRequestBody } = await import('../../lib/session/schema');
    const body = validate(resetRequestBody.safeParse({ email }));
    if (body !== null && settle(await send({ for: 'resetMail', body }))) {
      setIsAsked(true);
    }
  });

  return (
    <>
      <div role="status">
        {isAsked ? (
          <p className={styles.text}>
            <strong>If this address has an account, we have sent a reset link.</strong> It works once, for 30 minutes.
            Nothing arrived? Ask your administrator for a link.
          </p>
        ) : null}
      </div>
      {isAsked ? null : (
        <form ref={form} method="post" noValidate className="stack" onSubmit={onSubmit}>
          <FormFailure>{failure === null ? null : `Your request was not accepted. ${failure.message}`}</FormFailure>
          <p className={styles.text}>Enter your sign-in e-mail, and we send you a link for a new password.</p>
          <EmailField autoFocus value={email} onChange={setEmail} error={errors.email} />
          <SubmitButton isWaiting={isWaiting}>Send the link</SubmitButton>
        </form>
      )}
      <div className={styles.ways}>
        <Link href={paths.signIn} prefetch={false}>
          Back to sign-in
        </Link>
      </div>
    </>
  );
}

interface NewPasswordFormProps {
  /** The secret of the reset link. */
  token: string;
  /** Goes back to the form that asks for a link. */
  onGiveUp: () => void;
}

/** Takes the new password of a user with a reset link, who then signs in with it. */
function NewPasswordForm({ token, onGiveUp }: NewPasswordFormProps) {
  const router = useRouter();
  const { send, isWaiting } = useAuthentication();
  const { form, errors, failure, validate, settle } = useFormFaults();
  const [password, setPassword] = useState('');

  const onSubmit = useSubmit(async () => {
    // Loaded on submit, so that the page paints without the schemas.
    const { resetConfirmBody } = await import('../../lib/session/schema');
    const body = validate(resetConfirmBody.safeParse({ token, password }));
    if (body !== null && settle(await send({ for: 'newPassword', body }))) {
      await router.replace(paths.signInAfterReset);
    }
  });
  const isLinkBad = errors.token !== undefined;

  return (
    <form ref={form} method="post" noValidate className="stack" onSubmit={onSubmit}>
      <FormFailure>{isLinkBad ? 'This link is not valid.' : failure === null ? null : failure.message}</FormFailure>
      <p className={styles.text}>
        When the password changes, all your sessions end. Then sign in with the new password.
      </p>
      <NewPasswordField
        label="New password"
        autoFocus
        value={password}
        onChange={setPassword}
        error={errors.password}
      />
      <SubmitButton isWaiting={isWaiting}>Change the password</SubmitButton>
      {failure === null && !isLinkBad ? null : (
        <div className={styles.ways}>
          <button type="button" className={styles.quietButton} onClick={onGiveUp}>
            Ask for a new link
          </button>
        </div>
      )}
    </form>
  );
}

/** For users who forgot the password: asks for a reset link, or takes the new password of a user with a link. */
export function ResetPasswordScreen({ user }: { user: User | null }) {
  const { secret, forget } = useLinkSecret('token');
  const title = typeof secret === 'string' ? 'Choose a new password' : 'Reset your password';
  if (user !== null) {
    return <AlreadySignedIn title="Reset your password" user={user} />;
  }
  return (
    <PlainPage title={title}>
      {secret === undefined ? null : secret === null ? (
        <ResetMailForm />
      ) : (
        <NewPasswordForm key={secret} token={secret} onGiveUp={forget} />
      )}
    </PlainPage>
  );
}
