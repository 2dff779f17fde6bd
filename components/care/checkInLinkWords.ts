import type { CheckInLink } from '../../lib/checkIn/linkSchema';
import { formatDayAndTime } from '../../lib/time/formatTime';

/** Whose phone a link is for. */
export const linkForWords = { patient: 'The patient', proxy: 'A person who looks after them' } as const;

/** Returns what became of a link: "Works until 20 May, 10:00". */
export function linkStateWords(link: CheckInLink, timeZone: string): string {
  const at = (instant: string | null): string =>
    instant === null ? '' : ` ${formatDayAndTime(Date.parse(instant), timeZone)}`;
  switch (link.state) {
    case 'active':
      return `Works until${at(link.expiresAt)}`;
    case 'expired':
      return `Ended${at(link.expiresAt)}`;
    case 'revoked':
      return `Revoked${at(link.revokedAt)}${link.revokedBy === null ? '' : ` by ${link.revokedBy.name}`}`;
    case 'locked':
      return `Locked${at(link.lockedAt)} after too many wrong years of birth`;
  }
}

/** Returns when a link was opened and on what: a link that no one opens brings no check-ins. */
export function linkOpenedWords({ openedAt, lastOpenedAt, openedOn }: CheckInLink, timeZone: string): string {
  if (openedAt === null || lastOpenedAt === null) {
    return 'Not opened so far';
  }
  const at = (instant: string): string => formatDayAndTime(Date.parse(instant), timeZone);
  const device = openedOn === null ? '' : ` on a ${openedOn}`;
  return openedAt === lastOpenedAt
    ? `Opened once, ${at(openedAt)}${device}`
    : `First opened ${at(openedAt)}, last ${at(lastOpenedAt)}${device}`;
}
