import { useUnitActs } from '../../hooks/useUnits';
import { FormDrawer } from '../ui/FormDrawer';
import { UnitNameForm } from './UnitNameForm';

/** A new unit, empty at first. */
export function AddUnitDrawer({ onClose, onAdded }: { onClose: () => void; onAdded: (name: string) => void }) {
  const { create } = useUnitActs();
  return (
    <FormDrawer title="Add unit" onClose={onClose}>
      <UnitNameForm submitLabel="Add unit" initialName="" send={create} onDone={onAdded} />
    </FormDrawer>
  );
}
