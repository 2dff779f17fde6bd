import type { Priority } from '../../lib/alerts/priority';
import styles from './PriorityShape.module.css';

/** The shape and signs of each priority: the colour alone never carries it (clinical.md section 3). */
const looks = {
  high: { signs: '!!!', outline: 'M9.4 2h9.2L26 9.4v9.2L18.6 26H9.4L2 18.6V9.4z', textY: 19 },
  medium: { signs: '!!', outline: 'M14 2 27 25H1z', textY: 22 },
  low: { signs: '!', outline: 'M2 7h24v14H2z', textY: 18.5 },
} as const satisfies Record<Priority, { signs: string; outline: string; textY: number }>;

/** The priority as an octagon, a triangle or a bar. Screen readers skip it: words say the same beside it. */
export function PriorityShape({ priority, size = 24 }: { priority: Priority; size?: number }) {
  const { signs, outline, textY } = looks[priority];
  return (
    <svg className={styles[priority]} width={size} height={size} viewBox="0 0 28 28" aria-hidden="true">
      <path d={outline} strokeWidth="2" strokeLinejoin="round" />
      <text x="14" y={textY} textAnchor="middle">
        {signs}
      </text>
    </svg>
  );
}
