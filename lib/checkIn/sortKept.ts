import { hasRedFlag } from './hasRedFlag';
import { keptCheckIn, keptRow, tooOldNotice, type KeptCheckIn, type TooOld, type TooOldNotice } from './keptSchema';
import { keptMs } from './keptMs';
import { linkDays } from './linkSchema';

/** No link is valid for longer: later no page could show it. Milliseconds. */
const noticeMs = linkDays.most * 24 * 3_600_000;

export interface SortedKept {
  /** What this link may still send, the oldest first. */
  kept: KeptCheckIn[];
  /** Those of this link that were too old to be sent, `madeAt` by the phone's clock. */
  tooOld: TooOld[];
  /** The client ids of what is to be deleted. */
  forget: string[];
  /** What takes the place of another link's check-ins that got too old. */
  notice: TooOldNotice[];
}

/**
 * Returns what becomes of the rows that a phone keeps, if a link is opened; '' is none. A check-in older than a
 * day goes, whatever its link, but not without a word: until its own link is opened there stays a notice without its
 * answers. One that seems to come from the future stays: the clock was set meanwhile, and the server decides. For the
 * same reason one with a red flag stays until its own link is opened, which sends it, however old it looks. It goes
 * when another link is opened and its own can be valid no more.
 */
export function sortKept(rows: readonly unknown[], link: string, now: number): SortedKept {
  const sorted: SortedKept = { kept: [], tooOld: [], forget: [], notice: [] };
  for (const row of rows) {
    const checkIn = keptCheckIn.safeParse(row).data;
    const old = tooOldNotice.safeParse(row).data;
    if (checkIn !== undefined && isKept(checkIn, link, now)) {
      if (checkIn.link === link) {
        sorted.kept.push(checkIn);
      }
    } else if (checkIn !== undefined && checkIn.link !== link && !hasRedFlag(checkIn)) {
      const { answers: _answers, ...rest } = checkIn;
      sorted.notice.push({ ...rest, isTooOld: true });
    } else if (old === undefined || old.link === link || old.madeAt < now - noticeMs) {
      sorted.forget.push(keptRow.parse(row).clientId);
      const mine = checkIn ?? old;
      if (mine?.link === link) {
        sorted.tooOld.push({ madeAt: mine.madeAt, mayHaveArrived: mine.mayHaveArrived });
      }
    }
  }
  sorted.kept.sort((a, b) => a.madeAt - b.madeAt);
  return sorted;
}

function isKept(checkIn: KeptCheckIn, link: string, now: number): boolean {
  return (
    checkIn.madeAt >= now - keptMs ||
    (hasRedFlag(checkIn) && (link === '' || checkIn.link === link || checkIn.madeAt >= now - noticeMs))
  );
}
