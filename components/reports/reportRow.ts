import { formatAge } from '../../lib/time/formatTime';
import { markTrial } from '../../lib/patients/markTrial';
import type { ListedReport } from '../../lib/reports/schema';

/** Returns the title of a report, or that it is withheld. */
export function reportTitle({ title }: Pick<ListedReport, 'title'>): string {
  return title ?? 'Title not shown to you';
}

/** Returns where it was and about whom, as far as the reader may know: "North, Bed 4, Sample, Sam". */
export function reportPlace({ unit, bed, patient }: Pick<ListedReport, 'unit' | 'bed' | 'patient'>): string {
  const whom = patient === null ? null : markTrial(patient.identity?.name ?? `MRN …${patient.mrnEnd}`, patient);
  const parts = [unit?.name ?? null, bed === null ? null : `Bed ${bed}`, whom].filter((part) => part !== null);
  return parts.length === 0 ? 'Not stated' : parts.join(', ');
}

/** Returns how long it took to each status that the report has come to: "triaged after 5 min". */
export function reachedWords({ reportedAt, reachedAt }: Pick<ListedReport, 'reportedAt' | 'reachedAt'>): string[] {
  const steps = [
    ['triaged', reachedAt.triaged],
    ['investigation begun', reachedAt.investigating],
    ['acted on', reachedAt.actioned],
    ['closed', reachedAt.closed],
  ] as const;
  return steps.flatMap(([step, at]) => {
    const ms = at == null ? -1 : Date.parse(at) - Date.parse(reportedAt);
    return ms < 0 ? [] : [`${step} after ${formatAge(ms)}`];
  });
}
