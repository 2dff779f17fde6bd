import { formatTimeWithSeconds } from '../time/formatTime';
import { kinds } from '../vitals/kinds';
import type { ReportContext } from './schema';

const soundWords = {
  on: 'Sound on',
  off: 'No sound',
  paused: 'Sound paused',
  not_needed: 'No alert sounds for this user',
} as const satisfies Record<ReportContext['sound'], string>;

const connectionWords = {
  live: 'live',
  lost: 'server not reached',
  alerts_not_running: 'alerts not running',
} as const satisfies Record<ReportContext['connection'][number]['is'], string>;

/** Returns what a report says of the page from which it was made, a line each: nothing else is sent of it. */
export function contextLines(context: ReportContext, timeZone: string): { label: string; text: string }[] {
  const { page, release, ruleVersion, browser, sound, errorReportId, tiles, connection, requestIds } = context;
  return [
    { label: 'Page', text: page },
    { label: 'Version', text: `${release}, rules ${ruleVersion ?? 'not known'}` },
    { label: 'Browser', text: browser },
    {
      label: 'Connection, last 10 min',
      text:
        connection
          .map(({ at, is }) => `${formatTimeWithSeconds(Date.parse(at), timeZone)} ${connectionWords[is]}`)
          .join(', ') || 'Not known',
    },
    { label: 'Sound', text: soundWords[sound] },
    {
      label: 'Values on the page',
      text:
        tiles
          .filter(({ count }) => count > 0)
          .map(({ kind, state, count }) => `${kinds[kind].label}: ${count} ${state}`)
          .join(', ') || 'None',
    },
    { label: 'Requests', text: requestIds.join(' ') || 'None' },
    ...(errorReportId === null ? [] : [{ label: 'Error report', text: errorReportId }]),
  ];
}
