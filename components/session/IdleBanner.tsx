import { useEffect } from 'react';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { idleMs, useIdle } from '../../hooks/useIdle';
import { useNow } from '../../hooks/useNow';
import banner from '../ui/Banner.module.css';

/** The screen warns this long before it locks, or at half of the idle time if that is shorter. In milliseconds. */
const warnMs = 120_000;

interface IdleBannerProps {
  initialNow: number;
  lastInputAt: number;
  /** Minutes without input after which the site's screens lock. */
  idleMinutes: number;
}

/** Locks a page without input, and warns two minutes before. It counts elapsed time: no clock that is set locks it. */
export function IdleBanner({ initialNow, lastInputAt, idleMinutes }: IdleBannerProps) {
  const { lock } = useCurrentUser();
  const { idle, noteInput } = useIdle(initialNow - lastInputAt);
  // Every second.
  useNow(initialNow);
  const left = Math.max(0, idleMinutes * 60_000 - idleMs(idle));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) {
      void lock();
    }
    // Once each time the idle time ends, not each time that `lock` is another function.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isOver]);
  const seconds = Math.ceil(left / 1_000);
  const isWarning = left <= Math.min(warnMs, idleMinutes * 30_000);
  return (
    <div role="status">
      {isWarning ? (
        <div className={banner.notice}>
          <strong>This screen locks soon</strong>, because there was no input.{' '}
          <span aria-hidden="true">
            {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')} left.{' '}
          </span>
          <button
            type="button"
            className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
            onClick={noteInput}
          >
            <span>Stay signed in</span>
          </button>
        </div>
      ) : null}
    </div>
  );
}
