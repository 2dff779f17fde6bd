import { Button } from 'antd';
import Link from 'next/link';
import { useState } from 'react';
import { useRead } from '../../hooks/useRead';
import { paths } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { Icon } from '../ui/Icon';
import { ListSkeleton } from '../ui/ListSkeleton';
import { onDemand } from '../ui/onDemand';
import styles from './admin.module.css';
import { AdminNavigation } from './AdminNavigation';
import { AdminTable } from './AdminTable';

// The drawers and the schemas that judge their forms are not needed to paint the list.
const AddUnitDrawer = onDemand(() => import('./AddUnitDrawer').then((module) => module.AddUnitDrawer));
const UnitDrawer = onDemand(() => import('./UnitDrawer').then((module) => module.UnitDrawer));

/** The units of the site: wards and teams, with who belongs to them. */
export function UnitsScreen({ user }: { user: User }) {
  const units = useRead('listUnits', {});
  const { timeZone, shiftStarts } = user.site;
  const [openId, setOpenId] = useState<number | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const [said, setSaid] = useState('');
  const open = units.data?.items.find(({ id }) => id === openId);
  const add = (
    <Button
      type="primary"
      icon={<Icon name="plus" />}
      onClick={() => {
        setSaid('');
        setIsAdding(true);
      }}
    >
      Add unit
    </Button>
  );
  return (
    <div className={styles.screen}>
      <AdminNavigation user={user} />
      <h1>Units</h1>
      <div className={styles.toolbar}>
        <p className={styles.text}>
          Shifts begin at {shiftStarts.split(',').join(', ')} in every unit.{' '}
          <Link href={paths.adminSite} prefetch={false}>
            Change that under Site
          </Link>
        </p>
        {units.data?.items.length === 0 ? null : add}
      </div>
      <div role="status" className={said === '' ? undefined : styles.said}>
        {said}
      </div>
      <AsyncView
        answer={units}
        isEmpty={({ items }) => items.length === 0}
        skeleton={<ListSkeleton label="Units are loading" rows={5} />}
        empty={() => (
          <EmptyState title="This site has no units yet.">
            <p>
              Add wards or teams, so that people see their own patients first. A new unit is also made when a patient is
              added to it.
            </p>
            {add}
          </EmptyState>
        )}
        timeZone={timeZone}
      >
        {({ items }) => (
          <AdminTable label="Units" columns={['Unit', 'Patients', 'People']} hasActions>
            {items.map((unit) => (
              <tr key={unit.id} className="ant-table-row">
                <th scope="row" className="ant-table-cell">
                  {unit.name}
                </th>
                <td className="ant-table-cell">{unit.patients}</td>
                <td className="ant-table-cell">{unit.people}</td>
                <td className="ant-table-cell">
                  <Button
                    aria-label={`Open ${unit.name}`}
                    onClick={() => {
                      setSaid('');
                      setOpenId(unit.id);
                    }}
                  >
                    Open
                  </Button>
                </td>
              </tr>
            ))}
          </AdminTable>
        )}
      </AsyncView>
      {open === undefined ? null : (
        <UnitDrawer
          key={open.id}
          unit={open}
          timeZone={timeZone}
          onClose={() => setOpenId(null)}
          onRetired={() => {
            setOpenId(null);
            setSaid(`${open.name} is retired.`);
          }}
        />
      )}
      {isAdding ? (
        <AddUnitDrawer
          onClose={() => setIsAdding(false)}
          onAdded={(name) => {
            setIsAdding(false);
            setSaid(`${name} was added.`);
          }}
        />
      ) : null}
    </div>
  );
}
