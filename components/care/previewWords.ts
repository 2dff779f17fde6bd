import type { LimitPreview } from '../../lib/alerts/limitPreviewSchema';
import { priorities, totalOf, type Counts } from '../../lib/alerts/priority';

/** What a preview says. `dangers`: what would be missed, because limits that are too loose harm a patient. */
export interface PreviewWords {
  sentence: string;
  counts: string | null;
  dangers: string[];
  coverage: string | null;
}

const minuteMs = 60_000;
/** Values that are missing for less than this in a day say nothing about the preview, in milliseconds. */
const toleratedMs = 15 * minuteMs;

export function previewWords({ parameter, from, to, coveredMs, ...counts }: LimitPreview): PreviewWords {
  const { now, proposed, missed, milder } = counts;
  const name = parameter === 'spo2' ? 'SpO2' : 'heart rate';
  const spanMs = Date.parse(to) - Date.parse(from);
  const shown = priorities.filter((priority) => now[priority] + proposed[priority] > 0);
  return {
    sentence: `With these limits: ${alertsOf(totalOf(proposed), name)} in the last 24 h (now ${totalOf(now)}).`,
    counts:
      shown.length === 0
        ? null
        : shown.map((priority) => `${priority.toUpperCase()} ${proposed[priority]} (now ${now[priority]})`).join(', '),
    dangers: [...dangers(missed, 'would not have been raised'), ...dangers(milder, 'would have had a lower priority')],
    coverage:
      coveredMs === 0
        ? 'There are no readings of these 24 h.'
        : spanMs - coveredMs > toleratedMs
          ? `Readings cover only ${hoursAndMinutes(coveredMs)} of these 24 h.`
          : null,
  };
}

const alertsOf = (count: number, name: string): string => `${count} ${name} ${count === 1 ? 'alert' : 'alerts'}`;

function dangers(counts: Counts, what: string): string[] {
  return priorities.flatMap((priority) => {
    const count = counts[priority];
    return count === 0 ? [] : [`${alertsOf(count, priority.toUpperCase())} ${what}.`];
  });
}

function hoursAndMinutes(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / minuteMs));
  const hours = Math.floor(minutes / 60);
  return [hours === 0 ? null : `${hours} h`, minutes % 60 === 0 ? null : `${minutes % 60} min`]
    .filter((part) => part !== null)
    .join(' ');
}
