import type { LimitValues } from '../../lib/alerts/limits';
import type { PatientLimitsResponse } from '../../lib/alerts/limitsSchema';

type Row = Pick<PatientLimitsResponse['items'][number], 'lowIs' | 'bounds'>;

/**
 * Returns the limits of a rule with their signs: "< 88", "≤ 40, ≥ 150". A side that is off says so; one that is not set
 * is left out, and without any it is a dash.
 */
export function limitWords(values: LimitValues | null, { lowIs, bounds }: Row): string {
  const sides = [
    sideWords(values?.low, lowIs === 'below' ? '<' : '≤', bounds.low !== null),
    sideWords(values?.high, '≥', bounds.high !== null),
  ].filter((side) => side !== null);
  return sides.length === 0 ? '–' : sides.join(', ');
}

function sideWords(value: number | null | undefined, sign: string, exists: boolean): string | null {
  if (!exists || value === undefined) {
    return null;
  }
  return value === null ? 'off' : `${sign} ${value}`;
}

/** What a field of a limit is read as: a whole number, "off", or nothing for the site's value. */
export function readLimit(text: string): number | null | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === '') {
    return undefined;
  }
  return typed === 'off' ? null : Number(typed);
}
