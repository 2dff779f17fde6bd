import { Button } from 'antd';
import Link from 'next/link';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import type { BreakGlassNotice } from '../../lib/breakGlass/schema';
import { paths } from '../../lib/paths';
import { userTypeLabels } from '../../lib/session/userTypes';
import { formatDayAndTime, formatTime } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import styles from './admin.module.css';
import { AdminNavigation } from './AdminNavigation';
import { AdminTable } from './AdminTable';
import { useAction } from '../ui/useAction';
import type { ScreenProps } from '../ui/screenPage';

/** An administrator reviews each emergency access within this time (clinical.md section 9). */
const reviewWithinMs = 72 * 3_600_000;
const columns = ['Who', 'Role', 'From', 'Until', 'Reason', 'Reviewed'];

/** Lists who used emergency access and why. An administrator marks each use as reviewed. */
export function EmergencyAccessScreen({ user, now: initialNow }: ScreenProps) {
  const { timeZone } = user.site;
  const now = useNow(initialNow);
  const notices = useRead('listBreakGlass', {});
  const see = useCall('seeBreakGlass');
  const { failure, carryOut } = useAction();
  return (
    <div className={styles.screen}>
      <AdminNavigation user={user} />
      <h1>Emergency access</h1>
      <p className={styles.text}>
        In an emergency a user who is limited to some units can open all of them, for at most 60 minutes. Review each
        use within 72 hours. The patients viewed are listed in the{' '}
        <Link href={paths.adminAudit} prefetch={false}>
          Audit log
        </Link>
        .
      </p>
      <FormFailure failure={failure} done="saved" />
      <AsyncView
        answer={notices}
        isEmpty={({ items }) => items.length === 0}
        skeleton={<ListSkeleton label="Emergency access is loading" rows={5} />}
        empty={() => (
          <EmptyState title="Emergency access has not been used.">
            <p>When it is used, you get a mail and it is listed here.</p>
          </EmptyState>
        )}
        timeZone={timeZone}
      >
        {({ items }) => (
          <AdminTable label="Emergency access" columns={columns} region="Who used emergency access">
            {items.map((notice) => (
              <tr key={notice.id} className="ant-table-row" data-state={notice.seenAt === null ? 'waiting' : undefined}>
                <th scope="row" className="ant-table-cell">
                  {notice.name}
                </th>
                <td className="ant-table-cell">{userTypeLabels[notice.type]}</td>
                <td className={`ant-table-cell ${styles.fixed}`}>
                  {formatDayAndTime(Date.parse(notice.startedAt), timeZone)}
                </td>
                <td className={`ant-table-cell ${styles.fixed}`}>
                  {formatTime(Date.parse(notice.endsAt), timeZone)}
                  {Date.parse(notice.endsAt) > now ? ', still open' : null}
                </td>
                <td className="ant-table-cell">{notice.reason}</td>
                <td className="ant-table-cell">
                  <Seen
                    notice={notice}
                    now={now}
                    timeZone={timeZone}
                    onSee={() => void carryOut(() => see({ params: { id: notice.id } }))}
                  />
                </td>
              </tr>
            ))}
          </AdminTable>
        )}
      </AsyncView>
    </div>
  );
}

interface SeenProps {
  notice: BreakGlassNotice;
  now: number;
  timeZone: string;
  onSee: () => void;
}

function Seen({ notice: { name, startedAt, seenAt, seenBy }, now, timeZone, onSee }: SeenProps) {
  if (seenAt !== null) {
    return `${seenBy ?? 'An administrator'}, ${formatDayAndTime(Date.parse(seenAt), timeZone)}`;
  }
  return (
    <div className={styles.actions}>
      <Button
        onClick={onSee}
        aria-label={`Mark as reviewed: access of ${name}, ${formatDayAndTime(Date.parse(startedAt), timeZone)}`}
      >
        Mark as reviewed
      </Button>
      {now - Date.parse(startedAt) > reviewWithinMs ? <strong>Waiting for more than 72 hours</strong> : null}
    </div>
  );
}
