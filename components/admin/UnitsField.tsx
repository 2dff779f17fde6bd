import { Checkbox } from 'antd';
import { FormField } from '../ui/FormField';
import styles from './admin.module.css';

export interface Unit {
  id: number;
  name: string;
}

/** The units that a user belongs to or a gateway sends for, of all units of the site. */
export function UnitsField({
  units,
  hint = 'Users without a unit see the whole site.',
}: {
  units: readonly Unit[];
  hint?: string;
}) {
  return (
    <FormField
      name="unitIds"
      label="Units"
      isOptional
      hint={`${units.length === 0 ? 'This site has no units yet. ' : ''}${hint}`}
    >
      <Checkbox.Group
        aria-label="Units"
        className={styles.checks}
        options={units.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </FormField>
  );
}
