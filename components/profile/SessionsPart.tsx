import { Button } from 'antd';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { useAction } from '../ui/useAction';
import styles from './profile.module.css';

/** Where the user is signed in, to end a session that is not theirs or was left open. */
export function SessionsPart({ timeZone }: { timeZone: string }) {
  const { data, error } = useRead('listOwnSessions', {});
  const endSession = useCall('endOwnSession');
  const endOtherSessions = useCall('endOtherSessions');
  const { isWaiting, failure, carryOut } = useAction();
  if (data === undefined) {
    return <p>{error === undefined ? 'One moment …' : error.message}</p>;
  }
  const at = (instant: string): string => formatDayAndTime(Date.parse(instant), timeZone);
  return (
    <>
      <FormFailure>{failure?.message ?? null}</FormFailure>
      <ul className={styles.sessions}>
        {data.items.map(({ sid, device, ip, startedAt, lastUsedAt, isLocked, isCurrent }) => (
          <li key={sid} className={styles.session}>
            <div>
              <strong>{device}</strong> {isCurrent ? '(this browser)' : ''} {isLocked ? '(locked)' : ''}
              <div className={styles.quiet}>
                Since {at(startedAt)}, last used {at(lastUsedAt)}
                {ip === null ? '' : `, from ${ip}`}
              </div>
            </div>
            {isCurrent ? null : (
              <Button
                disabled={isWaiting}
                aria-label={`End the session of ${device}`}
                onClick={() => void carryOut(() => endSession({ params: { sid } }))}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data.items.length < 2 ? null : (
        <div>
          <ConfirmButton
            label="End all others"
            question="End every session but this one?"
            onConfirm={() => void carryOut(() => endOtherSessions({}))}
          />
        </div>
      )}
    </>
  );
}
