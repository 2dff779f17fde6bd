/** How far an issue report has come, in the order of the screens (clinical.md section 5). */
export const reportStatuses = {
  new: 'New',
  triaged: 'Triaged',
  investigating: 'Being investigated',
  actioned: 'Action taken',
  closed: 'Closed',
  reopened: 'Reopened',
} as const;

export type ReportStatus = keyof typeof reportStatuses;

/** What may follow each. Someone triages every report first; what is not needed after that is left out. */
const following: Readonly<Record<ReportStatus, readonly ReportStatus[]>> = {
  new: ['triaged'],
  triaged: ['investigating', 'actioned', 'closed'],
  investigating: ['actioned', 'closed'],
  actioned: ['investigating', 'closed'],
  closed: ['reopened'],
  reopened: ['investigating', 'actioned', 'closed'],
};

/** Returns the statuses that may follow one, in the order of the screens. */
export function statusesAfter(status: ReportStatus): readonly ReportStatus[] {
  return following[status];
}
