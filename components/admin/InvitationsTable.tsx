import { userTypeLabels } from '../../lib/session/userTypes';
import { formatDayAndTime } from '../../lib/time/formatTime';
import type { Invitation } from '../../lib/users/schema';
import { ConfirmButton } from '../ui/ConfirmButton';
import { AdminTable } from './AdminTable';
import styles from './admin.module.css';

interface InvitationsTableProps {
  invitations: readonly Invitation[];
  timeZone: string;
  onWithdraw: (invitation: Invitation) => void;
}

const columns = ['E-mail', 'Role', 'Administrator', 'Units', 'Created', 'Valid until'];

/** The invitations that are not used yet. Their links are not shown again: withdraw a lost one and create another. */
export function InvitationsTable({ invitations, timeZone, onWithdraw }: InvitationsTableProps) {
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
              onConfirm={() => {
                onWithdraw(invitation);
              }}
            />
          </td>
        </tr>
      ))}
    </AdminTable>
  );
}
