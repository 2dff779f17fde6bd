/** How ill a patient is at a handoff (clinical.md section 5), in the order of every list. */
export const severities = {
  unstable: 'Unstable',
  watcher: 'Watcher',
  stable: 'Stable',
} as const;

export type Severity = keyof typeof severities;

/** Draft, then given, then received, then superseded by the next one; a receiver returns it, its giver withdraws it. */
export const handoffStates = ['draft', 'given', 'received', 'returned', 'withdrawn', 'superseded'] as const;
export type HandoffState = (typeof handoffStates)[number];
