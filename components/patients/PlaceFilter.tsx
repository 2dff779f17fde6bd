import styles from './PatientsToolbar.module.css';

interface PlaceFilterProps {
  unit: string | undefined;
  units: readonly string[];
  onUnit: (unit: string | undefined) => void;
  bed: string | undefined;
  /** The beds of the unit. */
  beds: readonly string[];
  onBed: (bed: string | undefined) => void;
}

/**
 * Chooses one unit or all, and within one unit a bed. Without a unit the choice of a bed is off, and in its place:
 * nothing moves when a unit is chosen.
 */
export function PlaceFilter({ unit, units, onUnit, bed, beds, onBed }: PlaceFilterProps) {
  return (
    <>
      <Choice label="Unit" all="All units" names={units} chosen={unit} onChoose={onUnit} />
      <Choice
        label="Bed"
        all="All beds"
        names={beds}
        chosen={bed}
        onChoose={onBed}
        isOff={unit === undefined && bed === undefined}
      />
    </>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  names: readonly string[];
  chosen: string | undefined;
  onChoose: (name: string | undefined) => void;
  isOff?: boolean;
}

function Choice({ label, all, names, chosen, onChoose, isOff = false }: ChoiceProps) {
  // The chosen name stays an option when no active patient is left there.
  const offered = chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];
  return (
    <label className={styles.filter}>
      {label}
      <select
        className="ant-input ant-input-outlined wardlight ant-input-css-var"
        disabled={isOff}
        title={isOff ? 'Choose a unit first' : undefined}
        value={chosen ?? ''}
        onChange={({ target }) => {
          onChoose(target.value === '' ? undefined : target.value);
        }}
      >
        <option value="">{all}</option>
        {offered.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
