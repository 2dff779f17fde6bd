import type { ChartAlert } from '../../lib/alerts/chartMarksSchema';
import { priorityLabels } from '../../lib/alerts/priority';
import { formatDayAndTime, formatTimeWithSeconds, zoneLabel } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';

/** What an alert said, when its condition began and ended, and who acknowledged it. */
export function AlertLine({ alert, timeZone }: { alert: ChartAlert; timeZone: string }) {
  const { priority, sentence, startedAt, endedAt, acknowledged } = alert;
  return (
    <>
      <strong>{priorityLabels[priority]}</strong> {sentence}. Began {whenOf(startedAt, timeZone)}
      {endedAt === null ? ', not ended' : `, ended ${whenOf(endedAt, timeZone)}`}.{' '}
      {acknowledged === null
        ? 'Not acknowledged.'
        : `Acknowledged by ${acknowledged.by.name} at ${whenOf(acknowledged.at, timeZone)}.`}
    </>
  );
}

/** Returns "07 Mar, 14:05:09 GMT". */
function whenOf(instant: string, timeZone: string): string {
  const at = parseInstant(instant) ?? 0;
  const [day] = formatDayAndTime(at, timeZone).split(',');
  return `${day}, ${formatTimeWithSeconds(at, timeZone)} ${zoneLabel(at, timeZone)}`;
}
