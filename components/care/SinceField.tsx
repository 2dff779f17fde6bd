import type { User } from '../../lib/session/schema';
import { fromWallTime } from '../../lib/time/wallTime';
import { FormField } from '../ui/FormField';
import { siteTimeHints, SiteTimePicker } from '../ui/SiteTimePicker';

interface SinceFieldProps {
  label: string;
  site: User['site'];
}

/** When something was that is entered later: values that came by the bed alone since then are withdrawn. */
export function SinceField({ label, site }: SinceFieldProps) {
  return (
    <FormField
      name="since"
      label={label}
      hint={`Empty: now. At most 24 hours ago, as ${siteTimeHints[site.dateOrder]}.`}
      isOptional
    >
      <SiteTimePicker site={site} />
    </FormField>
  );
}

/** Returns the instant of what was typed; undefined: now. What is no time stays as it is, for the schema to refuse. */
export function sinceOf(typed: string, { timeZone }: Pick<User['site'], 'timeZone'>): string | undefined {
  const at = fromWallTime(typed, timeZone);
  return typed === '' ? undefined : at === null ? typed : new Date(at).toISOString();
}
