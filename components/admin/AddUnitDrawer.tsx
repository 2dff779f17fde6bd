import { Drawer } from 'antd';
import { useUnitActs } from '../../hooks/useUnits';
import { UnitNameForm } from './UnitNameForm';

/** A new unit, empty at first. */
export function AddUnitDrawer({ onClose, onAdded }: { onClose: () => void; onAdded: (name: string) => void }) {
  const { create } = useUnitActs();
  return (
    <Drawer title="Add unit" size={480} open onClose={onClose} mask={{ closable: false }}>
      <UnitNameForm label="Name" actLabel="Add unit" initialName="" onSubmit={create} onDone={onAdded} />
    </Drawer>
  );
}
