import Link from 'next/link';
import { useRouter } from 'next/router';
import { useState } from 'react';
import { useAuthentication } from '../../hooks/useAuthentication';
import type { ApiFailure } from '../../lib/browser/client';
import { paths } from '../../lib/paths';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import { useSubmit } from '../ui/useSubmit';
import { EmailField } from './EmailField';
import styles from './session.module.css';
import { useFormFaults } from './useFormFaults';

interface SignInFormProps {
  /** The page that the user wanted, one of our own addresses; null: the dashboard. */
  next: string | null;
}

/** Keeps what was typed after a refusal. The refusal never says whether the e-mail or the password was wrong. */
export function SignInForm({ next }: SignInFormProps) {
  const router = useRouter();
  const { signIn, isWaiting } = useAuthentication();
  const { form, errors, failure, mark, settle } = useFormFaults();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  const onSubmit = useSubmit(async () => {
    const missing = {
      ...(email.trim() === '' && { email: 'is empty' }),
      ...(password === '' && { password: 'is empty' }),
    };
    mark(missing);
    if (Object.keys(missing).length === 0 && settle(await signIn({ email, password }))) {
      await router.replace(next ?? paths.dashboard);
    }
  });

  return (
    <form ref={form} method="post" noValidate className="stack" onSubmit={onSubmit}>
      <FormFailure>{failure === null ? null : failureText(failure)}</FormFailure>
      <EmailField autoFocus value={email} onChange={setEmail} error={errors.email} />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
        error={errors.password}
      />
      <SubmitButton isWaiting={isWaiting}>Sign in</SubmitButton>
      <div className={styles.ways}>
        <Link href={paths.resetPassword} prefetch={false}>
          Forgot your password?
        </Link>
        <Link href={paths.signUp} prefetch={false}>
          Sign up
        </Link>
      </div>
    </form>
  );
}

function failureText(failure: ApiFailure): string {
  return failure.status === 401 ? 'Sign-in failed. E-mail or password is wrong.' : `Sign-in failed. ${failure.message}`;
}
