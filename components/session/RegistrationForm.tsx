import Link from 'next/link';
import { useState } from 'react';
import { useAuthentication } from '../../hooks/useAuthentication';
import { useRegistrationSites, type RegistrationSites } from '../../hooks/useRegistrationSites';
import { paths } from '../../lib/paths';
import { userTypeLabels, userTypes, type UserType } from '../../lib/session/userTypes';
import { FormFailure } from '../ui/FormFailure';
import { SelectField } from '../ui/SelectField';
import { SubmitButton } from '../ui/SubmitButton';
import { useSubmit } from '../ui/useSubmit';
import { EmailField } from './EmailField';
import { NameFields } from './NameFields';
import { NewPasswordField } from './NewPasswordField';
import styles from './session.module.css';
import { useFormFaults } from './useFormFaults';

/** Asks for an account without an invitation if a site allows that; otherwise refers to an administrator. */
export function RegistrationForm() {
  const { data: sites, failure } = useRegistrationSites();
  const [askedSite, setAskedSite] = useState<string | null>(null);
  return (
    <>
      <FormFailure>{failure === undefined ? null : failure.message}</FormFailure>
      {askedSite === null ? null : (
        <div role="status">
          <p className={styles.text}>
            <strong>Your request waits for approval.</strong> An administrator of {askedSite} decides on it. Then you
            can sign in with your e-mail and the password that you have just chosen.
          </p>
        </div>
      )}
      {askedSite !== null || sites === undefined ? null : sites.length === 0 ? (
        <p className={styles.text}>
          Accounts are by invitation. Ask an administrator of your site for an invitation link.
        </p>
      ) : (
        <AskForm sites={sites} onAsked={setAskedSite} />
      )}
      <div className={styles.ways}>
        <Link href={paths.signIn} prefetch={false}>
          {askedSite === null ? 'Sign in instead' : 'Go to sign-in'}
        </Link>
      </div>
    </>
  );
}

const empty = { fname: '', lname: '', email: '', password: '', type: 'nurse' as UserType };
/** Wall displays are not people who ask for an account. */
const types = userTypes
  .filter((value) => value !== 'display')
  .map((value) => ({ value, label: userTypeLabels[value] }));

function AskForm({ sites, onAsked }: { sites: RegistrationSites; onAsked: (siteName: string) => void }) {
  const { send, isWaiting } = useAuthentication();
  const { form, errors, failure, validate, settle } = useFormFaults();
  const [typed, setTyped] = useState(empty);
  const [siteId, setSiteId] = useState(String(sites[0]?.id));
  const set =
    <Name extends keyof typeof empty>(name: Name) =>
    (value: (typeof empty)[Name]) => {
      setTyped((before) => ({ ...before, [name]: value }));
    };
  const site = sites.find(({ id }) => String(id) === siteId) ?? sites[0];

  const onSubmit = useSubmit(async () => {
    // Loaded on submit, so that the page paints without the schemas.
    const { registerBody } = await import('../../lib/session/schema');
    const body = validate(registerBody.safeParse({ ...typed, siteId: site?.id }));
    if (body !== null && settle(await send({ for: 'account', body }))) {
      onAsked(site?.name ?? '');
    }
  });

  return (
    <form ref={form} method="post" noValidate className="stack" onSubmit={onSubmit}>
      <FormFailure>{failure === null ? null : `Your request was not accepted. ${failure.message}`}</FormFailure>
      <p className={styles.text}>
        {sites.length === 1 ? (
          <>
            Ask for an account at <strong>{site?.name}</strong>. An administrator approves it. With an invitation, open
            its link instead.
          </>
        ) : (
          'Ask for an account. An administrator of the site approves it. With an invitation, open its link instead.'
        )}
      </p>
      {sites.length === 1 ? null : (
        <SelectField
          label="Site"
          name="siteId"
          value={siteId}
          choices={sites.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={setSiteId}
          error={errors.siteId}
        />
      )}
      <NameFields names={typed} set={set} errors={errors} />
      <EmailField hint="You sign in with it." value={typed.email} onChange={set('email')} error={errors.email} />
      <SelectField
        label="You are"
        name="type"
        value={typed.type}
        choices={types}
        onChange={set('type')}
        error={errors.type}
      />
      <NewPasswordField value={typed.password} onChange={set('password')} error={errors.password} />
      <SubmitButton isWaiting={isWaiting}>Ask for an account</SubmitButton>
    </form>
  );
}
