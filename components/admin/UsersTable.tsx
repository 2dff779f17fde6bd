import { Button } from 'antd';
import { useNow } from '../../hooks/useNow';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { ListedUser } from '../../lib/users/schema';
import { Age } from '../ui/Age';
import { ConfirmButton } from '../ui/ConfirmButton';
import { AdminTable } from './AdminTable';
import styles from './admin.module.css';

interface UsersTableProps {
  users: readonly ListedUser[];
  ownId: number;
  initialNow: number;
  timeZone: string;
  onOpen: (user: ListedUser) => void;
  onReject: (user: ListedUser) => void;
}

const stateLabels = { active: 'Active', waiting: 'Waits for approval', disabled: 'Disabled' } as const satisfies Record<
  ListedUser['state'],
  string
>;
const columns = ['Name', 'E-mail', 'Role', 'Administrator', 'Units', 'State', 'Last active'];

/** The users. Requests come first and are approved or rejected here. Everything else is done in a drawer. */
export function UsersTable({ users, ownId, initialNow, timeZone, onOpen, onReject }: UsersTableProps) {
  const now = useNow(initialNow);
  return (
    <AdminTable label="Users" columns={columns} hasActions>
      {users.map((user) => (
        <tr key={user.id} className="ant-table-row" data-state={user.state}>
          <th scope="row" className="ant-table-cell">
            {user.lname}, {user.fname}
            {user.id === ownId ? <span className={styles.quiet}> (you)</span> : null}
          </th>
          <td className="ant-table-cell">{user.email}</td>
          <td className="ant-table-cell">{userTypeLabels[user.type]}</td>
          <td className="ant-table-cell">{user.isAdmin ? 'Yes' : 'No'}</td>
          <td className="ant-table-cell">
            {user.units.length === 0 ? 'Whole site' : user.units.map(({ name }) => name).join(', ')}
          </td>
          <td className={`ant-table-cell ${styles.fixed}`}>{stateLabels[user.state]}</td>
          <td className={`ant-table-cell ${styles.fixed}`}>
            {user.lastActiveAt === null ? (
              'Never'
            ) : (
              <>
                <Age since={Date.parse(user.lastActiveAt)} now={now} timeZone={timeZone} /> ago
              </>
            )}
          </td>
          <td className="ant-table-cell">
            <Actions user={user} onOpen={onOpen} onReject={onReject} />
          </td>
        </tr>
      ))}
    </AdminTable>
  );
}

function Actions({ user, onOpen, onReject }: { user: ListedUser } & Pick<UsersTableProps, 'onOpen' | 'onReject'>) {
  const name = `${user.fname} ${user.lname}`;
  const open = (): void => {
    onOpen(user);
  };
  if (user.state !== 'waiting') {
    return (
      <Button onClick={open} aria-label={`Change ${name}`}>
        Change
      </Button>
    );
  }
  return (
    <div className={styles.actions}>
      <Button type="primary" onClick={open} aria-label={`Approve ${name}`}>
        Approve
      </Button>
      <ConfirmButton
        label="Reject"
        name={`Reject ${name}`}
        question={`Reject the request of ${name}?`}
        onConfirm={() => {
          onReject(user);
        }}
      />
    </div>
  );
}
