import { useNow } from '../../hooks/useNow';
import type { AlertActs } from '../../hooks/useAlertActs';
import type { AlertItem } from '../../lib/alerts/schema';
import type { Patient } from '../../lib/patients/schema';
import { useAct } from '../ui/useAct';
import { PatientName, patientName } from '../ui/PatientName';
import { pauseWords } from '../../lib/patients/pauseWords';
import { placeText } from '../../lib/patients/placeText';
import { Age } from '../ui/Age';
import { FormFailure } from '../ui/FormFailure';
import { NativeButton } from '../ui/NativeButton';
import styles from './OpenAlerts.module.css';
import { PriorityMark } from './PriorityMark';

interface AlertRowProps {
  alert: AlertItem;
  /** It is no longer open; it keeps its place without its buttons. */
  isClosed: boolean;
  /** Null: it is about equipment. */
  patient: Patient | null;
  canHandle: boolean;
  acts: AlertActs;
  initialNow: number;
  timeZone: string;
}

/** One alert: its priority, its patient or device, its sentence, its age, and what users did about it. */
export function AlertRow({ alert, isClosed, patient, canHandle, acts, initialNow, timeZone }: AlertRowProps) {
  const now = useNow(initialNow);
  const { isWaiting, failure, carryOut } = useAct();
  const who = patient === null ? (alert.deviceName ?? 'Equipment') : patientName(patient);
  const pause = patient === null ? null : pauseWords(patient, now);
  const shared = { alert, who, canHandle: canHandle && !isClosed, isWaiting, now, timeZone };
  return (
    <li className={styles.alert} data-priority={alert.priority}>
      <PriorityMark priority={alert.priority} />
      <div className={styles.who}>
        {patient === null ? <strong>{who}</strong> : <PatientName patient={patient} />}
        <span className={styles.quiet}>
          {patient === null ? 'Equipment' : `${placeText(patient)} · MRN ${patient.mrn}`}
        </span>
        {pause === null ? null : <strong className={styles.quiet}>{pause}</strong>}
      </div>
      <div className={styles.what}>
        <span>{alert.sentence}</span>
        <span className={styles.quiet}>
          {isClosed ? <strong>Closed · </strong> : null}
          {alert.endedAt === null ? null : (
            <>
              Ended <Age since={Date.parse(alert.endedAt)} now={now} timeZone={timeZone} /> ago
              {alert.acknowledged === null ? ', not acknowledged' : null} ·{' '}
            </>
          )}
          Raised <Age since={Date.parse(alert.raisedAt)} now={now} timeZone={timeZone} /> ago
        </span>
      </div>
      <Deed
        {...shared}
        name="Acknowledge"
        done="Acknowledged"
        deed={alert.acknowledged}
        onAct={() => carryOut(() => acts.acknowledge(alert.id))}
      />
      <Deed
        {...shared}
        name="Accept"
        done="Accepted"
        deed={alert.accepted}
        onAct={() => carryOut(() => acts.accept(alert.id))}
      />
      <div className={styles.failure}>
        <FormFailure>{failure === null ? null : `Not done. ${failure.message}`}</FormFailure>
      </div>
    </li>
  );
}

interface DeedProps {
  /** The name of the action, before and after it is done. */
  name: string;
  done: string;
  deed: AlertItem['acknowledged'];
  who: string;
  canHandle: boolean;
  isWaiting: boolean;
  now: number;
  timeZone: string;
  onAct: () => Promise<boolean>;
}

/** Shows who did it and when, or the button for it. */
function Deed({ name, done, deed, who, canHandle, isWaiting, now, timeZone, onAct }: DeedProps) {
  if (deed !== null) {
    return (
      <span className={styles.deed}>
        {done} by {deed.by.name},{' '}
        <span className={styles.quiet}>
          <Age since={Date.parse(deed.at)} now={now} timeZone={timeZone} /> ago
        </span>
      </span>
    );
  }
  return (
    <span className={styles.deed}>
      {canHandle ? (
        <NativeButton disabled={isWaiting} onClick={() => void onAct()}>
          {name}
          <span className="visually-hidden"> the alert of {who}</span>
        </NativeButton>
      ) : (
        <span className={styles.quiet}>Not {done.toLowerCase()}</span>
      )}
    </span>
  );
}
