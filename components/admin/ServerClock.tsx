import { useOwnCall } from '../../hooks/useOwnCall';
import type { SiteSettings } from '../../lib/site/schema';
import { formatDate, formatTime } from '../../lib/time/formatTime';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { useAction } from '../ui/useAction';
import styles from './admin.module.css';

interface ServerClockProps {
  doubt: NonNullable<SiteSettings['clockDoubt']>;
  timeZone: string;
}

/** Asks whether the server's clock is right, which may be wrong by more than a day. */
export function ServerClock({ doubt, timeZone }: ServerClockProps) {
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
        <FormFailure>{failure === null ? null : `Not confirmed. ${failure.message}`}</FormFailure>
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
