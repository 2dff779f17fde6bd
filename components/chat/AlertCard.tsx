import Link from 'next/link';
import { useContext, useEffect } from 'react';
import { useMessageContext, type UnsupportedAttachmentProps } from 'stream-chat-react';
import { useServerLost } from '../../hooks/useServerLost';
import type { AlertItem } from '../../lib/alerts/schema';
import { priorityLabels } from '../../lib/alerts/priority';
import { sentenceAsOf } from '../../lib/alerts/sentenceAsOf';
import { alertIdOf, alertText } from '../../lib/chat/alertMessage';
import { markTrial } from '../../lib/patients/markTrial';
import { paths } from '../../lib/paths';
import { formatTime } from '../../lib/time/formatTime';
import { placeWords } from '../alerts/alertSubject';
import { LiveAge } from '../alerts/LiveAge';
import { PriorityShape } from '../ui/PriorityShape';
import styles from './AlertCard.module.css';
import { ChatAlertsContext } from './chatAlerts';

/** What the package does not know among the attachments of a message: an alert as a card, or a word that it is none. */
export function AlertAttachment({ attachment }: UnsupportedAttachmentProps) {
  const { message } = useMessageContext();
  const alertId = alertIdOf(attachment);
  if (alertId === null) {
    return <p className={styles.card}>This attachment cannot be shown here.</p>;
  }
  // The words under it are for devices without cards; what a colleague wrote beside an alert stays.
  return (
    <div data-alone={message.text === alertText(alertId) ? '' : undefined}>
      <AlertCard alertId={alertId} />
    </div>
  );
}

/**
 * An alert in the chat, drawn from our own server as it is now, for those who may see it. Without the patient's name:
 * others may stand beside a screen with a chat.
 */
function AlertCard({ alertId }: { alertId: number }) {
  const { read, show, canRead } = useContext(ChatAlertsContext);
  useEffect(() => show(alertId), [show, alertId]);
  const alert = read.data?.items.find(({ id }) => id === alertId);
  return (
    <section className={styles.card} aria-label={`Alert ${alertId}`} data-priority={alert?.priority}>
      {alert !== undefined ? (
        <AlertFacts alert={alert} />
      ) : !canRead || read.data?.asked.includes(alertId) === true ? (
        <p>You cannot see this alert.</p>
      ) : read.error !== undefined ? (
        <p>{`Alert ${alertId} cannot be shown now. ${read.error.message}`}</p>
      ) : (
        <p>{`Alert ${alertId} is loading …`}</p>
      )}
    </section>
  );
}

function AlertFacts({ alert }: { alert: AlertItem }) {
  const { read, timeZone, openedAt } = useContext(ChatAlertsContext);
  const lost = useServerLost();
  const { priority, patient, patientId, deviceName, closedAt, endedAt, condition, raisedAt, headline } = alert;
  const shared = { initialNow: openedAt, timeZone };
  const isOver = closedAt !== null || condition === 'ended';
  const isHeld = alert.accepted !== null || alert.acknowledged !== null;
  // The clock of the last response: what is shown was true then.
  const since = lost ?? (read.error === undefined ? null : read.asOf);
  const asOf = since === null ? null : formatTime(since, timeZone);
  return (
    <>
      <p className={styles.head}>
        <PriorityShape priority={priority} look={isOver ? 'inherited' : isHeld ? 'outlined' : 'filled'} size={22} />
        <strong>{`${priorityLabels[priority]} priority`}</strong>
        {asOf === null ? null : <strong className={styles.old}>{`Not live, as of ${asOf}`}</strong>}
      </p>
      <p className={styles.headline} data-old={asOf === null ? undefined : ''}>
        {sentenceAsOf(headline, asOf)}
      </p>
      <p>{patient === null ? (deviceName ?? 'Equipment') : markTrial(placeWords(patient), patient)}</p>
      <p>
        {endedAt === null ? null : (
          <strong>
            Ended <LiveAge instant={endedAt} {...shared} />.{' '}
          </strong>
        )}
        {closedAt === null ? null : <strong>Closed. </strong>}
        <WhoHasIt alert={alert} {...shared} />
      </p>
      <p className={styles.foot}>
        <span>
          Raised <LiveAge instant={raisedAt} {...shared} />
        </span>
        {patient !== null && patientId !== null ? (
          <Link href={paths.patientDetails([patientId])} prefetch={false}>
            Open the patient<span className="visually-hidden">{` of alert ${alert.id}`}</span>
          </Link>
        ) : (
          <Link href={paths.alertHistory()} prefetch={false}>
            Alert history
          </Link>
        )}
      </p>
    </>
  );
}

function WhoHasIt({ alert, ...shared }: { alert: AlertItem; initialNow: number; timeZone: string }) {
  const { accepted, acknowledged } = alert;
  const done = accepted ?? acknowledged;
  return done === null ? (
    'Not taken, not acknowledged'
  ) : (
    <>
      {accepted === null ? 'Acknowledged' : 'Taken'} by {done.by.name}, <LiveAge instant={done.at} {...shared} />
      {accepted !== null && acknowledged === null ? ', not acknowledged' : null}
    </>
  );
}
