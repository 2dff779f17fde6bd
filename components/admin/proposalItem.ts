import type { EscalationProposal } from '../../lib/alerts/escalationTimesSchema';
import { timesDifference } from '../../lib/alerts/escalationTimesWords';
import type { Proposal } from '../../lib/proposals/proposals';
import type { LimitsProposal, SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { sidesWords, siteLimitName } from '../../lib/alerts/siteLimitsWords';

/** A proposal of either kind, as the page lists it. */
export interface ProposalItem {
  kind: 'limits' | 'escalation';
  proposal: Proposal;
  title: string;
  /** What it changes, a line each. */
  difference: string[];
}

export function escalationItem(proposal: EscalationProposal): ProposalItem {
  const difference = timesDifference(proposal.held, proposal.wanted);
  return { kind: 'escalation', proposal, title: 'Escalation times', difference };
}

export function limitsItem(proposal: LimitsProposal, limits: SiteLimitsResponse['items']): ProposalItem {
  const { rule, scale, held, wanted } = proposal;
  const shown = limits.find((one) => one.rule === rule && one.scale === scale) ?? { lowIs: null, unit: '' };
  const difference = [`${sidesWords(held, shown)} → ${sidesWords(wanted, shown)}`];
  return { kind: 'limits', proposal, title: siteLimitName({ rule, scale }), difference };
}
