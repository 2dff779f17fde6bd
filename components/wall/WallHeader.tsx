import type { ApiFailure } from '../../lib/browser/client';
import { useAlertsStopped } from '../../hooks/useAlertsStopped';
import { useNotStored } from '../../hooks/useNotStored';
import { formatClock, formatTime, formatTimeWithSeconds } from '../../lib/time/formatTime';
import type { Wall } from '../../lib/wall/schema';
import { SiteClock } from '../layout/SiteClock';
import { SoundState } from '../sound/SoundState';
import { Icon } from '../ui/Icon';
import { PriorityShape } from '../ui/PriorityShape';
import styles from './WallHeader.module.css';

interface WallHeaderProps {
  title: string;
  /** What is not on this wall; null: nothing. */
  missing: string | null;
  issueReport: Wall['issueReport'];
  silentGateways: Wall['silentGateways'];
  now: number;
  userId: number;
  /** Since when the server has not answered, epoch milliseconds; null while it does. */
  serverLost: number | null;
  /** Why the last poll failed. */
  error: ApiFailure | undefined;
  timeZone: string;
}

/**
 * The unit, the site's time and the sound. What makes the tiles worthless takes the whole width of the same band, so
 * that no tile moves. The live region is always there: screen readers do not read one that appears with its text.
 */
export function WallHeader(props: WallHeaderProps) {
  const { title, missing, issueReport, silentGateways, now, userId, serverLost, error, timeZone } = props;
  const alertsStopped = useAlertsStopped();
  const notStoredSince = useNotStored();
  const notStored = notStoredSince === null ? null : `Nothing is stored since ${formatTime(notStoredSince, timeZone)}`;
  const notLive =
    serverLost !== null
      ? `NOT LIVE since ${formatTimeWithSeconds(serverLost, timeZone)} - last data shown`
      : error === undefined || error.status === null
        ? null
        : `NOT LIVE - ${error.message}`;
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>{title}</h1>
      <div
        role="status"
        className={styles.report}
        data-priority={issueReport?.priority}
        data-seen={issueReport?.isSeen === true ? '' : undefined}
      >
        {issueReport === null ? null : (
          <>
            <PriorityShape priority={issueReport.priority} look={issueReport.isSeen ? 'outlined' : 'inherited'} />
            <strong>{reportWords(issueReport, now, timeZone)}</strong>
          </>
        )}
      </div>
      <div role="status" className={styles.silent} data-priority={silentGateways?.priority}>
        {silentGateways === null ? null : (
          <>
            <PriorityShape priority={silentGateways.priority} look="inherited" />
            <strong>{silentWords(silentGateways, now, timeZone)}</strong>
          </>
        )}
      </div>
      {/* Numbers and alerts go on: it covers none of them. */}
      <div role="alert" className={styles.notStored}>
        {notStored === null || alertsStopped !== null ? null : (
          <>
            <Icon name="warning" />
            <strong>{notStored}</strong>
            {notLive === null ? <span>Numbers and alerts go on.</span> : null}
          </>
        )}
      </div>
      {missing === null ? null : <p className={styles.missing}>{missing}</p>}
      <div className={styles.clock}>
        <SiteClock now={now} timeZone={timeZone} />
      </div>
      <div role="alert" className={styles.bars}>
        {notLive === null ? null : (
          <div className={styles.notLive}>
            <Icon name="warning" />
            <strong>{notLive}</strong>
            <span>Look at the patients and the bedside monitors.</span>
          </div>
        )}
        {alertsStopped === null ? null : (
          <div className={styles.notRunning}>
            <Icon name="warning" />
            <strong>ALERTS NOT RUNNING since {formatTimeWithSeconds(alertsStopped, timeZone)}</strong>
            <span>{notStored === null ? '' : `${notStored}. `}Look at the patients and the bedside monitors.</span>
          </div>
        )}
      </div>
      <div className={styles.sound}>
        <SoundState userId={userId} initialNow={now} />
      </div>
    </header>
  );
}

/** A gateway is equipment: its alert is in no tile, and its name could be a person's. */
function silentWords({ since, patients }: NonNullable<Wall['silentGateways']>, now: number, timeZone: string): string {
  const of = `${patients} ${patients === 1 ? 'patient' : 'patients'}`;
  return `Gateway silent since ${formatClock(Date.parse(since), now, timeZone)}, no data from ${of}`;
}

/** As the headline of its alert: nothing that a reporter wrote hangs in a corridor. */
function reportWords({ since }: NonNullable<Wall['issueReport']>, now: number, timeZone: string): string {
  return `Issue report: monitoring lost or wrong patient data since ${formatClock(Date.parse(since), now, timeZone)}`;
}
