import type { User } from '../../lib/session/schema';
import { FormDrawer } from '../ui/FormDrawer';
import { AddPatientForm } from './AddPatientForm';

interface AddPatientDrawerProps {
  onClose: () => void;
  onAdded: (name: string) => void;
  user: User;
}

/** The form for a new patient beside the list, which stays visible. */
export function AddPatientDrawer({ onClose, onAdded, user }: AddPatientDrawerProps) {
  return (
    <FormDrawer title="Add patient" onClose={onClose}>
      <AddPatientForm onAdded={onAdded} user={user} />
    </FormDrawer>
  );
}
