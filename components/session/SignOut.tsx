import { useState } from 'react';
import { readHeldAlerts } from '../../hooks/readHeldAlerts';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { askedWords } from '../../lib/alerts/escalationWords';
import type { AlertItem } from '../../lib/alerts/schema';
import type { ApiFailure } from '../../lib/browser/client';
import { can } from '../../lib/session/can';
import { Icon } from '../ui/Icon';
import { patientName } from '../ui/PatientName';
import styles from './session.module.css';

/** What was named so long ago, in milliseconds, is read again: others may have taken it. */
const namedForMs = 60_000;

/**
 * Signs out, and names before what the user holds and to whom it goes (clinical.md section 00, A1). Says if that was
 * refused: a user who leaves a shared computer must know that they are still signed in.
 */
export function SignOut() {
  const { signOut, user } = useCurrentUser();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [named, setNamed] = useState<{ held: AlertItem[]; at: number }>({ held: [], at: -Infinity });
  const leave = async (): Promise<void> => {
    const isNamed = named.held.length > 0 && performance.now() - named.at < namedForMs;
    // A locked screen names no one.
    const held = isNamed || user === null || !can(user, 'readAlerts') ? [] : await readHeldAlerts();
    setNamed({ held, at: performance.now() });
    setFailure(held.length === 0 ? await signOut() : null);
  };
  return (
    <div className={styles.signOut}>
      <div role="alert">
        {failure === null ? null : `You are still signed in. ${failure.message}`}
        {named.held.length === 0 ? null : (
          <>
            You hold these alerts. If you sign out, they go to:
            <ul className={styles.held}>
              {named.held.map((alert) => (
                <li key={alert.id}>
                  <strong>{toWords(alert)}</strong>: {aboutWords(alert)}. {alert.headline}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <button
        type="button"
        className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
        onClick={() => void leave()}
      >
        <Icon name="signOut" />
        <span>{named.held.length === 0 ? 'Sign out' : 'Sign out anyway'}</span>
      </button>
    </div>
  );
}

function toWords({ escalation: { asked }, unitId }: AlertItem): string {
  const last = asked.at(-1);
  return last === undefined || last.nobodyPresent === true
    ? 'no one, because no one else is present'
    : askedWords(last, unitId === null ? 'everyone on duty' : 'whole unit');
}

function aboutWords({ patient, deviceName }: AlertItem): string {
  return patient === null ? (deviceName ?? 'Equipment') : `${patientName(patient)}, MRN ${patient.mrn}`;
}
