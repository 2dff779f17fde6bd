import type { Priority } from '../../lib/alerts/priority';

/** The outline and the signs of each priority: the colour alone never carries it (clinical.md section 3). */
const shapes = {
  high: { signs: '!!!', outline: 'M9.4 2h9.2L26 9.4v9.2L18.6 26H9.4L2 18.6V9.4z', textY: 19 },
  medium: { signs: '!!', outline: 'M14 2 27 25H1z', textY: 22 },
  low: { signs: '!', outline: 'M2 7h24v14H2z', textY: 18.5 },
} as const satisfies Record<Priority, { signs: string; outline: string; textY: number }>;

/** An octagon, a triangle or a bar. Its colours are those of the element around it. */
export function PriorityShape({ priority }: { priority: Priority }) {
  const { signs, outline, textY } = shapes[priority];
  return (
    <svg width="22" height="22" viewBox="0 0 28 28" aria-hidden="true" data-shape={priority}>
      <path d={outline} strokeWidth="2.5" strokeLinejoin="round" />
      <text x="14" y={textY} textAnchor="middle" fontSize={priority === 'high' ? 15 : 16} fontWeight="700">
        {signs}
      </text>
    </svg>
  );
}
