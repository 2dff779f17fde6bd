import { userTypeLabels } from '../../lib/session/userTypes';
import { formatDayAndTime } from '../../lib/time/formatTime';
import type { Invitation } from '../../lib/users/schema';
import { ConfirmButton } from '../ui/ConfirmButton';
import styles from './admin.module.css';

interface InvitationsTableProps {
  invitations: readonly Invitation[];
  timeZone: string;
  onWithdraw: (invitation: Invitation) => void;
}

const columns = ['E-mail', 'Role', 'Administrator', 'Units', 'Made', 'Works until'];

/** The invitations that nobody has taken up yet. Their links are not shown again: a lost one is withdrawn and made anew. */
export function InvitationsTable({ invitations, timeZone, onWithdraw }: InvitationsTableProps) {
  return (
    <div className={`${styles.table} ant-table-wrapper wardlight ant-table-css-var`}>
      <div className="ant-table">
        <div className="ant-table-container">
          <table aria-label="Invitations">
            <thead className="ant-table-thead">
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" className="ant-table-cell">
                    {column}
                  </th>
                ))}
                <th scope="col" className="ant-table-cell">
                  <span className="visually-hidden">What to do</span>
                </th>
              </tr>
            </thead>
            <tbody className="ant-table-tbody">
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
                  <td className={`ant-table-cell ${styles.fixed}`}>{formatDayAndTime(Date.parse(invitation.createdAt), timeZone)}</td>
                  <td className={`ant-table-cell ${styles.fixed}`}>{formatDayAndTime(Date.parse(invitation.expiresAt), timeZone)}</td>
                  <td className="ant-table-cell">
                    <ConfirmButton
                      label="Withdraw"
                      name={`Withdraw the invitation of ${invitation.email}`}
                      question={`Make the link of ${invitation.email} worthless?`}
                      onConfirm={() => {
                        onWithdraw(invitation);
                      }}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </div>
  );
}
