import { z } from 'zod';
import { instant } from '../time/schema';
import { limitFaultWords } from './limitFaultWords';
import { defaultBounds, isByScale, limitFaults, siteRules } from './limits';
import { adjustable, limitValues, pastLimits, scale, setLimits, sides } from './limitsSchema';
import { madeOn, proposal } from '../proposals/proposals';

/**
 * Limits for all patients of a site, within bounds, and for one SpO2 scale if the rule's limits differ by scale. New
 * values replace all former ones of the rule; no values return to the default.
 */
export const newSiteLimits = z
  .strictObject({
    rule: z.enum(siteRules),
    scale: scale.nullable().default(null),
    values: limitValues,
    /** When the limits have to be reviewed. */
    reviewAt: instant.nullable().default(null),
    ...madeOn,
  })
  .superRefine(({ rule, scale: onScale, values }, context) => {
    if (isByScale(rule) !== (onScale !== null)) {
      const message =
        onScale === null ? 'is missing: this rule has limits for each SpO2 scale' : 'is not for this rule';
      context.addIssue({ code: 'custom', path: ['scale'], message });
      return;
    }
    const setting = { scale: onScale ?? 1, bounds: defaultBounds, isComfortCare: false };
    const faults = limitFaults(rule, values, setting);
    for (const side of ['low', 'high'] as const) {
      const fault = faults[side];
      if (fault !== undefined) {
        const message = limitFaultWords(fault, defaultBounds[rule][side]);
        context.addIssue({ code: 'custom', path: ['values', side], message });
      }
    }
  });
export type NewSiteLimits = z.infer<typeof newSiteLimits>;

/** Null: set by one user, before a second one had to approve. */
const approvedBy = z.object({ id: z.int(), name: z.string() }).nullable();

const limitsProposal = proposal.extend({
  rule: z.string(),
  scale: scale.nullable(),
  /** What held when it was proposed, and what would hold with it. */
  held: sides,
  wanted: sides,
  values: limitValues,
  reviewAt: instant.nullable(),
});
export type LimitsProposal = z.infer<typeof limitsProposal>;

/** Every rule with limits for the site; one whose limits differ by SpO2 scale is listed once for each of its scales. */
export const siteLimits = z.object({
  items: z.array(
    adjustable.extend({
      scale: scale.nullable(),
      default: sides,
      site: setLimits.extend({ approvedBy }).nullable(),
      holds: sides,
      /** The newest setting, also one that returned to the default; null: none. A new proposal is based on it. */
      settingId: z.int().nullable(),
    }),
  ),
  /** What was set, the newest first. */
  history: z.array(pastLimits.extend({ approvedBy })),
  /** The newest first; at most one is open for each rule and scale. */
  proposals: z.array(limitsProposal),
});
export type SiteLimitsResponse = z.infer<typeof siteLimits>;
