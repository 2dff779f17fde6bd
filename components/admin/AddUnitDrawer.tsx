import { useCall } from '../../hooks/useCall';
import { FormDrawer } from '../ui/FormDrawer';
import { UnitNameForm } from './UnitNameForm';

/** Adds a unit. A new unit is empty. */
export function AddUnitDrawer({ onClose, onAdded }: { onClose: () => void; onAdded: (name: string) => void }) {
  const create = useCall('createUnit');
  return (
    <FormDrawer title="Add unit" onClose={onClose}>
      <UnitNameForm submitLabel="Add unit" initialName="" send={(body) => create({ body })} onDone={onAdded} />
    </FormDrawer>
  );
}
