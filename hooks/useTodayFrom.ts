import { useMemo } from 'react';
import { dayOf } from '../lib/time/dayOf';
import { startOfDay } from '../lib/time/startOfDay';

const minuteMs = 60_000;

/** Returns when the site's day of `now` began, both epoch milliseconds. It is computed once a minute. */
export function useTodayFrom(now: number, timeZone: string): number {
  const minute = Math.floor(now / minuteMs);
  return useMemo(() => startOfDay(dayOf(minute * minuteMs, timeZone), timeZone), [minute, timeZone]);
}
