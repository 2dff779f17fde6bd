import { useEffect, type ReactNode } from 'react';
import { usePageUser } from '../../hooks/usePageUser';
import { useServerLost } from '../../hooks/useServerLost';
import { switchSpeakerOn } from '../../lib/browser/speaker';
import { isDisplay } from '../../lib/session/isDisplay';
import type { User } from '../../lib/session/schema';
import { Banners } from '../layout/Banners';
import { DemoBanner } from '../layout/DemoBanner';
import { InsecureBanner } from '../layout/InsecureBanner';
import { RulesOffBanner } from '../layout/RulesOffBanner';
import { useWallTheme } from '../layout/useThemeChoice';
import { IdleBanner } from '../session/IdleBanner';
import { SessionEndBanner } from '../session/SessionEndBanner';
import styles from './WallShell.module.css';

interface WallShellProps {
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
  lastInputAt: number | null;
  /** When the session ends by itself, epoch milliseconds; null: it does not. */
  sessionEndsAt: number | null;
  insecureTransport: boolean;
  children: ReactNode;
}

/** The frame of the wall: no navigation and no menus. Users other than displays keep their lock and their end. */
export function WallShell({
  user: pageUser,
  now,
  lastInputAt,
  sessionEndsAt,
  insecureTransport,
  children,
}: WallShellProps) {
  const user = usePageUser(pageUser);
  const serverLost = useServerLost();
  useWallTheme();
  const isOfDisplay = isDisplay(user);
  useEffect(() => {
    // No one touches a display: a browser that was started for that lets it sound at once (docs/how-to.md).
    if (isOfDisplay) {
      void switchSpeakerOn();
    }
  }, [isOfDisplay]);
  const { idleMinutes, isDemo, rulesAreOn, timeZone } = user.site;
  return (
    <div className={styles.shell} data-server-lost={serverLost === null ? undefined : ''}>
      {insecureTransport ? <InsecureBanner /> : null}
      {isDemo ? <DemoBanner /> : null}
      <Banners>
        {rulesAreOn ? null : <RulesOffBanner canAccept={false} />}
        {isOfDisplay ? null : (
          <IdleBanner initialNow={now} lastInputAt={lastInputAt ?? now} idleMinutes={idleMinutes} />
        )}
        {sessionEndsAt === null ? null : (
          <SessionEndBanner initialNow={now} endsAt={sessionEndsAt} timeZone={timeZone} />
        )}
      </Banners>
      <main className={styles.main}>{children}</main>
    </div>
  );
}
