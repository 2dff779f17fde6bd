import { useEffect, useRef } from 'react';
import { emergencyAdvice } from '../../lib/symptoms/emergencyAdvice';
import styles from './checkIn.module.css';
import { CallNumber } from './EmergencyLine';

interface EmergencyAdviceProps {
  number: string | null;
  /** What it follows from, in words; none: no advice. */
  dangers: readonly string[];
  /** Nothing of that is chosen any more. */
  isTakenBack: boolean;
}

/**
 * Says at once, before anything is sent, whom to call. It takes the focus with each new danger, except from a field in
 * which somebody types, and stays at the top of the window. The region is always there, so that its text is read out.
 */
export function EmergencyAdvice({ number, dangers, isTakenBack }: EmergencyAdviceProps) {
  const region = useRef<HTMLDivElement>(null);
  const count = dangers.length;
  useEffect(() => {
    const typing = document.activeElement;
    if (count > 0 && !(typing instanceof HTMLInputElement && typing.type === 'text')) {
      region.current?.focus();
    }
  }, [count]);
  return (
    <div ref={region} role="alert" tabIndex={-1} className={count === 0 ? undefined : styles.advice}>
      {count === 0 ? null : (
        <>
          <p className={styles.adviceWords}>{emergencyAdvice(number)}</p>
          {number === null ? null : <CallNumber number={number} words="Call " />}
          <p>
            {isTakenBack ? 'You took this back. If it is true, call: ' : 'Because of: '}
            {dangers.join('; ')}.
          </p>
        </>
      )}
    </div>
  );
}
