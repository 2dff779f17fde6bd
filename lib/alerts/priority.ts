/** How soon someone has to come, the most urgent first (IEC 60601-1-8, clinical.md section 3). */
export const priorities = ['high', 'medium', 'low'] as const;
export type Priority = (typeof priorities)[number];

/** Returns whether one priority is more urgent than another. */
export function isMoreUrgent(priority: Priority, than: Priority): boolean {
  return priorities.indexOf(priority) < priorities.indexOf(than);
}
