import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { paths } from '../../../lib/paths';
import type { User } from '../../../lib/session/schema';
import { BreakGlassOffer } from '../../breakGlass/BreakGlassOffer';
import styles from './PatientPane.module.css';

/**
 * In the place of a patient who left the user's reach while the page was open. It names the patient, who was on the
 * screen, and nothing else of them: not where they are now.
 */
export function PatientGone({ name, user }: { name: string; user: User }) {
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What had the keyboard has gone with the values. Elsewhere on the page it stays where it is.
    if (document.activeElement === document.body) {
      message.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <div ref={message} role="alert" tabIndex={-1} className={styles.gone}>
      <h2>{name}</h2>
      <p>
        <strong>You can no longer see this patient.</strong> They were moved out of your units, or your access ended. No
        values and no alerts of this patient are shown here.
      </p>
      <p>
        <Link href={paths.patients}>Back to the patients</Link>
      </p>
      <BreakGlassOffer user={user} />
    </div>
  );
}
