import { useState, type SubmitEvent } from 'react';
import { useProfile } from '../../hooks/useProfile';
import type { User } from '../../lib/session/schema';
import { useFormFaults } from '../session/useFormFaults';
import session from '../session/session.module.css';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';

/** The names by which colleagues know somebody. */
export function NamesForm({ user }: { user: User }) {
  const { changeNames, isWaiting } = useProfile();
  const { form, errors, failure, judge, settle } = useFormFaults();
  const [fname, setFname] = useState(user.fname);
  const [lname, setLname] = useState(user.lname);
  const [said, setSaid] = useState('');

  const submit = async (): Promise<void> => {
    setSaid('');
    const { profilePatch } = await import('../../lib/profile/schema');
    const body = judge(profilePatch.safeParse({ fname, lname }));
    if (body !== null && settle(await changeNames(body))) {
      setSaid('Your name is changed.');
    }
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };

  return (
    <form ref={form} method="post" noValidate className={session.form} onSubmit={onSubmit}>
      <FormFailure>{failure === null ? null : failure.message}</FormFailure>
      <div className={session.pair}>
        <TextField
          label="First name"
          name="fname"
          autoComplete="given-name"
          required
          value={fname}
          onChange={setFname}
          error={errors.fname}
        />
        <TextField
          label="Last name"
          name="lname"
          autoComplete="family-name"
          required
          value={lname}
          onChange={setLname}
          error={errors.lname}
        />
      </div>
      <div role="status">{said}</div>
      <SubmitButton isWaiting={isWaiting}>Change the name</SubmitButton>
    </form>
  );
}
