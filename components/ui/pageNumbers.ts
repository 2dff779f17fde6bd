/** One place in the row of pages: a page, or a jump of five pages over those left out. */
export type PagePlace = number | 'previous 5' | 'next 5';

/** The number of pages that are named on each side of the current one. */
const beside = 2;

/**
 * Takes the current page and the last, both from 1, and returns what to offer: always the first and the last page,
 * those around the current one, and a jump wherever that leaves some out. There are at least five neighbours, so that
 * the row keeps its width at its ends.
 */
export function pageNumbers(current: number, last: number): PagePlace[] {
  const from = Math.max(1, Math.min(current - beside, last - 2 * beside));
  const to = Math.min(last, Math.max(current + beside, 1 + 2 * beside));
  const between = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return [...leftOut(1, from, 'previous 5'), ...between, ...leftOut(last, to, 'next 5')];
}

/** Returns the places between an end of the row and the pages that are named. A gap of one page shows that page. */
function leftOut(end: number, nearest: number, jump: 'previous 5' | 'next 5'): PagePlace[] {
  const step = end < nearest ? 1 : -1;
  const places: PagePlace[] = [[], [end], [end, end + step]][Math.abs(nearest - end)] ?? [end, jump];
  return step === 1 ? places : places.reverse();
}
