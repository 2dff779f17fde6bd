import { useState } from 'react';
import { useProfile } from '../../hooks/useProfile';
import type { User } from '../../lib/session/schema';
import { NameFields } from '../session/NameFields';
import { useFormFaults } from '../session/useFormFaults';
import session from '../session/session.module.css';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { useSubmit } from '../ui/useSubmit';

/** The names by which colleagues know somebody. */
export function NamesForm({ user }: { user: User }) {
  const { changeNames, isWaiting } = useProfile();
  const { form, errors, failure, judge, settle } = useFormFaults();
  const [names, setNames] = useState({ fname: user.fname, lname: user.lname });
  const set = (field: keyof typeof names) => (value: string) => {
    setNames((before) => ({ ...before, [field]: value }));
  };
  const [said, setSaid] = useState('');

  const submit = async (): Promise<void> => {
    setSaid('');
    const { profilePatch } = await import('../../lib/profile/schema');
    const body = judge(profilePatch.safeParse(names));
    if (body !== null && settle(await changeNames(body))) {
      setSaid('Your name was changed.');
    }
  };
  const onSubmit = useSubmit(submit);

  return (
    <form ref={form} method="post" noValidate className={session.form} onSubmit={onSubmit}>
      <FormFailure>{failure === null ? null : failure.message}</FormFailure>
      <NameFields names={names} set={set} errors={errors} />
      <div role="status">{said}</div>
      <SubmitButton isWaiting={isWaiting}>Change the name</SubmitButton>
    </form>
  );
}
