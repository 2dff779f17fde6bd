import { useState } from 'react';
import { useOwnCall } from '../../hooks/useOwnCall';
import { passwordChange } from '../../lib/profile/schema';
import { FormField } from '../ui/FormField';
import { PasswordInput } from '../ui/PasswordInput';
import { SchemaForm } from '../ui/SchemaForm';

const empty = { current: '', password: '' };

/** Changes the password, and with it ends every other session. */
export function PasswordForm() {
  const changePassword = useOwnCall('changePassword');
  const [said, setSaid] = useState('');
  return (
    <>
      <SchemaForm
        schema={passwordChange}
        initial={empty}
        send={async (body) => {
          setSaid('');
          await changePassword({ body });
          setSaid('Your password was changed and your other sessions have ended.');
        }}
        refusalText={({ code, message }) => (code === 'wrong_password' ? 'The current password is wrong.' : message)}
        submitLabel="Change the password"
        isEmptiedWhenSent
      >
        <FormField name="current" label="Current password">
          <PasswordInput autoComplete="current-password" />
        </FormField>
        <FormField
          name="password"
          label="New password"
          hint="At least 15 characters. Four unrelated words are better than symbols and digits."
        >
          <PasswordInput autoComplete="new-password" />
        </FormField>
      </SchemaForm>
      <div role="status">{said}</div>
    </>
  );
}
