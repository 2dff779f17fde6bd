import { Button } from 'antd';
import { useState } from 'react';
import { useRead } from '../../hooks/useRead';
import type { User } from '../../lib/session/schema';
import type { ListedSite } from '../../lib/site/schema';
import { formatDate } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { Icon } from '../ui/Icon';
import { ListSkeleton } from '../ui/ListSkeleton';
import { onDemand } from '../ui/onDemand';
import styles from './admin.module.css';
import { AdminNavigation } from './AdminNavigation';
import { AdminTable } from './AdminTable';

const AddSiteDrawer = onDemand(() => import('./AddSiteDrawer').then((module) => module.AddSiteDrawer));
const InviteToSiteDrawer = onDemand(() => import('./InviteToSiteDrawer').then((module) => module.InviteToSiteDrawer));

/** The sites of the installation, for its administrators. It opens nothing of what is within them. */
export function SitesScreen({ user }: { user: User }) {
  const sites = useRead('listSites', {});
  const { timeZone } = user.site;
  const [isAdding, setIsAdding] = useState(false);
  const [invitingTo, setInvitingTo] = useState<ListedSite | null>(null);
  return (
    <div className={styles.screen}>
      <AdminNavigation user={user} />
      <h1>Sites</h1>
      <div className={styles.toolbar}>
        <p className={styles.text}>
          Each site has its own patients, users, devices, settings and audit log. No one sees those of another site. You
          see names only.
        </p>
        <Button type="primary" icon={<Icon name="plus" />} onClick={() => setIsAdding(true)}>
          Add site
        </Button>
      </div>
      <AsyncView
        answer={sites}
        isEmpty={({ items }) => items.length === 0}
        skeleton={<ListSkeleton label="Sites are loading" rows={3} />}
        timeZone={timeZone}
      >
        {({ items }) => (
          <AdminTable label="Sites" columns={['Site', 'Time zone', 'Added', 'Users']} hasActions>
            {items.map((site) => (
              <tr key={site.id} className="ant-table-row">
                <th scope="row" className="ant-table-cell">
                  {site.name}
                  {site.id === user.siteId ? <span className={styles.quiet}> (yours)</span> : null}
                </th>
                <td className="ant-table-cell">{site.timeZone.replaceAll('_', ' ')}</td>
                <td className="ant-table-cell">{formatDate(Date.parse(site.createdAt), timeZone)}</td>
                <td className="ant-table-cell">{site.users === 0 ? 'None yet' : site.users}</td>
                <td className="ant-table-cell">
                  {site.users === 0 ? (
                    <Button aria-label={`Invite again to ${site.name}`} onClick={() => setInvitingTo(site)}>
                      Invite again
                    </Button>
                  ) : null}
                </td>
              </tr>
            ))}
          </AdminTable>
        )}
      </AsyncView>
      {invitingTo === null ? null : (
        <InviteToSiteDrawer
          key={invitingTo.id}
          site={invitingTo}
          timeZone={timeZone}
          onClose={() => setInvitingTo(null)}
        />
      )}
      {isAdding ? <AddSiteDrawer timeZone={timeZone} onClose={() => setIsAdding(false)} /> : null}
    </div>
  );
}
