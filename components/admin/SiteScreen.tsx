import { useNow } from '../../hooks/useNow';
import { useOwnCall } from '../../hooks/useOwnCall';
import { useRead } from '../../hooks/useRead';
import { intendedUse, intendedUseVersion } from '../../lib/site/intendedUse';
import type { SiteSettings } from '../../lib/site/schema';
import { formatDate, formatTime } from '../../lib/time/formatTime';
import { Age } from '../ui/Age';
import { AsyncView } from '../ui/AsyncView';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { SubmitButton } from '../ui/SubmitButton';
import { useAction } from '../ui/useAction';
import type { ScreenProps } from '../ui/screenPage';
import { AdminNavigation } from './AdminNavigation';
import { SiteForm } from './SiteForm';
import styles from './admin.module.css';

interface ServerClockProps {
  doubt: NonNullable<SiteSettings['clockDoubt']>;
  timeZone: string;
}

/** Asks whether the server's clock is right, which may be wrong by more than a day. */
function ServerClock({ doubt, timeZone }: ServerClockProps) {
  // The shell no longer says that the clock may be wrong.
  const confirm = useOwnCall('confirmClock');
  const { isWaiting, failure, carryOut } = useAction();
  const timeOf = (instant: string): string =>
    `${formatDate(Date.parse(instant), timeZone)} at ${formatTime(Date.parse(instant), timeZone)}`;
  return (
    <section aria-labelledby="server-clock">
      <h2 id="server-clock">Server clock</h2>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void carryOut(() => confirm({ body: { isRight: true } }));
        }}
      >
        <FormFailure failure={failure} done="confirmed" />
        <p className={styles.warning}>
          <strong>The server’s clock may be wrong.</strong> It says {timeOf(doubt.statedAt)}. By the newest value before
          the server started, and the time since, it is {timeOf(doubt.expectedAt)}.
        </p>
        <p className={styles.text}>
          If the server was off in between, the clock may well be right. If it is wrong, have it set on the server: this
          question then goes away. No old values are deleted until you confirm the clock, or until it has run for
          24&nbsp;hours without being set.
        </p>
        <SubmitButton isWaiting={isWaiting}>The clock is right</SubmitButton>
      </form>
    </section>
  );
}

/** The site's settings, a doubt about the server's clock, the newest backup, and who accepted the intended use. */
export function SiteScreen({ user, now }: ScreenProps) {
  // This page shows antd's fields, so it does not wait for the end of the load.
  const settings = useRead('getSite', {});
  const { timeZone } = user.site;
  return (
    <div className={styles.screen}>
      <AdminNavigation user={user} />
      <h1>Site</h1>
      <AsyncView
        answer={settings}
        skeleton={<ListSkeleton label="The settings are loading" rows={5} />}
        timeZone={timeZone}
      >
        {(site) => (
          <div className={styles.columns}>
            <SiteForm site={site} />
            <div className={styles.form}>
              {site.clockDoubt === null ? null : <ServerClock doubt={site.clockDoubt} timeZone={timeZone} />}
              <Backup backup={site.backup} initialNow={now} timeZone={timeZone} />
              <IntendedUse site={site} timeZone={timeZone} />
            </div>
          </div>
        )}
      </AsyncView>
    </div>
  );
}

function Backup({
  backup,
  initialNow,
  timeZone,
}: {
  backup: SiteSettings['backup'];
  initialNow: number;
  timeZone: string;
}) {
  const now = useNow(initialNow);
  const takenAt = backup.takenAt === null ? null : Date.parse(backup.takenAt);
  return (
    <section aria-labelledby="backup">
      <h2 id="backup">Backup</h2>
      {takenAt === null ? null : (
        <p className={styles.text}>
          The last good one was taken <Age since={takenAt} now={now} timeZone={timeZone} /> ago, on{' '}
          {formatDate(takenAt, timeZone)} at {formatTime(takenAt, timeZone)}.
        </p>
      )}
      {backup.isOverdue ? (
        <p className={styles.warning}>
          <strong>{takenAt === null ? 'There is no backup yet.' : 'That is more than 26 hours ago.'}</strong> Wardlight
          takes one by itself every day, the first one half an hour after its start. If it does not, the server’s log
          says why; an operator can run <code>npm run backup</code>.
        </p>
      ) : null}
    </section>
  );
}

interface IntendedUseProps {
  site: SiteSettings;
  timeZone: string;
}

function IntendedUse({ site, timeZone }: IntendedUseProps) {
  return (
    <section aria-labelledby="intended-use">
      <h2 id="intended-use">Intended use</h2>
      <p className={styles.text}>What Wardlight is for, and what it is not:</p>
      <ol className={styles.statement}>
        {intendedUse.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ol>
      <Acceptance site={site} timeZone={timeZone} />
    </section>
  );
}

function Acceptance({ site: { isDemo, intendedUse: accepted }, timeZone }: IntendedUseProps) {
  // The shell no longer says that the rules are off.
  const accept = useOwnCall('acceptIntendedUse');
  const { isWaiting, failure, carryOut } = useAction();
  const when = accepted === null ? null : Date.parse(accepted.acceptedAt);
  const instant = when === null ? '' : `${formatDate(when, timeZone)} at ${formatTime(when, timeZone)}`;
  if (accepted?.isCurrent === true) {
    return (
      <p className={styles.text}>
        Accepted for this site by {accepted.acceptedBy} on {instant}.
      </p>
    );
  }
  if (isDemo) {
    return <p className={styles.text}>Nothing to accept: the alert rules of a demo ward are always on.</p>;
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void carryOut(() => accept({ body: { accepted: true, version: intendedUseVersion } }));
      }}
    >
      <FormFailure failure={failure} done="accepted" />
      <p className={styles.text}>
        {accepted === null
          ? 'The alert rules of this site start when you accept all of it.'
          : `It has changed since ${accepted.acceptedBy} accepted it on ${instant}. The alert rules keep running. ` +
            'Read it and accept it again.'}{' '}
        Your name and the time are kept.
      </p>
      <SubmitButton isWaiting={isWaiting}>Accept the intended use</SubmitButton>
    </form>
  );
}
