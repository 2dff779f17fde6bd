/**
 * Why NEWS2 does not apply to a patient (clinical.md section 0, N3). Under 16 it never does, without a mark. Without
 * zod, because the score's line says it at the first paint.
 */
export const news2ExemptFor = ['pregnancy', 'spinal_injury', 'other'] as const;
export type News2ExemptFor = (typeof news2ExemptFor)[number];

export const news2ExemptWords = {
  pregnancy: 'pregnancy',
  spinal_injury: 'spinal cord injury',
  other: 'another reason',
} as const satisfies Record<News2ExemptFor, string>;
