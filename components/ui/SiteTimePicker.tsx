import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import type { User } from '../../lib/session/schema';
import { useSiteZone } from './DayPicker';

dayjs.extend(customParseFormat);

/**
 * As times are shown (formatDate, formatTime), then as people type them, with the day or the month first. None is the
 * beginning of another one: the picker takes a text as soon as it is whole.
 */
const formats = {
  day_first: ['DD MMM YYYY, HH:mm', 'D MMM YYYY H:mm', 'D/M/YYYY H:mm', 'YYYY-MM-DD H:mm'],
  month_first: ['DD MMM YYYY, HH:mm', 'MMM D YYYY H:mm', 'M/D/YYYY H:mm', 'YYYY-MM-DD H:mm'],
} as const satisfies Record<User['site']['dateOrder'], readonly string[]>;

/** What can be typed, for the hint of a field. */
export const siteTimeHints = {
  day_first: '07 Mar 2026, 15:00 or 7/3/2026 15:00',
  month_first: '07 Mar 2026, 15:00 or 3/7/2026 15:00',
} as const satisfies Record<User['site']['dateOrder'], string>;

interface SiteTimePickerProps {
  site: Pick<User['site'], 'dateOrder' | 'timeZone'>;
  /** Set by the form's field. */
  id?: string;
  /** On the site's clocks, "2026-03-07T15:00"; an empty text is none. */
  value?: string;
  onChange?: (time: string) => void;
}

/**
 * A time on the site's clocks, in the form in which the product shows times: a browser's own field follows the language
 * of the browser. The picker's own value is in the browser's zone, so only its figures are used, never its instant.
 */
export function SiteTimePicker({
  site: { dateOrder, timeZone },
  value = '',
  onChange,
  ...control
}: SiteTimePickerProps) {
  useSiteZone(timeZone);
  return (
    <DatePicker
      {...control}
      showTime={{ format: 'HH:mm' }}
      needConfirm={false}
      format={[...formats[dateOrder]]}
      placeholder=""
      value={value === '' ? null : dayjs(value)}
      // As soon as a time is whole, as in `DayPicker`.
      onCalendarChange={(time) => {
        if (!Array.isArray(time) && dayjs.isDayjs(time)) {
          onChange?.(time.format('YYYY-MM-DDTHH:mm'));
        }
      }}
      onChange={(time) => onChange?.(time?.format('YYYY-MM-DDTHH:mm') ?? '')}
    />
  );
}
