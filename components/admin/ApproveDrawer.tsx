import { Drawer } from 'antd';
import { useState, type SubmitEvent } from 'react';
import { useUserActs } from '../../hooks/useUserActs';
import type { ListedUser } from '../../lib/users/schema';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import styles from './admin.module.css';
import { TypeField } from './RoleFields';
import { UnitsField, type Unit } from './UnitsField';
import { useAct } from '../ui/useAct';

interface ApproveDrawerProps {
  user: ListedUser;
  units: readonly Unit[];
  onClose: () => void;
  onApproved: () => void;
}

/** Lets somebody in who asked for an account. What they said of themselves is looked at first: anybody can ask. */
export function ApproveDrawer({ user, units, onClose, onApproved }: ApproveDrawerProps) {
  const { approve } = useUserActs();
  const { isWaiting, failure, carryOut } = useAct();
  const [type, setType] = useState(user.type);
  const [unitIds, setUnitIds] = useState<number[]>(user.units.map(({ id }) => id));
  const submit = async (): Promise<void> => {
    if (await carryOut(() => approve(user.id, { version: user.version, type, unitIds }))) {
      onApproved();
    }
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <Drawer title={`Approve ${user.fname} ${user.lname}`} size={480} open onClose={onClose} mask={{ closable: false }}>
      <form method="post" noValidate className={styles.form} onSubmit={onSubmit}>
        <FormFailure>{failure === null ? null : `Not approved. ${failure.message}`}</FormFailure>
        <p className={styles.text}>
          {user.email} asked for this account. Make sure that it is who it says, and that the role is right.
        </p>
        <TypeField value={type} onChange={setType} error={failure?.fields.type} />
        <UnitsField units={units} unitIds={unitIds} onChange={setUnitIds} />
        <SubmitButton isWaiting={isWaiting}>Approve</SubmitButton>
      </form>
    </Drawer>
  );
}
