import styles from './admin.module.css';

export interface Unit {
  id: number;
  name: string;
}

interface UnitsFieldProps {
  /** Every unit of the site. */
  units: readonly Unit[];
  unitIds: readonly number[];
  onChange: (unitIds: number[]) => void;
}

/** The units that somebody belongs to. */
export function UnitsField({ units, unitIds, onChange }: UnitsFieldProps) {
  return (
    <fieldset className={styles.checks}>
      <legend>Units</legend>
      {units.map(({ id, name }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={unitIds.includes(id)}
            onChange={({ target }) => {
              onChange(target.checked ? [...unitIds, id] : unitIds.filter((one) => one !== id));
            }}
          />
          {name}
        </label>
      ))}
      <div className={styles.hint}>
        {units.length === 0 ? 'This site has no units yet. ' : null}
        Whoever belongs to no unit sees the whole site as their own.
      </div>
    </fieldset>
  );
}
