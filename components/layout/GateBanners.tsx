import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import { SessionEndBanner } from '../session/SessionEndBanner';
import { SoundState } from '../sound/SoundState';
import { AlertsNotRunningBanner } from './AlertsNotRunningBanner';
import { Banners } from './Banners';
import styles from './GateBanners.module.css';
import { NothingStoredBanner } from './NothingStoredBanner';
import { RulesOffBanner } from './RulesOffBanner';

interface GateBannersProps {
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
  sessionEndsAt: number | null;
}

/** The banners above a screen that takes the place of the page: a locked one, or one that lost the server. */
export function GateBanners({ user, now, sessionEndsAt }: GateBannersProps) {
  const { timeZone, rulesAreOn } = user.site;
  return (
    <Banners>
      <AlertsNotRunningBanner timeZone={timeZone} />
      <NothingStoredBanner timeZone={timeZone} />
      {rulesAreOn ? null : <RulesOffBanner canAccept={can(user, 'manageSite')} />}
      {sessionEndsAt === null ? null : <SessionEndBanner initialNow={now} endsAt={sessionEndsAt} timeZone={timeZone} />}
      <div className={styles.sound}>
        <SoundState userId={user.id} initialNow={now} />
      </div>
    </Banners>
  );
}
