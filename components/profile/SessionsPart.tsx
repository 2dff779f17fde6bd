import { Button } from 'antd';
import { useState } from 'react';
import { useProfile } from '../../hooks/useProfile';
import { useRead } from '../../hooks/useRead';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import styles from './profile.module.css';

/** Where somebody is signed in, to end what is not theirs or was left open. */
export function SessionsPart({ timeZone }: { timeZone: string }) {
  const { data, error, refresh } = useRead('listOwnSessions', {});
  const { endSession, endOtherSessions, isWaiting } = useProfile();
  const [failure, setFailure] = useState<string | null>(null);
  const carryOut = async (act: () => ReturnType<typeof endSession>): Promise<void> => {
    setFailure((await act())?.message ?? null);
    await refresh();
  };
  if (data === undefined) {
    return <p>{error === undefined ? 'One moment …' : error.message}</p>;
  }
  const at = (instant: string): string => formatDayAndTime(Date.parse(instant), timeZone);
  return (
    <>
      <FormFailure>{failure}</FormFailure>
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
                onClick={() => void carryOut(() => endSession(sid))}
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
            onConfirm={() => void carryOut(endOtherSessions)}
          />
        </div>
      )}
    </>
  );
}
