import type { SymptomsTodayPage } from '../lib/symptoms/todaySchema';

/** No patient of a ward of two reported today, or what `change` makes of it. */
export function inventedToday(change: Partial<SymptomsTodayPage> = {}): SymptomsTodayPage {
  return {
    version: '1',
    day: '2026-03-07',
    total: 2,
    reported: 0,
    unreadable: 0,
    redFlags: [],
    symptoms: [],
    ...change,
  };
}
