import { useNow } from '../../hooks/useNow';
import { escalationWords } from '../../lib/alerts/escalationWords';
import type { AlertItem } from '../../lib/alerts/schema';
import { pauseWords } from '../../lib/patients/pauseWords';
import { placeText } from '../../lib/patients/placeText';
import { Age } from '../ui/Age';
import { FormFailure } from '../ui/FormFailure';
import { NativeButton } from '../ui/NativeButton';
import { PatientName } from '../ui/PatientName';
import styles from './OpenAlerts.module.css';
import { PriorityMark } from './PriorityMark';
import { subjectName } from './subjectName';
import { useAlertActions, type AlertAction } from './useAlertActions';
import type { HeldAlert } from './useHeldAlerts';

interface AlertRowProps extends HeldAlert {
  canHandle: boolean;
  initialNow: number;
  timeZone: string;
}

/** One alert: its priority, its patient or device, its sentence, its age, and what users did about it. */
export function AlertRow({ alert, isClosed, patient, canHandle, initialNow, timeZone }: AlertRowProps) {
  const now = useNow(initialNow);
  const { running, failure, run } = useAlertActions(alert);
  const asked = escalationWords(alert, timeZone);
  const pause = patient === null ? null : pauseWords(patient, now);
  const shared = {
    subject: subjectName({ alert, patient }),
    canHandle,
    isClosed,
    running,
    now,
    timeZone,
    onPress: (action: AlertAction) => {
      void run(action);
    },
  };
  return (
    // The keyboard stays on the row when its button goes (useRowFocus).
    <li tabIndex={-1} className={styles.alert} data-priority={alert.priority}>
      <PriorityMark priority={alert.priority} />
      <div className={styles.who}>
        {patient === null ? <strong>{shared.subject}</strong> : <PatientName patient={patient} />}
        <span className={styles.quiet}>
          {patient === null ? 'Equipment' : `${placeText(patient)} · MRN ${patient.mrn}`}
        </span>
        {pause === null ? null : <strong className={styles.quiet}>{pause}</strong>}
      </div>
      <div className={styles.what}>
        <span data-current="">{alert.sentence}</span>
        <span className={styles.quiet}>
          {isClosed ? <strong>Closed · </strong> : null}
          {alert.endedAt === null ? null : (
            <>
              Ended <Age since={Date.parse(alert.endedAt)} now={now} timeZone={timeZone} /> ago
              {alert.acknowledged === null && !isClosed ? ', not acknowledged' : null} ·{' '}
            </>
          )}
          Raised <Age since={Date.parse(alert.raisedAt)} now={now} timeZone={timeZone} /> ago
          {alert.lastRaisedAt === alert.raisedAt ? null : (
            <>
              , last <Age since={Date.parse(alert.lastRaisedAt)} now={now} timeZone={timeZone} /> ago
            </>
          )}
        </span>
        <span className={styles.asked} title={asked}>
          {asked}
        </span>
      </div>
      <ActionCell {...shared} action="acknowledge" name="Acknowledge" past="Acknowledged" done={alert.acknowledged} />
      <ActionCell
        {...shared}
        action="accept"
        name="Accept"
        past="Accepted"
        done={alert.accepted}
        again={alert.escalation.answerBy === null ? undefined : 'Accept again'}
      />
      <div className={styles.failure}>
        <FormFailure>{failure === null ? null : `Not done. ${failure.message}`}</FormFailure>
      </div>
    </li>
  );
}

interface ActionCellProps {
  action: AlertAction;
  /** The name of the action, before and after it is done. */
  name: string;
  past: string;
  /** Who did it and when; null: no one yet. */
  done: AlertItem['acknowledged'];
  /** The name of the action if it is asked for again. */
  again?: string;
  subject: string;
  canHandle: boolean;
  isClosed: boolean;
  running: AlertAction | null;
  now: number;
  timeZone: string;
  onPress: (action: AlertAction) => void;
}

/** Shows who did it and when, or the button for it. A closed alert may have been handled since it was read. */
function ActionCell(props: ActionCellProps) {
  const { action, name, past, done, again, subject, canHandle, isClosed, running, now, timeZone, onPress } = props;
  const doneText =
    done === null ? null : (
      <>
        {past} by {done.by.name},{' '}
        <span className={styles.quiet}>
          <Age since={Date.parse(done.at)} now={now} timeZone={timeZone} /> ago
        </span>
      </>
    );
  if (isClosed || (done !== null && (again === undefined || !canHandle))) {
    return <span className={styles.action}>{doneText}</span>;
  }
  return (
    <span className={styles.action}>
      {doneText}
      {canHandle ? (
        <NativeButton
          // The pressed button stays enabled: a disabled one loses the keyboard.
          disabled={running !== null && running !== action}
          onClick={() => {
            onPress(action);
          }}
        >
          {done === null ? name : again}
          <span className="visually-hidden"> the alert of {subject}</span>
        </NativeButton>
      ) : (
        <span className={styles.quiet}>Not {past.toLowerCase()}</span>
      )}
    </span>
  );
}
