import { useRouter } from 'next/router';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { usePatients } from '../../hooks/usePatients';
import { paths } from '../../lib/paths';
import { placeText } from '../../lib/patients/placeText';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { BreakGlassOffer } from '../breakGlass/BreakGlassOffer';
import { patientName } from '../ui/PatientName';
import shell from '../ui/dialog.module.css';
import styles from './QuickSearchDialog.module.css';

interface QuickSearchResultsProps {
  user: User;
  text: string;
  listId: string;
  /** The place of the patient that Enter opens. */
  chosen: number;
  onFound: (patients: readonly Patient[]) => void;
  onOpen: (patient: Patient) => void;
  /** Called when something else opens in place of the search. */
  onLeave: () => void;
}

const mostShown = 8;
const noPatients: readonly Patient[] = [];

/** Active patients whose name or MRN begins with the text. */
function QuickSearchResults({ user, text, listId, chosen, onFound, onOpen, onLeave }: QuickSearchResultsProps) {
  const { data, error } = usePatients({
    state: 'active',
    unit: undefined,
    mine: false,
    attention: false,
    sort: 'familyName',
    page: 1,
    pageSize: mostShown,
    text,
  });
  const found = data?.items ?? noPatients;
  useEffect(() => {
    onFound(found);
  }, [found, onFound]);
  return (
    <>
      <ul id={listId} role="listbox" aria-label="Patients found" className={styles.list}>
        {found.map((patient, place) => (
          <li
            key={patient.id}
            id={`${listId}-${place}`}
            role="option"
            aria-selected={place === chosen}
            className={styles.option}
            onClick={() => onOpen(patient)}
          >
            <strong>{patientName(patient)}</strong>
            <span className={styles.identifiers}>
              {formatCalendarDate(patient.dateOfBirth)} · MRN {patient.mrn}
            </span>
            <span className={styles.place}>{placeText(patient)}</span>
          </li>
        ))}
      </ul>
      <p role="status" className={styles.hint}>
        {error === undefined ? countText(data) : `The search failed. ${error.message}`}
      </p>
      {data?.total === 0 ? (
        <div className={styles.offer}>
          <BreakGlassOffer user={user} onAsk={onLeave} />
        </div>
      ) : null}
    </>
  );
}

function countText(data: PatientsPage | undefined): string {
  if (data === undefined) {
    return 'Searching …';
  }
  if (data.total === 0) {
    return 'No matching patients.';
  }
  if (data.total > mostShown) {
    return `The first ${mostShown} of ${data.total} patients. Type more to narrow it down.`;
  }
  return data.total === 1 ? '1 patient found.' : `${data.total} patients found.`;
}

/** Long enough that a name typed fast makes one query, not ten. */
const typingPauseMs = 200;

/** Finds patients by a text: arrows choose, Enter opens. The text is never part of an address. */
export function QuickSearchDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const router = useRouter();
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [searched, setSearched] = useState('');
  const [found, setFound] = useState<readonly Patient[]>([]);
  const [chosen, setChosen] = useState(0);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSearched(typed.trim());
      setChosen(0);
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed]);

  // Enter must not open what an older text found.
  const offered = searched !== '' && searched === typed.trim() ? found : [];
  const open = (patient: Patient | undefined): void => {
    if (patient !== undefined) {
      onClose();
      void router.push(paths.patientDetails([patient.id]));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen(Math.max(0, Math.min(offered.length - 1, chosen + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(offered[chosen]);
    } else if (event.key === 'Escape') {
      // By itself, the first press would only empty the search field.
      event.preventDefault();
      onClose();
    }
  };

  return (
    <dialog
      ref={dialog}
      className={`${shell.dialog} ${styles.dialog}`}
      aria-label="Find a patient"
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // The dialog itself is the target only beside its content, on the backdrop.
        if (target === currentTarget) {
          onClose();
        }
      }}
    >
      <div className={styles.content}>
        <input
          type="search"
          role="combobox"
          className={`${styles.input} ant-input ant-input-outlined wardlight ant-input-css-var`}
          aria-label="Name or MRN"
          aria-expanded={offered.length > 0}
          aria-controls={listId}
          aria-activedescendant={offered.length === 0 ? undefined : `${listId}-${chosen}`}
          aria-autocomplete="list"
          placeholder="Name or MRN"
          maxLength={200}
          autoComplete="off"
          autoFocus
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={onKeyDown}
        />
        {searched === '' ? (
          <p className={styles.hint}>
            Type the beginning of a name or an MRN. ↑ and ↓ choose, Enter opens, Esc closes.
          </p>
        ) : (
          <QuickSearchResults
            user={user}
            text={searched}
            listId={listId}
            chosen={chosen}
            onFound={setFound}
            onOpen={open}
            onLeave={onClose}
          />
        )}
      </div>
    </dialog>
  );
}
