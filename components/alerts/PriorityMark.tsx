import type { Priority } from '../../lib/alerts/priority';
import styles from './PriorityMark.module.css';

/** The shape, signs and word of each priority: the colour alone never carries it (clinical.md section 3). */
const looks = {
  high: { word: 'High', signs: '!!!', outline: 'M9.4 2h9.2L26 9.4v9.2L18.6 26H9.4L2 18.6V9.4z', textY: 19 },
  medium: { word: 'Medium', signs: '!!', outline: 'M14 2 27 25H1z', textY: 22 },
  low: { word: 'Low', signs: '!', outline: 'M2 7h24v14H2z', textY: 18.5 },
} as const satisfies Record<Priority, { word: string; signs: string; outline: string; textY: number }>;

/** The priority of an alert as an octagon, a triangle or a bar, with the word beside it. */
export function PriorityMark({ priority }: { priority: Priority }) {
  const { word, signs, outline, textY } = looks[priority];
  return (
    <span className={`${styles.mark} ${styles[priority]}`}>
      <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">
        <path d={outline} strokeWidth="2" strokeLinejoin="round" />
        <text x="14" y={textY} textAnchor="middle">
          {signs}
        </text>
      </svg>
      {word}
    </span>
  );
}

/** Returns the word of a priority for the middle of a sentence. */
export function priorityWord(priority: Priority): string {
  return looks[priority].word.toLowerCase();
}
