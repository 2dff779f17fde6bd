import Link from 'next/link';
import { useState } from 'react';
import { useAuthentication } from '../../hooks/useAuthentication';
import { paths } from '../../lib/paths';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import { useSubmit } from '../ui/useSubmit';
import styles from './session.module.css';
import { useFormFaults } from './useFormFaults';

/** Asks for a reset link. The response does not say whether the account exists. */
export function ResetMailForm() {
  const { send, isWaiting } = useAuthentication();
  const { form, errors, failure, validate, settle } = useFormFaults();
  const [email, setEmail] = useState('');
  const [isAsked, setIsAsked] = useState(false);

  const submit = async (): Promise<void> => {
    // Loaded on submit, so that the page paints without the schemas.
    const { resetRequestBody } = await import('../../lib/session/schema');
    const body = validate(resetRequestBody.safeParse({ email }));
    if (body !== null && settle(await send({ for: 'resetMail', body }))) {
      setIsAsked(true);
    }
  };
  const onSubmit = useSubmit(submit);

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
        <form ref={form} method="post" noValidate className={styles.form} onSubmit={onSubmit}>
          <FormFailure>{failure === null ? null : `Your request was not accepted. ${failure.message}`}</FormFailure>
          <p className={styles.text}>Enter your sign-in e-mail, and we send you a link for a new password.</p>
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            autoFocus
            required
            value={email}
            onChange={setEmail}
            error={errors.email}
          />
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
