import { ruleName } from './ruleNames';
import type { SiteLimitsResponse } from './siteLimitsSchema';

type SiteLimit = SiteLimitsResponse['items'][number];

/** Returns the name of a limit of the site: "SpO2 low, scale 1". An older release may have known other rules. */
export function siteLimitName({ rule, scale }: { rule: string; scale: 1 | 2 | null }): string {
  const label = ruleName(rule);
  return scale === null ? label : `${label}, scale ${scale}`;
}

/** Returns both sides of a limit with their signs, as they raise an alert: "≤ 40 or ≥ 150 /min". */
export function sidesWords(
  { low, high }: SiteLimit['holds'],
  { lowIs, unit }: Pick<SiteLimit, 'lowIs' | 'unit'>,
): string {
  const parts = [
    low === null ? null : `${lowIs === 'below' ? '<' : '≤'} ${low}`,
    high === null ? null : `≥ ${high}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'off' : `${parts.join(' or ')} ${unit}`;
}

/** Returns how far a site may move a limit: "80 to 92 %", "low 30 to 50, high 120 to 180 /min". */
export function boundsWords({ bounds: { low, high }, unit }: Pick<SiteLimit, 'bounds' | 'unit'>): string {
  const [ofLow, ofHigh] = [low, high].map((range) => (range === null ? null : `${range.min} to ${range.max}`));
  const both = ofLow !== null && ofHigh !== null ? `low ${ofLow}, high ${ofHigh}` : (ofLow ?? ofHigh ?? '');
  return `${both} ${unit}`;
}
