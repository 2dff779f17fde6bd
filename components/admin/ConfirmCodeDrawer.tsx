import { Button, Drawer } from 'antd';
import { useCall } from '../../hooks/useCall';
import { codeText } from '../../lib/hl7/codes';
import { lastReadAs } from '../../lib/mappings/readAs';
import type { MappingsResponse, SenderCode } from '../../lib/mappings/schema';
import { kinds } from '../../lib/vitals/kinds';
import { FormFailure } from '../ui/FormFailure';
import { useAction } from '../ui/useAction';
import styles from './admin.module.css';
import { LastValues } from './LastValues';

interface ConfirmCodeDrawerProps {
  code: SenderCode;
  mapping: NonNullable<SenderCode['mapping']>;
  shown: MappingsResponse['shown'];
  onClose: () => void;
}

/** Asks whether a sender's code means a vital sign, beside what its last numbers would be then. */
export function ConfirmCodeDrawer({ code, mapping, shown, onClose }: ConfirmCodeDrawerProps) {
  const confirm = useCall('confirmMapping');
  const { isWaiting, failure, carryOut } = useAction();
  const claim = `${codeText(code.code)} means ${kinds[mapping.kind].label}`;
  const decide = async (): Promise<void> => {
    if (await carryOut(() => confirm({ params: { id: mapping.id } }))) {
      onClose();
    }
  };
  return (
    <Drawer
      title={`Confirm that ${claim}`}
      size={480}
      open
      mask={{ closable: false }}
      onClose={onClose}
      classNames={{ footer: styles.drawerFooter }}
      // The numbers are many: what ends the drawer stays in sight.
      footer={
        <div className={styles.drawer}>
          <FormFailure>{failure === null ? null : `Not done. ${failure.message}`}</FormFailure>
          <div className={styles.actions}>
            <Button type="primary" disabled={isWaiting} onClick={() => void decide()}>
              Confirm
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </div>
      }
    >
      <div className={styles.drawer}>
        <p className={styles.text}>
          {mapping.proposed.by.name} proposed it for {code.sender}. Once you confirm, its values are charted for the
          patients, and those of the last 30 days are added to their records.
          {mapping.isUnitless ? ' Values without a unit are taken too.' : ''}
        </p>
        {code.last.length === 0 ? null : <p className={styles.text}>{lastReadAs(mapping, code.last)}</p>}
        <LastValues code={code} kind={mapping.kind} isUnitless={mapping.isUnitless} shown={shown} />
      </div>
    </Drawer>
  );
}
