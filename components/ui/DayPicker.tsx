import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import timezone from 'dayjs/plugin/timezone';
import updateLocale from 'dayjs/plugin/updateLocale';
import utc from 'dayjs/plugin/utc';
import { useEffect } from 'react';
import type { User } from '../../lib/session/schema';
import { Field, type FieldControl } from './Field';

dayjs.extend(customParseFormat);
dayjs.extend(updateLocale);
dayjs.extend(utc);
dayjs.extend(timezone);
// The week of a ward begins on Monday (ISO 8601); antd reads this.
dayjs.updateLocale('en', { weekStart: 1 });

/**
 * As days are shown (formatDate), then as people type them, with the day or the month first, and as they are written in
 * addresses and in calls.
 */
const formats = {
  day_first: ['DD MMM YYYY', 'D MMM YYYY', 'D/M/YYYY', 'YYYY-MM-DD'],
  month_first: ['DD MMM YYYY', 'D MMM YYYY', 'MMM D YYYY', 'M/D/YYYY', 'YYYY-MM-DD'],
} as const satisfies Record<User['site']['dateOrder'], readonly string[]>;

/** What can be typed, for the hint of a field. */
export const dayHints = {
  day_first: '07 Mar 2026 or 7/3/2026',
  month_first: '07 Mar 2026 or 3/7/2026',
} as const satisfies Record<User['site']['dateOrder'], string>;

/** Inside a `FormField`, antd's form sets what is optional here. */
interface DayPickerProps extends Partial<FieldControl> {
  /** The order in which figures are read, and the zone whose day is "today". */
  site: Pick<User['site'], 'dateOrder' | 'timeZone'>;
  /** A calendar day of the site such as "2026-05-01"; an empty text is none. */
  value?: string;
  onChange?: (day: string) => void;
}

/**
 * A calendar day, in the form in which the product shows days: a browser's own field follows the language of the
 * browser. The picker's own value is in the browser's zone, so only its figures are used, never its instant.
 */
export function DayPicker({ site: { dateOrder, timeZone }, value = '', onChange, ...control }: DayPickerProps) {
  useSiteZone(timeZone);
  return (
    <DatePicker
      {...control}
      format={[...formats[dateOrder]]}
      placeholder=""
      value={value === '' ? null : dayjs(value)}
      // As soon as a day is whole: antd's own change comes after the field is left, too late for a button pressed then.
      onCalendarChange={(day) => {
        if (!Array.isArray(day) && dayjs.isDayjs(day)) {
          onChange?.(day.format('YYYY-MM-DD'));
        }
      }}
      onChange={(day) => onChange?.(day?.format('YYYY-MM-DD') ?? '')}
    />
  );
}

/** A day under its label. */
export function DayField({ label, ...day }: DayPickerProps & { label: string }) {
  return <Field label={label}>{(control) => <DayPicker {...control} {...day} />}</Field>;
}

/** antd marks today of this zone, and its button chooses it. */
export function useSiteZone(timeZone: string): void {
  useEffect(() => {
    dayjs.tz.setDefault(timeZone);
  }, [timeZone]);
}
