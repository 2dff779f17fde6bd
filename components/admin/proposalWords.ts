import type { EscalationProposal } from '../../lib/alerts/escalationTimesSchema';
import { timesDifference } from '../../lib/alerts/escalationTimesWords';
import type { LimitsProposal, SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { sidesWords, siteLimitName } from '../../lib/alerts/siteLimitsWords';
import type { Proposal } from '../../lib/proposals/proposals';
import { formatDate, formatTime } from '../../lib/time/formatTime';

/** A proposal of either kind, as the page lists it. */
export interface ProposalItem {
  kind: 'SiteLimits' | 'EscalationTimes';
  proposal: Proposal;
  title: string;
  /** What it changes, a line each. */
  difference: string[];
}

export function escalationItem(proposal: EscalationProposal): ProposalItem {
  const difference = timesDifference(proposal.held, proposal.wanted);
  return { kind: 'EscalationTimes', proposal, title: 'Escalation times', difference };
}

export function limitsItem(proposal: LimitsProposal, limits: SiteLimitsResponse['items']): ProposalItem {
  const { rule, scale, held, wanted } = proposal;
  const shown = limits.find((one) => one.rule === rule && one.scale === scale) ?? { lowIs: null, unit: '' };
  const difference = [`${sidesWords(held, shown)} → ${sidesWords(wanted, shown)}`];
  return { kind: 'SiteLimits', proposal, title: siteLimitName({ rule, scale }), difference };
}

/** "07 Mar 2026, 14:05" in the site's zone. */
export function whenWords(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  return `${formatDate(at, timeZone)}, ${formatTime(at, timeZone)}`;
}

/** Says who proposed something, when and why. */
export function proposedWords({ proposedBy, proposedAt, reason }: Proposal, timeZone: string): string {
  return `Proposed by ${proposedBy.name}, ${whenWords(proposedAt, timeZone)}: “${reason}”`;
}

/** Says what became of a proposal, when and by whom; an open one still waits. */
export function decidedWords({ state, decided, proposedBy }: Proposal, timeZone: string): string {
  if (decided === null) {
    return 'Waiting for approval.';
  }
  const isWithdrawn = state === 'rejected' && decided.by?.id === proposedBy.id;
  const what = isWithdrawn ? 'Withdrawn' : stateWords[state];
  const by = decided.by === null ? '' : ` by ${decided.by.name}`;
  const why = decided.reason === '' ? '' : `: “${decided.reason}”`;
  return `${what}${by}, ${whenWords(decided.at, timeZone)}${why === '' ? '.' : why}`;
}

const stateWords = {
  proposed: 'Waiting for approval',
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired without approval',
  replaced: 'Replaced by a newer proposal',
} as const satisfies Record<Proposal['state'], string>;
