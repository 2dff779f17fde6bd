import Link from 'next/link';
import { useRouter } from 'next/router';
import { useState } from 'react';
import { useAuthentication } from '../../hooks/useAuthentication';
import { useInvitation } from '../../hooks/useInvitation';
import { useLinkSecret } from '../../hooks/useLinkSecret';
import type { ApiFailure } from '../../lib/browser/client';
import { paths } from '../../lib/paths';
import type { User, InvitationResponse } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import { FormFailure } from '../ui/FormFailure';
import { PlainPage } from '../ui/PlainPage';
import { SubmitButton } from '../ui/SubmitButton';
import { useSubmit } from '../ui/useSubmit';
import { AlreadySignedIn } from './AlreadySignedIn';
import { EmailField } from './EmailField';
import { NameFields } from './NameFields';
import { NewPasswordField } from './NewPasswordField';
import { RegistrationForm } from './RegistrationForm';
import styles from './session.module.css';
import { useFormFaults } from './useFormFaults';

/** The sign-up form of an invitation's link. `invitation` is the link's secret. */
function InvitationForm({ invitation }: { invitation: string }) {
  const { data, failure } = useInvitation(invitation);
  return (
    <>
      <FormFailure>{failure === undefined ? null : failureText(failure)}</FormFailure>
      {data === undefined ? (
        <div role="status">{failure === undefined ? 'Reading the invitation …' : null}</div>
      ) : (
        <AccountForm invitation={invitation} invited={data} />
      )}
      <div className={styles.ways}>
        <Link href={paths.signIn} prefetch={false}>
          Sign in instead
        </Link>
      </div>
    </>
  );
}

/** Without a response, or after too many requests, the invitation itself may be valid. */
function failureText({ status, message }: ApiFailure): string {
  return status === null || status === 429 || status >= 500
    ? message
    : 'This invitation is not valid. It was used or withdrawn, or is older than 72 hours. ' +
        'Ask an administrator for a new one.';
}

const empty = { fname: '', lname: '', password: '' };

/** Asks for names and a password. The administrator has decided everything else. */
function AccountForm({ invitation, invited }: { invitation: string; invited: InvitationResponse }) {
  const router = useRouter();
  const { signUp, isWaiting } = useAuthentication();
  const { form, errors, failure, validate, settle } = useFormFaults();
  const [typed, setTyped] = useState(empty);
  const set = (field: keyof typeof empty) => (value: string) => {
    setTyped((before) => ({ ...before, [field]: value }));
  };

  const onSubmit = useSubmit(async () => {
    // Loaded on submit, so that the page paints without the schemas.
    const { signUpBody } = await import('../../lib/session/schema');
    const body = validate(signUpBody.safeParse({ invitation, ...typed }));
    if (body !== null && settle(await signUp(body))) {
      await router.replace(paths.dashboard);
    }
  });

  return (
    <form ref={form} method="post" noValidate className="stack" onSubmit={onSubmit}>
      <FormFailure>{failure === null ? null : `Sign-up failed. ${failure.message}`}</FormFailure>
      <p className={styles.text}>
        You are invited to <strong>{invited.siteName}</strong> as <strong>{userTypeLabels[invited.type]}</strong>.
      </p>
      <EmailField
        hint="You sign in with it. The invitation is for this address."
        readOnly
        value={invited.email}
        onChange={() => {}}
        error={errors.email}
      />
      <NameFields names={typed} set={set} errors={errors} autoFocus />
      <NewPasswordField value={typed.password} onChange={set('password')} error={errors.password} />
      <SubmitButton isWaiting={isWaiting}>Sign up</SubmitButton>
    </form>
  );
}

const title = 'Sign up';

/** Creates an account by an invitation's link, or asks for one if a site allows that. */
export function SignUpScreen({ user }: { user: User | null }) {
  const { secret } = useLinkSecret('invitation');
  if (user !== null) {
    return <AlreadySignedIn title={title} user={user} />;
  }
  return (
    <PlainPage title={title} isWide hasStatement>
      {secret === undefined ? null : secret === null ? (
        <RegistrationForm />
      ) : (
        <InvitationForm key={secret} invitation={secret} />
      )}
    </PlainPage>
  );
}
