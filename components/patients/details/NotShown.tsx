import { maxPatientsAtOnce } from '../../../lib/paths';
import type { User } from '../../../lib/session/schema';
import { BreakGlassOffer } from '../../breakGlass/BreakGlassOffer';
import styles from './PatientDetails.module.css';

export interface NotShownProps {
  /** Parts of the address that are not a patient's number. */
  malformed: readonly string[];
  /** Numbers above the limit of patients side by side. */
  overLimit: readonly number[];
  /** Numbers of no patient whom this user may see. */
  unknown: readonly number[];
}

/** Says what the address names and the page does not show, so that a missing patient is never overlooked. */
export function NotShown({ malformed, overLimit, unknown, user }: NotShownProps & { user: User }) {
  if (malformed.length + overLimit.length + unknown.length === 0) {
    return null;
  }
  return (
    <div role="alert">
      <ul className={styles.notShown}>
        {malformed.length > 0 ? <li>Not a patient&apos;s number: {malformed.join(', ')}</li> : null}
        {unknown.length > 0 ? (
          <li>
            You cannot see {unknown.length === 1 ? 'this patient' : 'these patients'}: {unknown.join(', ')}
          </li>
        ) : null}
        {overLimit.length > 0 ? (
          <li>
            At most {maxPatientsAtOnce} patients are shown side by side. Not shown: {overLimit.join(', ')}
          </li>
        ) : null}
      </ul>
      {unknown.length > 0 ? <BreakGlassOffer user={user} /> : null}
    </div>
  );
}
