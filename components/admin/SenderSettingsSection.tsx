import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useRead } from '../../hooks/useRead';
import type { ListedSettings } from '../../lib/interfaces/schema';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { ListSkeleton } from '../ui/ListSkeleton';
import { onDemand } from '../ui/onDemand';
import styles from './admin.module.css';
import { AdminTable } from './AdminTable';

const SenderSettingsDrawer = onDemand(() =>
  import('./SenderSettingsDrawer').then((module) => module.SenderSettingsDrawer),
);

interface SectionProps {
  user: User;
  /** The sender that was just accepted: its questions are shown. */
  acceptedId: number | null;
}

/** What two people have answered about the senders of the site, and what is still to be answered. */
export function SenderSettingsSection({ user, acceptedId }: SectionProps) {
  const answer = useRead('listSenderSettings', {});
  const { refresh } = answer;
  const [openId, setOpenId] = useState<number | null>(null);
  useEffect(() => {
    if (acceptedId !== null) {
      setOpenId(acceptedId);
      void refresh();
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once for each sender
  }, [acceptedId]);
  const { timeZone } = user.site;
  return (
    <AsyncView
      answer={answer}
      isEmpty={({ items }) => items.length === 0}
      skeleton={<ListSkeleton label="Questions are loading" rows={2} />}
      timeZone={timeZone}
    >
      {({ items }) => {
        const open = items.find(({ id }) => id === openId);
        return (
          <div className={styles.screen}>
            <h2>Questions about senders</h2>
            <p className={styles.text}>
              A technician or an administrator proposes the answers, a physician or a ward lead confirms them. Until
              then no values of a new sender are used.
            </p>
            <AdminTable label="Questions" columns={['Sender', 'State']} hasActions region="Questions about senders">
              {items.map((sender) => (
                <tr key={sender.id} className="ant-table-row">
                  <th scope="row" className="ant-table-cell">
                    {sender.name}
                  </th>
                  <td className="ant-table-cell">
                    {stateWords(sender, timeZone)}
                    {sender.version > 0 && sender.settings.beside === 'asSent' ? (
                      <div className={styles.quiet}>MRN alone{sender.version === 1 ? ': decide' : ' is enough'}</div>
                    ) : null}
                  </td>
                  <td className="ant-table-cell">
                    {sender.proposal === null && !can(user, 'proposeMappings') ? null : (
                      <Button
                        aria-label={`${actionOf(sender)} about ${sender.name}`}
                        onClick={() => {
                          setOpenId(sender.id);
                        }}
                      >
                        {actionOf(sender)}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </AdminTable>
            {open === undefined ? null : (
              <SenderSettingsDrawer
                key={open.id}
                sender={open}
                onClose={() => {
                  setOpenId(null);
                }}
              />
            )}
          </div>
        );
      }}
    </AsyncView>
  );
}

const actionOf = ({ proposal, version }: ListedSettings): string =>
  proposal !== null ? 'Review answers' : version === 0 ? 'Answer questions' : 'Change answers';

function stateWords({ proposal, version, since }: ListedSettings, timeZone: string): string {
  if (proposal !== null) {
    return `Proposed by ${proposal.by.name}, waits for a physician or a ward lead`;
  }
  const from = since === null ? '' : ` since ${formatDayAndTime(Date.parse(since), timeZone)}`;
  return version === 0 ? 'Questions open: no values used yet' : `Version ${version}${from}`;
}
