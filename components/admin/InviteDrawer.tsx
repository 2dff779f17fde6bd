import { Drawer } from 'antd';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { useUserActs } from '../../hooks/useUserActs';
import type { UserType } from '../../lib/session/userTypes';
import { newInvitation, type SecretLink } from '../../lib/users/schema';
import { fieldErrors, focusFirstError, type FieldErrors } from '../ui/fieldErrors';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import styles from './admin.module.css';
import { AdminField, TypeField } from './RoleFields';
import { SecretLinkBox } from './SecretLinkBox';
import { UnitsField, type Unit } from './UnitsField';
import { useAct } from '../ui/useAct';

interface InviteDrawerProps {
  units: readonly Unit[];
  timeZone: string;
  onClose: () => void;
}

const empty = { email: '', type: 'nurse' as UserType, isAdmin: false, unitIds: [] as number[] };

/** Invites somebody: the link is shown this once, so the drawer stays open until it is closed. */
export function InviteDrawer({ units, timeZone, onClose }: InviteDrawerProps) {
  const { invite } = useUserActs();
  const { isWaiting, failure, carryOut } = useAct();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState(empty);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [made, setMade] = useState<{ email: string; link: SecretLink } | null>(null);
  useEffect(() => {
    focusFirstError(form.current);
  }, [errors, failure]);
  const set = (change: Partial<typeof empty>): void => {
    setTyped((before) => ({ ...before, ...change }));
  };

  const submit = async (): Promise<void> => {
    const parsed = newInvitation.safeParse(typed);
    setErrors(parsed.success ? {} : fieldErrors(parsed.error));
    if (parsed.success) {
      await carryOut(async () => {
        setMade({ email: parsed.data.email, link: await invite(parsed.data) });
        setTyped(empty);
      });
    }
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };

  return (
    <Drawer title="Invite somebody" size={480} open onClose={onClose} mask={{ closable: false }}>
      <div className={styles.drawer}>
        <div role="status">
          {made === null ? null : (
            <SecretLinkBox title={`Invitation for ${made.email}`} link={made.link} timeZone={timeZone} />
          )}
        </div>
        <form ref={form} method="post" noValidate className={styles.form} onSubmit={onSubmit}>
          <FormFailure>{failure === null ? null : `Nobody was invited. ${failure.message}`}</FormFailure>
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="off"
            autoFocus
            required
            value={typed.email}
            onChange={(email) => {
              set({ email });
            }}
            error={errors.email ?? failure?.fields.email}
          />
          <TypeField
            value={typed.type}
            onChange={(type) => {
              set({ type });
            }}
            error={errors.type}
          />
          <AdminField
            isAdmin={typed.isAdmin}
            onChange={(isAdmin) => {
              set({ isAdmin });
            }}
          />
          <UnitsField
            units={units}
            unitIds={typed.unitIds}
            onChange={(unitIds) => {
              set({ unitIds });
            }}
          />
          <SubmitButton isWaiting={isWaiting}>Make the invitation</SubmitButton>
        </form>
      </div>
    </Drawer>
  );
}
