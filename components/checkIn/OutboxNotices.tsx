import type { OutboxState } from '../../hooks/checkInOutbox';
import { formatDayAndTime } from '../../lib/time/formatTime';
import styles from './checkIn.module.css';
import { keptText } from './keptText';

interface OutboxNoticesProps {
  outbox: OutboxState;
  /** The check-in that the page shows anyway. */
  latest: string | null;
  timeZone: string;
}

/** What became of earlier check-ins. */
export function OutboxNotices({ outbox, latest, timeZone }: OutboxNoticesProps) {
  const { waiting, arrived, refused, tooOld } = outbox;
  const others = <Each extends { clientId: string }>(all: readonly Each[]): Each[] =>
    all.filter(({ clientId }) => clientId !== latest);
  const of = (at: number): string => `Your check-in of ${formatDayAndTime(at, timeZone)}`;
  const unknown = (at: number): string =>
    `It is not known whether your ward got your check-in of ${formatDayAndTime(at, timeZone)}.`;
  const texts = [
    ...tooOld.map(
      ({ at, mayHaveArrived }) =>
        `${
          mayHaveArrived
            ? `${unknown(at)} No answer came within 24 hours.`
            : `${of(at)} could not be sent within 24 hours. Your ward never got it.`
        } It was deleted from this phone. Check in again now.`,
    ),
    ...others(refused).map(
      ({ at, failure, mayHaveArrived }) =>
        `${mayHaveArrived ? unknown(at) : `${of(at)} could not be sent.`} ${failure.message}`,
    ),
    ...others(waiting)
      .filter(({ hasFailed }) => hasFailed)
      .map(
        (each) =>
          `${each.mayHaveArrived ? unknown(each.at) : `${of(each.at)} is not sent yet.`} ${keptText(each, timeZone)}`,
      ),
    ...others(arrived).map(({ at }) => `${of(at)} has reached your ward.`),
  ];
  return (
    <div role="status" className={texts.length === 0 ? undefined : styles.notice}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}
