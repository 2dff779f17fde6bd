import Link from 'next/link';
import { type ReactNode, useSyncExternalStore } from 'react';
import { subscribeToTicks } from '../../hooks/ticker';
import { useAlertsOldSince } from '../../hooks/useAlertsOld';
import { useAlertsStopped } from '../../hooks/useAlertsStopped';
import { useNow } from '../../hooks/useNow';
import { usePageValues } from '../../hooks/PageValuesProvider';
import { useSound } from '../../hooks/SoundProvider';
import { isAnswering } from '../../lib/browser/serverClock';
import { paths } from '../../lib/paths';
import { staleBeds } from '../../lib/patients/staleBeds';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { QuickSearch } from '../patients/QuickSearch';
import { SoundState } from '../sound/SoundState';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Logo } from '../ui/Logo';
import { AlertChip } from './AlertChip';
import styles from './Header.module.css';
import { LiveLamp } from './LiveLamp';
import { NotLiveMessage } from './NotLiveMessage';
import { SiteClock } from './SiteClock';
import { UserMenu } from './UserMenu';

interface HeaderProps {
  user: User;
  initialNow: number;
  /** Since when the server has not answered, epoch milliseconds, or null. */
  serverLost: number | null;
  /** The page's address: another page gets another try of what could not be drawn. */
  resetKey: string;
  /** The button of the chat. */
  children: ReactNode;
}

/**
 * The head of every page of a signed-in user: what is live, the site's time, the alerts that wait, the user. Search,
 * chat and menu have boundaries of their own, so that a fault of one hides nothing of the rest.
 */
export function Header({ user, initialNow, serverLost, resetKey, children }: HeaderProps) {
  const { name, timeZone } = user.site;
  return (
    <header className={styles.header}>
      <Link href={paths.start} className={styles.brand} prefetch={false} title={name}>
        <Logo size={28} />
        <span className="visually-hidden">Wardlight, </span>
        <span className={styles.site}>{name}</span>
      </Link>
      <ErrorBoundary resetKey={resetKey}>
        {can(user, 'readPatients') ? <QuickSearch user={user} /> : null}
      </ErrorBoundary>
      <NotLiveMessage serverLost={serverLost} timeZone={timeZone} />
      <LiveStatus initialNow={initialNow} serverLost={serverLost} timeZone={timeZone} />
      {can(user, 'readAlerts') && can(user, 'readPatients') ? <AlertChip rulesAreOn={user.site.rulesAreOn} /> : null}
      <SoundState userId={user.id} initialNow={initialNow} />
      <ErrorBoundary resetKey={resetKey}>
        {children}
        <UserMenu user={user} />
      </ErrorBoundary>
    </header>
  );
}

/** Returns whether the server answers: false from a call without an answer until the next one with one. */
function useIsAnswering(): boolean {
  return useSyncExternalStore(subscribeToTicks, isAnswering, () => true);
}

/** The two parts of the header that change each second, drawn without the rest of it. */
function LiveStatus({
  initialNow,
  serverLost,
  timeZone,
}: Pick<HeaderProps, 'initialNow' | 'serverLost'> & { timeZone: string }) {
  const now = useNow(initialNow);
  const { areShown, newestAsOf, delayMs, patients } = usePageValues();
  const alertsStopped = useAlertsStopped();
  const isAnswering = useIsAnswering();
  const { isNeeded, isOn } = useSound();
  return (
    <div className={styles.status}>
      <LiveLamp
        areValuesShown={areShown}
        newestAsOf={newestAsOf}
        delayMs={delayMs}
        now={now}
        serverLost={serverLost}
        isAnswering={isAnswering}
        alertsStopped={alertsStopped}
        alertsOldSince={useAlertsOldSince()}
        beds={staleBeds(patients, now)}
        isSilent={isNeeded && !isOn}
      />
      <SiteClock now={now} timeZone={timeZone} />
    </div>
  );
}
