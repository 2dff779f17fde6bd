import { Button, Drawer } from 'antd';
import { useState, type SubmitEvent } from 'react';
import { useUserActs } from '../../hooks/useUserActs';
import type { ListedUser, SecretLink, UserPatch } from '../../lib/users/schema';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import styles from './admin.module.css';
import { AdminField, TypeField } from './RoleFields';
import { SecretLinkBox } from './SecretLinkBox';
import { UnitsField, type Unit } from './UnitsField';
import { useAct } from '../ui/useAct';

interface UserDrawerProps {
  /** As the list shows them now. */
  user: ListedUser;
  /** The administrator's own row: nobody changes their own role or locks themselves out. */
  isOwn: boolean;
  units: readonly Unit[];
  timeZone: string;
  onClose: () => void;
}

/** Everything that an administrator does with one user. It stays open, because a reset's link is shown in it. */
export function UserDrawer({ user, isOwn, units, timeZone, onClose }: UserDrawerProps) {
  const [said, setSaid] = useState('');
  // Another version of the user begins the form anew, so that nobody saves over what they have not seen.
  return (
    <Drawer title={`${user.fname} ${user.lname}`} size={480} open onClose={onClose} mask={{ closable: false }}>
      <div className={styles.drawer}>
        <div role="status" className={said === '' ? undefined : styles.said}>
          {said}
        </div>
        <RoleForm key={user.version} user={user} isOwn={isOwn} units={units} onSaid={setSaid} />
        {isOwn ? null : (
          <>
            {user.state === 'disabled' ? null : <WayBack user={user} timeZone={timeZone} />}
            <Sessions user={user} onSaid={setSaid} />
            <Access user={user} onSaid={setSaid} />
          </>
        )}
      </div>
    </Drawer>
  );
}

interface PartProps {
  user: ListedUser;
  onSaid: (text: string) => void;
}

function RoleForm({ user, isOwn, units, onSaid }: PartProps & Pick<UserDrawerProps, 'isOwn' | 'units'>) {
  const { change } = useUserActs();
  const { isWaiting, failure, carryOut } = useAct();
  const [type, setType] = useState(user.type);
  const [isAdmin, setIsAdmin] = useState(user.isAdmin);
  const [unitIds, setUnitIds] = useState<number[]>(user.units.map(({ id }) => id));
  const submit = async (): Promise<void> => {
    const patch: UserPatch = { version: user.version, unitIds, ...(isOwn ? {} : { type, isAdmin }) };
    const isSaved = await carryOut(async () => {
      try {
        await change(user.id, patch);
      } catch (refused) {
        onSaid(
          isConflict(refused)
            ? 'Not saved: somebody else has changed this user meanwhile. This is the newest state.'
            : '',
        );
        throw refused;
      }
    });
    if (isSaved) {
      onSaid('Saved.');
    }
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <form method="post" noValidate className={styles.form} onSubmit={onSubmit}>
      <FormFailure>{failure === null ? null : `Not saved. ${failure.message}`}</FormFailure>
      <p className={`${styles.text} ${styles.quiet}`}>{user.email}</p>
      {isOwn ? (
        <p className={styles.text}>
          This is you. Nobody changes their own role, administration or access, or takes more units; another
          administrator can.
        </p>
      ) : (
        <>
          <TypeField value={type} onChange={setType} error={failure?.fields.type} />
          <AdminField isAdmin={isAdmin} onChange={setIsAdmin} />
        </>
      )}
      <UnitsField units={units} unitIds={unitIds} onChange={setUnitIds} />
      <SubmitButton isWaiting={isWaiting}>Save</SubmitButton>
    </form>
  );
}

/** The form begins anew with the newer version, so the refusal is said outside of it. */
function isConflict(refused: unknown): boolean {
  return refused instanceof Error && 'code' in refused && refused.code === 'changed_meanwhile';
}

function WayBack({ user, timeZone }: { user: ListedUser; timeZone: string }) {
  const { makeResetLink } = useUserActs();
  const { failure, carryOut } = useAct();
  const [link, setLink] = useState<SecretLink | null>(null);
  const make = (): void => {
    void carryOut(async () => {
      setLink(await makeResetLink(user.id));
    });
  };
  return (
    <section aria-labelledby="way-back">
      <h2 id="way-back">Forgotten password</h2>
      <p className={styles.text}>
        A link with which {user.fname} chooses a new password. A newer link makes older ones worthless.
      </p>
      <FormFailure>{failure === null ? null : `No link was made. ${failure.message}`}</FormFailure>
      <Button onClick={make}>Make a reset link</Button>
      {link === null ? null : <SecretLinkBox title={`Reset link for ${user.email}`} link={link} timeZone={timeZone} />}
    </section>
  );
}

function Sessions({ user, onSaid }: PartProps) {
  const { endSessions } = useUserActs();
  const { failure, carryOut } = useAct();
  const end = async (): Promise<void> => {
    if (await carryOut(() => endSessions(user.id))) {
      onSaid(`Every session of ${user.fname} ${user.lname} has ended.`);
    }
  };
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <p className={styles.text}>After a lost device, say. {user.fname} can sign in again.</p>
      <FormFailure>{failure === null ? null : `No session was ended. ${failure.message}`}</FormFailure>
      <ConfirmButton
        label="End all sessions"
        question={`Sign ${user.fname} out everywhere?`}
        onConfirm={() => void end()}
      />
    </section>
  );
}

function Access({ user, onSaid }: PartProps) {
  const { change } = useUserActs();
  const { failure, carryOut } = useAct();
  const isDisabled = user.state === 'disabled';
  const turn = async (): Promise<void> => {
    if (await carryOut(() => change(user.id, { version: user.version, isDisabled: !isDisabled }))) {
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
          ? 'This account is disabled: nobody signs in with it. Everything that was done with it stays on record.'
          : 'For somebody who has left. What they did stays on record, and the account can be enabled again.'}
      </p>
      <FormFailure>{failure === null ? null : `Nothing was changed. ${failure.message}`}</FormFailure>
      {isDisabled ? (
        <Button onClick={() => void turn()}>Enable the account</Button>
      ) : (
        <ConfirmButton
          label="Disable the account"
          question={`Keep ${user.fname} out from now on?`}
          onConfirm={() => void turn()}
        />
      )}
    </section>
  );
}
