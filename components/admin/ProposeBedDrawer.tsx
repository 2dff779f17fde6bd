import { Select } from 'antd';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { newBedMapping, type SenderBed } from '../../lib/mappings/schema';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './admin.module.css';

const typed = newBedMapping.pick({ unitId: true, bed: true });

/** Proposes which bed of the site a sender's bed is. */
export function ProposeBedDrawer({ bed, onClose }: { bed: SenderBed; onClose: () => void }) {
  const propose = useCall('proposeBedMapping');
  const { data } = useRead('listUnits', {});
  return (
    <FormDrawer title={`Propose a bed for ${bed.bed}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p className={styles.text}>
          Look at the monitor itself: values of the wrong bed would be shown under another patient. Nothing changes
          until a physician or a ward lead confirms it.
        </p>
        <SchemaForm
          schema={typed}
          initial={{ bed: '' }}
          send={async (body) => {
            await propose({ body: { ...body, senderId: bed.senderId, senderBed: bed.bed } });
            onClose();
          }}
          refusalText={({ message }) => `Not proposed. ${message}`}
          submitLabel="Propose"
          isEmptiedWhenSent
        >
          <FormField name="unitId" label="Unit">
            <Select
              showSearch={{ optionFilterProp: 'label' }}
              options={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            />
          </FormField>
          <FormField name="bed" label="Bed" hint="As it is written for the patients there" />
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}
