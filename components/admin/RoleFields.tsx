import { userTypeLabels, userTypes, type UserType } from '../../lib/session/userTypes';
import { SelectField } from '../ui/SelectField';
import styles from './admin.module.css';

const types = userTypes.map((value) => ({ value, label: userTypeLabels[value] }));

/** Who somebody is on the ward. */
export function TypeField({
  value,
  onChange,
  error,
}: {
  value: UserType;
  onChange: (type: UserType) => void;
  error?: string;
}) {
  return <SelectField label="Role" name="type" value={value} choices={types} onChange={onChange} error={error} />;
}

/** Whether somebody administers the site, beside their role. */
export function AdminField({ isAdmin, onChange }: { isAdmin: boolean; onChange: (isAdmin: boolean) => void }) {
  return (
    <fieldset className={styles.checks}>
      <legend>Administration</legend>
      <label>
        <input
          type="checkbox"
          checked={isAdmin}
          onChange={({ target }) => {
            onChange(target.checked);
          }}
        />
        Administers users, devices and the site
      </label>
      <div className={styles.hint}>It stands beside the role and shows no patient by itself.</div>
    </fieldset>
  );
}
