import type { AlertItem } from '../../lib/alerts/schema';
import { groupBy } from '../../lib/groupBy';
import { firstDifference } from '../../lib/sortOrder';

/** The groups of the list in their order, with their captions (screens.md, section 2). */
export const alertGroups = {
  untaken: 'Not taken yet',
  taken: 'Taken, still out of limits',
  // Not "within limits": a value may be low again while the delay of its rule runs, or an alert was about no value.
  ended: 'Ended, not acknowledged',
  equipment: 'Equipment',
} as const;
export type AlertGroup = keyof typeof alertGroups;
export const alertGroupNames = ['untaken', 'taken', 'ended', 'equipment'] as const satisfies readonly AlertGroup[];

/** A row of the list: one patient, or one alert of equipment or of a unit's issue reports. */
export interface GroupedRow {
  key: string;
  group: AlertGroup;
  /** The alert that the row shows, and the others of the same patient, each as a line of its own. */
  alerts: readonly AlertItem[];
}

/**
 * Returns the group of one alert. One that is acknowledged, but that no one has taken, still asks for someone. An issue
 * report is about the patients of its unit, and a silent gateway about those whose values it carries: both are listed
 * with patients. One that is over and acknowledged says which of two oximeters counts.
 */
export function groupOf({ patientId, parameter, condition, accepted, acknowledged, sources }: AlertItem): AlertGroup {
  const saysSource = condition === 'ended' && acknowledged !== null && sources !== undefined;
  if (saysSource || (patientId === null && parameter !== 'report' && parameter !== 'gateway')) {
    return 'equipment';
  }
  return condition === 'ended' ? 'ended' : accepted === null ? 'untaken' : 'taken';
}

/**
 * Returns the rows of alerts that are in the order of urgency. A patient with several alerts is one row, in the first
 * group that one of them belongs to: an alert that asks for someone is never a line under one that is over.
 */
export function rowsOf(items: readonly AlertItem[]): GroupedRow[] {
  const keyOf = ({ id, patientId }: AlertItem) => (patientId === null ? `alert-${id}` : `patient-${patientId}`);
  const byKey = groupBy(items, keyOf);
  const placeOf = new Map(items.map(({ id }, place) => [id, place]));
  return [...byKey]
    .map(([key, alerts]) => {
      const sorted = [...alerts].sort((a, b) => orderOf(a) - orderOf(b));
      const [main] = sorted;
      const place = main === undefined ? 0 : (placeOf.get(main.id) ?? 0);
      return { key, group: main === undefined ? 'equipment' : groupOf(main), alerts: sorted, place } as const;
    })
    .sort((a, b) =>
      firstDifference(alertGroupNames.indexOf(a.group) - alertGroupNames.indexOf(b.group), a.place - b.place),
    )
    .map(({ key, group, alerts }) => ({ key, group, alerts }));
}

const orderOf = (alert: AlertItem): number => alertGroupNames.indexOf(groupOf(alert));
