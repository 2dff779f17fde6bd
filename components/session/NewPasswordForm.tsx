import { useRouter } from 'next/router';
import { useState } from 'react';
import { useAuthentication } from '../../hooks/useAuthentication';
import { paths } from '../../lib/paths';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { useSubmit } from '../ui/useSubmit';
import { NewPasswordField } from './NewPasswordField';
import styles from './session.module.css';
import { useFormFaults } from './useFormFaults';

interface NewPasswordFormProps {
  /** The secret of the reset link. */
  token: string;
  /** Goes back to the form that asks for a link. */
  onGiveUp: () => void;
}

/** Takes the new password of a user with a reset link, who then signs in with it. */
export function NewPasswordForm({ token, onGiveUp }: NewPasswordFormProps) {
  const router = useRouter();
  const { send, isWaiting } = useAuthentication();
  const { form, errors, failure, validate, settle } = useFormFaults();
  const [password, setPassword] = useState('');

  const submit = async (): Promise<void> => {
    // Loaded on submit, so that the page paints without the schemas.
    const { resetConfirmBody } = await import('../../lib/session/schema');
    const body = validate(resetConfirmBody.safeParse({ token, password }));
    if (body !== null && settle(await send({ for: 'newPassword', body }))) {
      await router.replace(paths.signInAfterReset);
    }
  };
  const onSubmit = useSubmit(submit);
  const isLinkBad = errors.token !== undefined;

  return (
    <form ref={form} method="post" noValidate className={styles.form} onSubmit={onSubmit}>
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
