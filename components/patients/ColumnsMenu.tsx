import { Icon } from '../ui/Icon';
import { VitalLabel } from '../ui/VitalLabel';
import styles from './ColumnsMenu.module.css';
import { hideableColumns, type HideableColumn } from './listPreferences';
import bar from '../ui/ViewBar.module.css';

interface ColumnsMenuProps {
  hidden: readonly HideableColumn[];
  onHide: (hidden: HideableColumn[]) => void;
}

const menuId = 'patients-columns';
const labels = {
  dateOfBirth: 'Date of birth',
  location: 'Bed',
  spo2: <VitalLabel kind="spo2" />,
  heartRate: 'HR',
  news2: 'NEWS2',
  profile: 'Profile',
} as const satisfies Record<HideableColumn, unknown>;

/** Chooses the columns of the list. The browser's popover closes on Escape and on a click beside it. */
export function ColumnsMenu({ hidden, onHide }: ColumnsMenuProps) {
  return (
    <div className={styles.anchor}>
      <button type="button" className={bar.act} popoverTarget={menuId}>
        <Icon name="columns" />
        Columns
      </button>
      <fieldset id={menuId} popover="auto" className={styles.menu}>
        <legend>Columns beside name, MRN and alert</legend>
        {hideableColumns.map((column) => (
          <label key={column}>
            <input
              type="checkbox"
              checked={!hidden.includes(column)}
              onChange={({ target }) => {
                onHide(target.checked ? hidden.filter((one) => one !== column) : [...hidden, column]);
              }}
            />
            <span>{labels[column]}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}
