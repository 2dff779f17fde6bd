import { Drawer } from 'antd';
import { AddPatientForm } from './AddPatientForm';

interface AddPatientDrawerProps {
  onClose: () => void;
  onAdded: (name: string) => void;
  canChooseScale: boolean;
}

/** The form beside the list, which stays in sight. Closing it throws what was typed away. */
export function AddPatientDrawer({ onClose, onAdded, canChooseScale }: AddPatientDrawerProps) {
  return (
    <Drawer title="Add patient" size={480} open onClose={onClose} mask={{ closable: false }}>
      <AddPatientForm onAdded={onAdded} canChooseScale={canChooseScale} />
    </Drawer>
  );
}
