import { Input } from 'antd';
import { useState } from 'react';
import { useOwnCall } from '../../hooks/useOwnCall';
import { profilePatch } from '../../lib/profile/schema';
import type { User } from '../../lib/session/schema';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './profile.module.css';

/** Changes the names by which colleagues know the user. */
export function NamesForm({ user: { fname, lname } }: { user: User }) {
  const changeProfile = useOwnCall('changeProfile');
  const [said, setSaid] = useState('');
  return (
    <>
      <SchemaForm
        schema={profilePatch}
        initial={{ fname, lname }}
        send={async (body) => {
          await changeProfile({ body });
          setSaid('Your name was changed.');
        }}
        refusalText={({ message }) => message}
        submitLabel="Save name"
        onTyped={() => {
          setSaid('');
        }}
      >
        <div className={styles.pair}>
          <FormField name="fname" label="First name">
            <Input autoComplete="given-name" />
          </FormField>
          <FormField name="lname" label="Last name">
            <Input autoComplete="family-name" />
          </FormField>
        </div>
      </SchemaForm>
      <div role="status">{said}</div>
    </>
  );
}
