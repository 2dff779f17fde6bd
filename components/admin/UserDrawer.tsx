import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { userPatch, type ListedUser, type SecretLink } from '../../lib/users/schema';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './admin.module.css';
import { AdminField, TypeField } from './RoleFields';
import { SecretLinkBox } from './SecretLinkBox';
import { UnitsField, type Unit } from './UnitsField';
import { useAction } from '../ui/useAction';

interface UserDrawerProps {
  /** As the list shows the user now. */
  user: ListedUser;
  /** Whether it is the administrator's own account. Users cannot change their own role or disable themselves. */
  isOwn: boolean;
  units: readonly Unit[];
  timeZone: string;
  onClose: () => void;
}

/** All that an administrator can do with one user. It stays open, because it shows a reset link. */
export function UserDrawer({ user, isOwn, units, timeZone, onClose }: UserDrawerProps) {
  const [said, setSaid] = useState('');
  // The form starts again with a newer version of the user: what the administrator has not seen is not overwritten.
  return (
    <FormDrawer title={`${user.fname} ${user.lname}`} onClose={onClose}>
      <div className={styles.drawer}>
        <div role="status" className={said === '' ? undefined : styles.said}>
          {said}
        </div>
        <RoleForm key={user.version} user={user} isOwn={isOwn} units={units} onSaid={setSaid} />
        {isOwn ? null : (
          <>
            {user.state === 'disabled' ? null : <ResetLink user={user} timeZone={timeZone} />}
            <Sessions user={user} onSaid={setSaid} />
            <Access user={user} onSaid={setSaid} />
          </>
        )}
      </div>
    </FormDrawer>
  );
}

interface PartProps {
  user: ListedUser;
  onSaid: (text: string) => void;
}

function RoleForm({ user, isOwn, units, onSaid }: PartProps & Pick<UserDrawerProps, 'isOwn' | 'units'>) {
  const change = useCall('changeUser');
  const unitIds = user.units.map(({ id }) => id);
  return (
    <SchemaForm
      schema={userPatch}
      initial={isOwn ? { unitIds } : { unitIds, type: user.type, isAdmin: user.isAdmin }}
      bodyOf={(typed) => ({ ...typed, version: user.version })}
      send={async (patch) => {
        onSaid('');
        try {
          await change({ params: { id: user.id }, body: patch });
          onSaid('Saved.');
        } catch (refused) {
          if (isConflict(refused)) {
            onSaid('Not saved: another administrator changed this user meanwhile. This is the newest state.');
          }
          throw refused;
        }
      }}
      submitLabel="Save"
    >
      <p className={styles.quiet}>{user.email}</p>
      {isOwn ? (
        <p>
          This is you. You cannot change your own role, administration or access, or take more units; another
          administrator can.
        </p>
      ) : (
        <>
          <TypeField />
          <AdminField />
        </>
      )}
      <UnitsField units={units} />
    </SchemaForm>
  );
}

/** The form starts again with the newer version, so this refusal is shown outside the form. */
function isConflict(refused: unknown): boolean {
  return refused instanceof Error && 'code' in refused && refused.code === 'changed_meanwhile';
}

function ResetLink({ user, timeZone }: { user: ListedUser; timeZone: string }) {
  const makeResetLink = useCall('makeResetLink');
  const { failure, carryOut } = useAction();
  const [link, setLink] = useState<SecretLink | null>(null);
  const make = (): void => {
    void carryOut(async () => {
      setLink(await makeResetLink({ params: { id: user.id } }));
    });
  };
  return (
    <section aria-labelledby="forgotten-password">
      <h2 id="forgotten-password">Forgotten password</h2>
      <p className={styles.text}>
        {user.fname} chooses a new password with this link. A newer link replaces older ones.
      </p>
      <FormFailure failure={failure} done="created" />
      <Button onClick={make}>Create reset link</Button>
      {link === null ? null : <SecretLinkBox title={`Reset link for ${user.email}`} link={link} timeZone={timeZone} />}
    </section>
  );
}

function Sessions({ user, onSaid }: PartProps) {
  const endSessions = useCall('endUserSessions');
  const { failure, carryOut } = useAction();
  const end = (): Promise<boolean> =>
    carryOut(
      () => endSessions({ params: { id: user.id } }),
      () => onSaid(`All sessions of ${user.fname} ${user.lname} have ended.`),
    );
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <p className={styles.text}>For example after a lost device. {user.fname} can sign in again.</p>
      <FormFailure failure={failure} done="ended" />
      <ConfirmButton
        label="End all sessions"
        question={`Sign ${user.fname} out everywhere?`}
        onConfirm={() => void end()}
      />
    </section>
  );
}

function Access({ user, onSaid }: PartProps) {
  const change = useCall('changeUser');
  const { failure, carryOut } = useAction();
  const isDisabled = user.state === 'disabled';
  const turn = async (): Promise<void> => {
    const body = { version: user.version, isDisabled: !isDisabled };
    if (await carryOut(() => change({ params: { id: user.id }, body }))) {
      onSaid(
        isDisabled ? `${user.fname} can sign in again.` : `${user.fname} is signed out everywhere and cannot sign in.`,
      );
    }
  };
  return (
    <section aria-labelledby="access">
      <h2 id="access">Access</h2>
      <p className={styles.text}>
        {isDisabled
          ? 'This account is disabled: no one can sign in with it. Its audit log stays.'
          : 'For a user who has left. The audit log stays, and the account can be enabled again.'}
      </p>
      <FormFailure failure={failure} done="changed" />
      {isDisabled ? (
        <Button onClick={() => void turn()}>Enable account</Button>
      ) : (
        <ConfirmButton
          label="Disable account"
          question={`Disable the account of ${user.fname}?`}
          onConfirm={() => void turn()}
        />
      )}
    </section>
  );
}
