import type { ListedReport } from '../../lib/symptoms/schema';
import { formatDayAndTime } from '../../lib/time/formatTime';

/** "07 Mar, 14:59"; "unknown time" of a damaged row. */
export const reportTime = ({ reportedAt }: ListedReport, timeZone: string): string =>
  reportedAt === null ? 'unknown time' : formatDayAndTime(Date.parse(reportedAt), timeZone);
