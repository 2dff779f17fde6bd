import { useEffect } from 'react';
import { usePatients } from '../../hooks/usePatients';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { BreakGlassOffer } from '../breakGlass/BreakGlassOffer';
import { patientName } from '../ui/PatientName';
import { placeText } from '../../lib/patients/placeText';
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
export function QuickSearchResults({ user, text, listId, chosen, onFound, onOpen, onLeave }: QuickSearchResultsProps) {
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
            onClick={() => {
              onOpen(patient);
            }}
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
