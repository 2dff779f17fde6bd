import { Checkbox } from 'antd';
import { FormField } from '../ui/FormField';
import styles from './admin.module.css';

export interface Unit {
  id: number;
  name: string;
}

/** The units that a user belongs to, of all units of the site. */
export function UnitsField({ units }: { units: readonly Unit[] }) {
  return (
    <FormField
      name="unitIds"
      label="Units"
      isOptional
      hint={`${units.length === 0 ? 'This site has no units yet. ' : ''}Users without a unit see the whole site.`}
    >
      <Checkbox.Group
        aria-label="Units"
        className={styles.checks}
        options={units.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </FormField>
  );
}
