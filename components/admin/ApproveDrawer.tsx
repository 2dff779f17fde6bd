import { useCall } from '../../hooks/useCall';
import { approval, type ListedUser } from '../../lib/users/schema';
import { FormDrawer } from '../ui/FormDrawer';
import { SchemaForm } from '../ui/SchemaForm';
import { TypeField } from './RoleFields';
import { UnitsField, type Unit } from './UnitsField';

interface ApproveDrawerProps {
  user: ListedUser;
  units: readonly Unit[];
  onClose: () => void;
  onApproved: () => void;
}

/** Approves a request for an account. Anyone can make one, so the administrator checks it first. */
export function ApproveDrawer({ user, units, onClose, onApproved }: ApproveDrawerProps) {
  const approve = useCall('approveUser');
  return (
    <FormDrawer title={`Approve ${user.fname} ${user.lname}`} onClose={onClose}>
      <SchemaForm
        schema={approval}
        initial={{ type: user.type, unitIds: user.units.map(({ id }) => id) }}
        bodyOf={(typed) => ({ ...typed, version: user.version })}
        send={async (body) => {
          await approve({ params: { id: user.id }, body });
          onApproved();
        }}
        done="approved"
        submitLabel="Approve"
      >
        <p>{user.email} asked for this account. Check who it is and that the role is right.</p>
        <TypeField />
        <UnitsField units={units} />
      </SchemaForm>
    </FormDrawer>
  );
}
