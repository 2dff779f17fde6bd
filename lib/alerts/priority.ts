/** How soon someone has to come, the most urgent first (IEC 60601-1-8, clinical.md section 3). */
export const priorities = ['high', 'medium', 'low'] as const;
export type Priority = (typeof priorities)[number];

/** The name of each where it begins a line. */
export const priorityLabels = { high: 'High', medium: 'Medium', low: 'Low' } as const satisfies Record<
  Priority,
  string
>;

/** A number for each priority. */
export type Counts = Record<Priority, number>;

/** Returns the sum of all priorities. */
export function totalOf(counts: Readonly<Counts>): number {
  return priorities.reduce((sum, priority) => sum + counts[priority], 0);
}

/** Returns something of each priority. */
export function perPriority<Of>(of: (priority: Priority) => Of): Record<Priority, Of> {
  return { high: of('high'), medium: of('medium'), low: of('low') };
}

/** Returns whether a text is a priority. */
export function isPriority(text: string): text is Priority {
  return priorities.some((priority) => priority === text);
}

/** Returns whether one priority is more urgent than another. */
export function isMoreUrgent(priority: Priority, than: Priority): boolean {
  return priorities.indexOf(priority) < priorities.indexOf(than);
}
