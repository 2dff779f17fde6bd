import type { AlertLook } from '../../lib/alerts/numberMark';
import type { Priority } from '../../lib/alerts/priority';
import styles from './PriorityShape.module.css';

/** The colour alone never carries a priority (clinical.md section 3). */
const shapes = {
  high: { signs: '!!!', outline: 'M9.4 2h9.2L26 9.4v9.2L18.6 26H9.4L2 18.6V9.4z', textY: 19 },
  medium: { signs: '!!', outline: 'M14 2 27 25H1z', textY: 22 },
  low: { signs: '!', outline: 'M2 7h24v14H2z', textY: 18.5 },
} as const satisfies Record<Priority, { signs: string; outline: string; textY: number }>;

interface PriorityShapeProps {
  priority: Priority;
  /** `inherited`: in the colours of the element around it; `inverse`: filled in its text colour. */
  look?: AlertLook | 'inherited' | 'inverse';
  /** Pixels. */
  size?: number;
}

/**
 * The octagon, triangle or bar of a priority: filled while no one has the alert, outlined after that. Screen readers
 * skip it: words say the same beside it.
 */
export function PriorityShape({ priority, look = 'filled', size = 24 }: PriorityShapeProps) {
  const { signs, outline, textY } = shapes[priority];
  return (
    <svg
      className={`${styles.shape} ${styles[look]} priority-${priority}`}
      width={size}
      height={size}
      viewBox="0 0 28 28"
      aria-hidden="true"
    >
      <path d={outline} strokeWidth="2" strokeLinejoin="round" />
      <text x="14" y={textY} textAnchor="middle">
        {signs}
      </text>
    </svg>
  );
}
