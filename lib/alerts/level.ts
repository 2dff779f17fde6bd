/** How soon somebody has to come, the most urgent first (clinical.md section 3). */
export const levels = ['high', 'medium', 'low'] as const;
export type Level = (typeof levels)[number];

/** Whether one level is more urgent than another. */
export function isWorse(level: Level, than: Level): boolean {
  return levels.indexOf(level) < levels.indexOf(than);
}
