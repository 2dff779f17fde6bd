import { useState } from 'react';
import { useProfile } from '../../hooks/useProfile';
import { NewPasswordField } from '../session/NewPasswordField';
import session from '../session/session.module.css';
import { useFormFaults } from '../session/useFormFaults';
import { FormFailure } from '../ui/FormFailure';
import { PasswordField } from '../ui/PasswordField';
import { SubmitButton } from '../ui/SubmitButton';
import { useSubmit } from '../ui/useSubmit';

/** Changes the password, and with it ends every other session. */
export function PasswordForm() {
  const { changePassword, isWaiting } = useProfile();
  const { form, errors, failure, judge, settle } = useFormFaults();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [said, setSaid] = useState('');

  const submit = async (): Promise<void> => {
    setSaid('');
    const { passwordChange } = await import('../../lib/profile/schema');
    const body = judge(passwordChange.safeParse({ current, password }));
    if (body !== null && settle(await changePassword(body))) {
      setCurrent('');
      setPassword('');
      setSaid('Your password was changed and your other sessions have ended.');
    }
  };
  const onSubmit = useSubmit(submit);

  return (
    <form ref={form} method="post" noValidate className={session.form} onSubmit={onSubmit}>
      <FormFailure>
        {failure === null
          ? null
          : failure.code === 'wrong_password'
            ? 'The current password is wrong.'
            : failure.message}
      </FormFailure>
      <PasswordField
        label="Current password"
        name="current"
        autoComplete="current-password"
        required
        value={current}
        onChange={setCurrent}
        error={errors.current}
      />
      <NewPasswordField label="New password" value={password} onChange={setPassword} error={errors.password} />
      <div role="status">{said}</div>
      <SubmitButton isWaiting={isWaiting}>Change the password</SubmitButton>
    </form>
  );
}
