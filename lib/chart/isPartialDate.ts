import { isCalendarDate } from '../time/parseInstant';

/** Returns whether a text is a day, a month or a year: "2019-03-07", "2019-03" or "2019". */
export function isPartialDate(text: string): boolean {
  const year = /^\d{4}$/.test(text) ? `${text}-01` : text;
  return isCalendarDate(/^\d{4}-\d\d$/.test(year) ? `${year}-01` : year);
}
