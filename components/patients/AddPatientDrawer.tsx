import { FormDrawer } from '../ui/FormDrawer';
import { AddPatientForm } from './AddPatientForm';

interface AddPatientDrawerProps {
  onClose: () => void;
  onAdded: (name: string) => void;
  canChooseScale: boolean;
}

/** The form beside the list, which stays in sight. */
export function AddPatientDrawer({ onClose, onAdded, canChooseScale }: AddPatientDrawerProps) {
  return (
    <FormDrawer title="Add patient" onClose={onClose}>
      <AddPatientForm onAdded={onAdded} canChooseScale={canChooseScale} />
    </FormDrawer>
  );
}
