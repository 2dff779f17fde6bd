import { useState } from 'react';
import { useRead } from '../../hooks/useRead';
import type { User } from '../../lib/session/schema';
import { AsyncView } from '../ui/AsyncView';
import { FormDrawer } from '../ui/FormDrawer';
import { ListSkeleton } from '../ui/ListSkeleton';
import { AddPatientForm, ComparedPatient } from './AddPatientForm';

interface AddPatientDrawerProps {
  onClose: () => void;
  onAdded: (name: string) => void;
  user: User;
}

/** The form for a new patient beside the list, which stays visible. */
export function AddPatientDrawer({ onClose, onAdded, user }: AddPatientDrawerProps) {
  const [isListing, setIsListing] = useState(false);
  return (
    <FormDrawer title="Add patient" onClose={onClose}>
      <AddPatientForm onAdded={onAdded} user={user} />
      <details onToggle={({ currentTarget }) => setIsListing(currentTarget.open)}>
        <summary>Likely duplicates in the list</summary>
        {isListing ? <LikelyPairs timeZone={user.site.timeZone} /> : null}
      </details>
    </FormDrawer>
  );
}

/** The pairs of patients about whom the form would ask. */
function LikelyPairs({ timeZone }: { timeZone: string }) {
  return (
    <AsyncView
      answer={useRead('listLikelyDuplicates', {})}
      isEmpty={({ items }) => items.length === 0}
      skeleton={<ListSkeleton label="Likely duplicates are loading" />}
      empty={() => <p>No likely duplicates: no two with the same name and birth date, or with MRNs that look alike.</p>}
      timeZone={timeZone}
    >
      {({ items }) => (
        <ul>
          {items.map((pair) => (
            <li key={pair.map(({ id }) => id).join()}>
              {pair.map((patient) => (
                <ComparedPatient key={patient.id} patient={patient} />
              ))}
            </li>
          ))}
        </ul>
      )}
    </AsyncView>
  );
}
