import { Form } from 'antd';
import type { User } from '../../lib/session/schema';
import { ageInYears, formatCalendarDate } from '../../lib/time/formatTime';
import { parseDateOfBirth, type DateOrder } from '../../lib/time/parseDateOfBirth';
import { FormField } from './FormField';

const orderHints = {
  day_first: 'Day first: 11/2/1958 or 11 Feb 1958',
  month_first: 'Month first: 2/11/1958 or Feb 11 1958',
} as const satisfies Record<DateOrder, string>;

interface DateOfBirthFieldProps {
  site: Pick<User['site'], 'dateOrder'>;
  /** The calendar date of the site, after which no one was born. */
  today: string;
}

/** A date of birth as people type it. Below it says how it was understood, before it is sent. */
export function DateOfBirthField({ site: { dateOrder }, today }: DateOfBirthFieldProps) {
  const typed: unknown = Form.useWatch('dateOfBirth', Form.useFormInstance());
  const parsed = parseDateOfBirth(typeof typed === 'string' ? typed : '', dateOrder, today);
  return (
    <FormField
      name="dateOfBirth"
      label="Date of birth"
      hint={<span aria-live="polite">{'date' in parsed ? echo(parsed.date, today) : orderHints[dateOrder]}</span>}
    />
  );
}

/** "11 Feb 1958, 68 years": the month in letters, so that a wrong order is seen. */
function echo(date: string, today: string): string {
  const age = ageInYears(date, Date.parse(`${today}T12:00:00Z`), 'UTC');
  return `${formatCalendarDate(date)}, ${age} ${age === 1 ? 'year' : 'years'}`;
}
