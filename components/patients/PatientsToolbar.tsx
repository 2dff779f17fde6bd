import { useEffect, useRef, useState } from 'react';
import { maxPatientsAtOnce } from '../../lib/paths';
import { patientStates, type PatientState } from '../../lib/patients/listing';
import { Icon } from '../ui/Icon';
import { NativeButton } from '../ui/NativeButton';
import styles from './PatientsToolbar.module.css';
import { PlaceFilter, type PlaceFilterProps } from './PlaceFilter';

interface PatientsToolbarProps extends PlaceFilterProps {
  text: string;
  onText: (text: string) => void;
  state: PatientState;
  onState: (state: PatientState) => void;
  selectedCount: number;
  onClearSelection: () => void;
  onCheck: () => void;
  /** Omitted if the user may not add patients. */
  onAdd?: () => void;
}

/** Long enough that a name typed fast makes one query, not ten. */
const typingPauseMs = 300;
const control = 'ant-input ant-input-outlined wardlight ant-input-css-var';
const stateLabels = { active: 'Active', discharged: 'Discharged' } as const satisfies Record<PatientState, string>;

/** Filters of the list, and actions on the selected rows. */
export function PatientsToolbar(props: PatientsToolbarProps) {
  const { unit, units, bed, beds, state, selectedCount } = props;
  const isTooMany = selectedCount > maxPatientsAtOnce;
  return (
    <div className={styles.toolbar}>
      <SearchBox text={props.text} onText={props.onText} />
      <PlaceFilter unit={unit} units={units} onUnit={props.onUnit} bed={bed} beds={beds} onBed={props.onBed} />
      <label className={styles.filter}>
        State
        <select
          className={control}
          value={state}
          onChange={({ target }) => props.onState(patientStates.find((known) => known === target.value) ?? state)}
        >
          {patientStates.map((known) => (
            <option key={known} value={known}>
              {stateLabels[known]}
            </option>
          ))}
        </select>
      </label>
      <div className={styles.actions}>
        <div className={styles.picked}>
          <span role="status" className={selectedCount === 0 ? styles.hint : styles.selected}>
            {selectedCount === 0 ? 'Select rows to check patients' : `${selectedCount} selected`}
            {isTooMany ? `, at most ${maxPatientsAtOnce} can be checked at once` : null}
          </span>
          {selectedCount === 0 ? null : (
            <NativeButton look="text" onClick={props.onClearSelection}>
              Clear
            </NativeButton>
          )}
        </div>
        <NativeButton
          look="primary"
          disabled={selectedCount === 0 || isTooMany}
          onClick={props.onCheck}
          data-tour="check-patient"
        >
          {selectedCount > 1 ? `Check ${selectedCount} patients` : 'Check patient'}
        </NativeButton>
        {props.onAdd === undefined ? null : (
          <NativeButton onClick={props.onAdd} icon="plus" data-tour="add-patient">
            Add patient
          </NativeButton>
        )}
      </div>
    </div>
  );
}

/** Searches when the typing pauses; Enter searches at once. */
function SearchBox({ text, onText }: Pick<PatientsToolbarProps, 'text' | 'onText'>) {
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  // The text was cleared from outside ("Show all patients"), or typed elsewhere.
  const [lastText, setLastText] = useState(text);
  if (text !== lastText) {
    setLastText(text);
    setTyped(text);
  }
  const search = (wanted: string, afterMs: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      onText(wanted.trim());
    }, afterMs);
  };
  return (
    <form
      role="search"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        search(typed, 0);
      }}
    >
      <Icon name="search" />
      <input
        type="search"
        className={control}
        aria-label="Search patients by name or MRN"
        placeholder="Name or MRN"
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          search(target.value, typingPauseMs);
        }}
      />
    </form>
  );
}
