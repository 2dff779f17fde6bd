import type { PatientsPage } from '../../lib/patients/schema';
import styles from './PatientsToolbar.module.css';

export interface PlaceFilterProps {
  /** The ids of what is chosen. */
  unit: number | undefined;
  units: PatientsPage['units'];
  onUnit: (unit: number | undefined) => void;
  bed: string | undefined;
  /** The beds of the unit. */
  beds: PatientsPage['beds'];
  onBed: (bed: string | undefined) => void;
}

/**
 * Chooses one unit or all, and within one unit a bed. Without a unit the choice of a bed is off, and in its place:
 * nothing moves when a unit is chosen.
 */
export function PlaceFilter({ unit, units, onUnit, bed, beds, onBed }: PlaceFilterProps) {
  return (
    <>
      <Choice
        label="Unit"
        all="All units"
        places={units}
        unknown="Unit without patients"
        chosen={unit}
        onChoose={onUnit}
      />
      <Choice
        label="Bed"
        all="All beds"
        places={beds}
        unknown="Bed without a patient"
        chosen={bed}
        onChoose={onBed}
        isOff={unit === undefined && bed === undefined}
      />
    </>
  );
}

interface ChoiceProps<Id extends number | string> {
  label: string;
  all: string;
  places: readonly { id: Id; name: string }[];
  /** The name of a chosen place that is not among them. */
  unknown: string;
  chosen: Id | undefined;
  onChoose: (id: Id | undefined) => void;
  isOff?: boolean;
}

function Choice<Id extends number | string>(props: ChoiceProps<Id>) {
  const { label, all, places, unknown, chosen, onChoose, isOff = false } = props;
  // The chosen place stays an option when no active patient is left there.
  const isOffered = chosen === undefined || places.some(({ id }) => id === chosen);
  const offered = isOffered ? places : [{ id: chosen, name: unknown }, ...places];
  return (
    <label className={styles.filter}>
      {label}
      <select
        className="ant-input ant-input-outlined wardlight ant-input-css-var"
        disabled={isOff}
        title={isOff ? 'Choose a unit first' : undefined}
        value={chosen ?? ''}
        onChange={({ target }) => onChoose(offered.find(({ id }) => String(id) === target.value)?.id)}
      >
        <option value="">{all}</option>
        {offered.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
