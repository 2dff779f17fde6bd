import type { ReactNode } from 'react';
import type { Side } from '../../lib/alerts/episode';
import type { ValueMark } from '../../lib/patients/valueMark';
import styles from './MarkedNumber.module.css';

interface MarkedNumberProps {
  /** Null: an ordinary number. */
  mark: ValueMark | null;
  className?: string;
  children: ReactNode;
}

/**
 * A number that carries the alarm (screens.md section 1): in a box of the priority's colour while no one has the alert,
 * outlined once someone does, dashed after it. With the sign of its side: two for high priority, one for the others.
 */
export function MarkedNumber({ mark, className = '', children }: MarkedNumberProps) {
  const priority = mark === null || mark.look === 'bold' ? undefined : mark.priority;
  return (
    <span className={`${styles.number} ${className}`} data-mark={mark?.look} data-priority={priority}>
      {mark === null || mark.side === null ? null : <Sign side={mark.side} isDouble={priority === 'high'} />}
      {children}
    </span>
  );
}

const signs = { low: 'M0 0h8L4 7z', high: 'M0 7h8L4 0z' } as const satisfies Record<Side, string>;

/** ▼ or ▲, drawn, because not every typeface has them. */
function Sign({ side, isDouble }: { side: Side; isDouble: boolean }) {
  const width = isDouble ? 17 : 8;
  return (
    <svg
      className={styles.sign}
      data-sign={isDouble ? `${side} ${side}` : side}
      width={width}
      height="7"
      viewBox={`0 0 ${width} 7`}
      fill="currentColor"
      aria-hidden="true"
    >
      <path d={signs[side]} />
      {isDouble ? <path d={signs[side]} transform="translate(9)" /> : null}
    </svg>
  );
}
