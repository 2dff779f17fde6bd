import { FormDrawer } from '../ui/FormDrawer';
import { AddPatientForm } from './AddPatientForm';

interface AddPatientDrawerProps {
  onClose: () => void;
  onAdded: (name: string) => void;
  canChooseScale: boolean;
}

/** The form for a new patient beside the list, which stays visible. */
export function AddPatientDrawer({ onClose, onAdded, canChooseScale }: AddPatientDrawerProps) {
  return (
    <FormDrawer title="Add patient" onClose={onClose}>
      <AddPatientForm onAdded={onAdded} canChooseScale={canChooseScale} />
    </FormDrawer>
  );
}
