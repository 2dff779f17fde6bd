import { telHref } from '../../lib/checkIn/telHref';
import styles from './checkIn.module.css';

/** Whom to call in an emergency; null if the site has set no number, or it is not known yet which site it is. */
export function EmergencyLine({ number }: { number: string | null }) {
  return (
    <p>
      <strong>This is not an emergency service.</strong> In an emergency call{' '}
      {number === null ? 'your local emergency number' : <CallNumber number={number} />}.
    </p>
  );
}

/** A number that a phone dials when it is tapped. */
export function CallNumber({ number, words = '' }: { number: string; words?: string }) {
  const href = telHref(number);
  return href === null ? (
    <strong>
      {words}
      {number}
    </strong>
  ) : (
    <a href={href} className={styles.number}>
      {words}
      {number}
    </a>
  );
}
