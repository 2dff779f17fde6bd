/** How soon somebody has to come, the most urgent first (clinical.md section 3). */
export const priorities = ['high', 'medium', 'low'] as const;
export type Priority = (typeof priorities)[number];

/** Whether one priority is more urgent than another. */
export function isMoreUrgent(priority: Priority, than: Priority): boolean {
  return priorities.indexOf(priority) < priorities.indexOf(than);
}
