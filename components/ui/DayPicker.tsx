import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone';
import updateLocale from 'dayjs/plugin/updateLocale';
import utc from 'dayjs/plugin/utc';
import { useEffect } from 'react';
import type { FieldControl } from './Field';

dayjs.extend(updateLocale);
dayjs.extend(utc);
dayjs.extend(timezone);
// The week of a ward begins on Monday (ISO 8601); antd reads this.
dayjs.updateLocale('en', { weekStart: 1 });

/** As people type it, and as dates are written in addresses and in calls. The first is shown (formatDate). */
const formats = ['DD MMM YYYY', 'D MMM YYYY', 'YYYY-MM-DD'];

interface DayPickerProps extends FieldControl {
  /** The site's zone, whose day is "today". */
  timeZone: string;
  /** A calendar day of the site such as "2026-05-01"; an empty text is none. */
  value: string;
  onChange: (day: string) => void;
}

/**
 * A calendar day. The picker's own value is in the browser's zone, so only its year, month and day are used, never its
 * instant.
 */
export function DayPicker({ timeZone, value, onChange, ...control }: DayPickerProps) {
  useSiteZone(timeZone);
  return (
    <DatePicker
      {...control}
      format={formats}
      placeholder=""
      value={value === '' ? null : dayjs(value)}
      onChange={(day) => {
        onChange(day?.format('YYYY-MM-DD') ?? '');
      }}
    />
  );
}

/** antd marks today of this zone, and its button chooses it. */
export function useSiteZone(timeZone: string): void {
  useEffect(() => {
    dayjs.tz.setDefault(timeZone);
  }, [timeZone]);
}
