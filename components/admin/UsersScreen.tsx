import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { userTypeLabels } from '../../lib/session/userTypes';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { findUsers } from '../../lib/users/findUsers';
import type { Invitation } from '../../lib/users/schema';
import { AsyncView } from '../ui/AsyncView';
import { ConfirmButton } from '../ui/ConfirmButton';
import { EmptyState } from '../ui/EmptyState';
import { FormFailure } from '../ui/FormFailure';
import { Icon } from '../ui/Icon';
import { ListSkeleton } from '../ui/ListSkeleton';
import { Pages } from '../ui/Pages';
import { onDemand } from '../ui/onDemand';
import { useAction } from '../ui/useAction';
import type { ScreenProps } from '../ui/screenPage';
import { AdminNavigation } from './AdminNavigation';
import { AdminTable } from './AdminTable';
import { EmergencyNotice } from './EmergencyNotice';
import { UsersTable } from './UsersTable';
import styles from './admin.module.css';

interface InvitationsTableProps {
  invitations: readonly Invitation[];
  timeZone: string;
  onWithdraw: (invitation: Invitation) => void;
}

const columns = ['E-mail', 'Role', 'Administrator', 'Units', 'Created', 'Valid until'];

/** The invitations that are not used yet. Their links are not shown again: withdraw a lost one and create another. */
function InvitationsTable({ invitations, timeZone, onWithdraw }: InvitationsTableProps) {
  return (
    <AdminTable label="Invitations" columns={columns} hasActions>
      {invitations.map((invitation) => (
        <tr key={invitation.id} className="ant-table-row">
          <th scope="row" className="ant-table-cell">
            {invitation.email}
          </th>
          <td className="ant-table-cell">{userTypeLabels[invitation.type]}</td>
          <td className="ant-table-cell">{invitation.isAdmin ? 'Yes' : 'No'}</td>
          <td className="ant-table-cell">
            {invitation.units.length === 0 ? 'Whole site' : invitation.units.map(({ name }) => name).join(', ')}
          </td>
          <td className={`ant-table-cell ${styles.fixed}`}>
            {formatDayAndTime(Date.parse(invitation.createdAt), timeZone)}
          </td>
          <td className={`ant-table-cell ${styles.fixed}`}>
            {formatDayAndTime(Date.parse(invitation.expiresAt), timeZone)}
          </td>
          <td className="ant-table-cell">
            <ConfirmButton
              label="Withdraw"
              name={`Withdraw the invitation of ${invitation.email}`}
              question={`Withdraw the invitation of ${invitation.email}? Its link stops working.`}
              onConfirm={() => onWithdraw(invitation)}
            />
          </td>
        </tr>
      ))}
    </AdminTable>
  );
}

// The drawers and the schemas that judge their forms are not needed to paint the list.
const ApproveDrawer = onDemand(() => import('./ApproveDrawer').then((module) => module.ApproveDrawer));
const InviteDrawer = onDemand(() => import('./InviteDrawer').then((module) => module.InviteDrawer));
const UserDrawer = onDemand(() => import('./UserDrawer').then((module) => module.UserDrawer));

const pageSize = 50;

/** The users of the site, the requests for an account and the open invitations. */
export function UsersScreen({ user: own, now }: ScreenProps) {
  const { timeZone } = own.site;
  const users = useRead('listUsers', {});
  const invitations = useRead('listInvitations', {});
  const confirmations = useRead('listConfirmations', {}).data?.items ?? [];
  const reject = useCall('rejectUser');
  const confirm = useCall('confirmUser');
  const withdraw = useCall('withdrawInvitation');
  const { failure, carryOut } = useAction();
  const units = useRead('listUnits', {}).data?.items ?? [];
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const [openId, setOpenId] = useState<number | null>(null);
  const [isInviting, setIsInviting] = useState(false);
  const [said, setSaid] = useState('');

  // As the list shows the user now, also while the drawer is open: another administrator may change them.
  const open = users.data?.items.find(({ id }) => id === openId);
  const search = (wanted: string): void => {
    setText(wanted);
    setPage(1);
  };
  const close = (): void => {
    setOpenId(null);
  };
  const act = (call: () => Promise<unknown>, done: string): void => {
    setSaid('');
    void carryOut(call, () => setSaid(done));
  };

  return (
    <div className={styles.screen}>
      <AdminNavigation user={own} />
      <h1>Users</h1>
      <EmergencyNotice />
      <div className={styles.toolbar}>
        <input
          type="search"
          className="ant-input ant-input-outlined wardlight ant-input-css-var"
          aria-label="Search users by name or e-mail"
          placeholder="Name or e-mail"
          maxLength={200}
          autoComplete="off"
          value={text}
          onChange={({ target }) => search(target.value)}
        />
        <Button
          type="primary"
          icon={<Icon name="plus" />}
          onClick={() => {
            setSaid('');
            setIsInviting(true);
          }}
        >
          Invite user
        </Button>
      </div>
      <FormFailure failure={failure} done="changed" />
      <div role="status" className={said === '' ? undefined : styles.said}>
        {said}
      </div>
      <AsyncView
        answer={users}
        isEmpty={({ items }) => findUsers(items, text).length === 0}
        skeleton={<ListSkeleton label="Users are loading" rows={5} />}
        empty={() => (
          <EmptyState title="No matching users">
            <p>No name or e-mail starts with this text.</p>
            <Button onClick={() => search('')}>Show all users</Button>
          </EmptyState>
        )}
        timeZone={timeZone}
      >
        {({ items }) => {
          const found = findUsers(items, text);
          // The last page may be empty since the last poll.
          const shownPage = Math.min(page, Math.ceil(found.length / pageSize));
          return (
            <>
              <UsersTable
                users={found.slice((shownPage - 1) * pageSize, shownPage * pageSize)}
                confirmations={confirmations}
                ownId={own.id}
                initialNow={now}
                timeZone={timeZone}
                onOpen={({ id }) => {
                  setSaid('');
                  setOpenId(id);
                }}
                onReject={({ id, fname, lname }) =>
                  act(() => reject({ params: { id } }), `${fname} ${lname} was rejected.`)
                }
                onConfirm={({ id, fname, lname }) =>
                  act(() => confirm({ params: { id } }), `${fname} ${lname} was confirmed.`)
                }
              />
              {found.length > pageSize ? (
                <Pages current={shownPage} pageSize={pageSize} total={found.length} onPage={setPage} />
              ) : null}
            </>
          );
        }}
      </AsyncView>
      <h2>Open invitations</h2>
      <AsyncView
        answer={invitations}
        isEmpty={({ items }) => items.length === 0}
        skeleton={<ListSkeleton label="Invitations are loading" rows={2} />}
        empty={() => (
          <p className={styles.text}>No open invitations. An invitation is a link that works once, within 72 hours.</p>
        )}
        timeZone={timeZone}
      >
        {({ items }) => (
          <InvitationsTable
            invitations={items}
            timeZone={timeZone}
            onWithdraw={({ id, email }) =>
              act(() => withdraw({ params: { id } }), `The invitation of ${email} was withdrawn.`)
            }
          />
        )}
      </AsyncView>
      {open === undefined ? null : open.state === 'waiting' ? (
        <ApproveDrawer
          user={open}
          units={units}
          onClose={close}
          onApproved={() => {
            close();
            setSaid(`${open.fname} ${open.lname} can sign in now.`);
          }}
        />
      ) : (
        <UserDrawer user={open} isOwn={open.id === own.id} units={units} timeZone={timeZone} onClose={close} />
      )}
      {isInviting ? <InviteDrawer units={units} timeZone={timeZone} onClose={() => setIsInviting(false)} /> : null}
    </div>
  );
}
