import type { Proposal } from '../../lib/proposals/proposals';
import { formatDate, formatTime } from '../../lib/time/formatTime';

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
