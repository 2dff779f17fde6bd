import { Button } from 'antd';
import { useNow } from '../../hooks/useNow';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { Confirmation, ListedUser } from '../../lib/users/schema';
import { Age } from '../ui/Age';
import { ConfirmButton } from '../ui/ConfirmButton';
import { AdminTable } from './AdminTable';
import styles from './admin.module.css';

interface UsersTableProps {
  users: readonly ListedUser[];
  /** Of the users who wait for confirmation. */
  confirmations: readonly Confirmation[];
  ownId: number;
  initialNow: number;
  timeZone: string;
  onOpen: (user: ListedUser) => void;
  onReject: (user: ListedUser) => void;
  onConfirm: (user: ListedUser) => void;
}

const stateLabels = { active: 'Active', waiting: 'Waits for approval', disabled: 'Disabled' } as const satisfies Record<
  ListedUser['state'],
  string
>;
const columns = ['Name', 'E-mail', 'Role', 'Administrator', 'Units', 'State', 'Last active'];

/** The users. Requests come first and are approved or rejected here. Everything else is done in a drawer. */
export function UsersTable({
  users,
  confirmations,
  ownId,
  initialNow,
  timeZone,
  onOpen,
  onReject,
  onConfirm,
}: UsersTableProps) {
  const now = useNow(initialNow);
  const confirmationOf = ({ id, state }: ListedUser): Confirmation | undefined =>
    state === 'active' ? confirmations.find((one) => one.id === id) : undefined;
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
          <td className={`ant-table-cell ${styles.fixed}`}>{stateText(user, confirmationOf(user))}</td>
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
            <Actions
              user={user}
              confirmation={confirmationOf(user)}
              onOpen={onOpen}
              onReject={onReject}
              onConfirm={onConfirm}
            />
          </td>
        </tr>
      ))}
    </AdminTable>
  );
}

function stateText({ state }: ListedUser, confirmation: Confirmation | undefined): string {
  if (confirmation === undefined) {
    return stateLabels[state];
  }
  return confirmation.openedBy === null
    ? 'Waits for confirmation'
    : `Waits for confirmation, opened by ${confirmation.openedBy}`;
}

type ActionsProps = { user: ListedUser; confirmation: Confirmation | undefined } & Pick<
  UsersTableProps,
  'onOpen' | 'onReject' | 'onConfirm'
>;

function Actions({ user, confirmation, onOpen, onReject, onConfirm }: ActionsProps) {
  const name = `${user.fname} ${user.lname}`;
  const open = (): void => {
    onOpen(user);
  };
  if (user.state !== 'waiting') {
    const change = (
      <Button onClick={open} aria-label={`Change ${name}`}>
        Change
      </Button>
    );
    return confirmation?.mayConfirm === true ? (
      <div className={styles.actions}>
        <ConfirmButton
          label="Confirm"
          name={`Confirm ${name}`}
          question={`Did ${name} ask you for it, and choose the password?`}
          onConfirm={() => onConfirm(user)}
        />
        {change}
      </div>
    ) : (
      change
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
        onConfirm={() => onReject(user)}
      />
    </div>
  );
}
