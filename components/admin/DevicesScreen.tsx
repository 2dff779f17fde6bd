import { Button } from 'antd';
import { useState } from 'react';
import { useRead } from '../../hooks/useRead';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { Icon } from '../ui/Icon';
import { ListSkeleton } from '../ui/ListSkeleton';
import { onDemand } from '../ui/onDemand';
import styles from './admin.module.css';
import { AdminNavigation } from './AdminNavigation';
import { DevicesTable } from './DevicesTable';

// The drawers and the schemas that judge their forms are not needed to paint the list.
const AddDeviceDrawer = onDemand(() => import('./AddDeviceDrawer').then((module) => module.AddDeviceDrawer));
const DeviceDrawer = onDemand(() => import('./DeviceDrawer').then((module) => module.DeviceDrawer));

/** The devices of the site: when each last called, its patient and its token. */
export function DevicesScreen({ user, now }: { user: User; now: number }) {
  const answer = useRead('listDevices', {});
  const [openId, setOpenId] = useState<number | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const open = answer.data?.items.find(({ id }) => id === openId);
  const canManage = can(user, 'manageDevices');
  return (
    <div className={styles.screen}>
      {canManage || can(user, 'readMappings') ? <AdminNavigation user={user} /> : null}
      <h1>Devices</h1>
      {canManage ? (
        <div className={styles.toolbar}>
          <p className={styles.text}>
            Each device sends its values with a token of its own; those of an HL7 sender have none.
          </p>
          <Button type="primary" icon={<Icon name="plus" />} onClick={() => setIsAdding(true)}>
            Add device
          </Button>
        </div>
      ) : null}
      <AsyncView
        answer={answer}
        isEmpty={({ items }) => items.length === 0}
        skeleton={<ListSkeleton label="Devices are loading" rows={5} />}
        empty={() => (
          <EmptyState title="No devices yet.">
            <p>
              {canManage
                ? 'Add the first one; its token lets it send vital signs.'
                : 'An administrator can add the first one.'}
            </p>
          </EmptyState>
        )}
        timeZone={user.site.timeZone}
      >
        {({ items }) => (
          <DevicesTable
            devices={items}
            initialNow={now}
            timeZone={user.site.timeZone}
            onOpen={({ id }) => setOpenId(id)}
          />
        )}
      </AsyncView>
      {open === undefined ? null : (
        <DeviceDrawer key={open.id} device={open} user={user} onClose={() => setOpenId(null)} />
      )}
      {isAdding ? <AddDeviceDrawer onClose={() => setIsAdding(false)} /> : null}
    </div>
  );
}
