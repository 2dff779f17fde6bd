import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import type { SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { siteLimitName } from '../../lib/alerts/siteLimitsWords';
import type { Proposal } from '../../lib/proposals/proposals';
import type { User } from '../../lib/session/schema';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { onDemand } from '../ui/onDemand';
import { useAction } from '../ui/useAction';
import admin from './admin.module.css';
import styles from './AlertSettings.module.css';
import { decidedWords, proposedWords, whenWords, type ProposalItem } from './proposalWords';

const RejectDrawer = onDemand(() => import('./RejectDrawer').then((module) => module.RejectDrawer));

/** How long the author of a proposal is shown what became of it, in milliseconds. */
const outcomeShownMs = 7 * 86_400_000;

interface ProposalsProps {
  items: readonly ProposalItem[];
  user: User;
  /** The server's time, epoch milliseconds. */
  now: number;
  onSaid: (text: string) => void;
}

/** The open proposals, and what became of the user's own. */
export function Proposals({ items, user, now, onSaid }: ProposalsProps) {
  const open = items.filter(({ proposal }) => proposal.state === 'proposed');
  const outcomes = items.filter(
    ({ proposal: { proposedBy, decided } }) =>
      proposedBy.id === user.id &&
      decided !== null &&
      decided.by?.id !== user.id &&
      now - Date.parse(decided.at) < outcomeShownMs,
  );
  if (open.length === 0 && outcomes.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="proposals" className={admin.screen}>
      <h2 id="proposals">{open.length === 0 ? 'Your proposals' : 'Waiting for approval'}</h2>
      <ul className={styles.proposals}>
        {open.map((item) => (
          <OpenProposal key={item.proposal.id} item={item} user={user} onSaid={onSaid} />
        ))}
        {outcomes.map(({ proposal, title, difference }) => (
          <li key={proposal.id} className={styles.proposal}>
            <p>
              <strong>Your proposal: {title}.</strong> {decidedWords(proposal, user.site.timeZone)}
            </p>
            <Difference lines={difference} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OpenProposal({ item, user, onSaid }: { item: ProposalItem; user: User; onSaid: (text: string) => void }) {
  const { kind, proposal, title, difference } = item;
  const call = useCall(`approve${kind}`);
  const { failure, isWaiting, carryOut } = useAction();
  const [isRejecting, setIsRejecting] = useState(false);
  const { timeZone } = user.site;
  const isOwn = proposal.proposedBy.id === user.id;
  const headId = `proposal-${kind}-${proposal.id}`;
  const approve = (): Promise<boolean> =>
    carryOut(
      () => call({ params: { id: proposal.id } }),
      () => onSaid(`Approved: ${title}. It holds now.`),
    );
  return (
    <li className={styles.proposal} aria-labelledby={headId}>
      <h3 id={headId}>{title}</h3>
      <Difference lines={difference} />
      <p>{proposedWords(proposal, timeZone)}</p>
      <p className={admin.quiet}>
        {approverWords(proposal, isOwn)} Expires {whenWords(proposal.expiresAt, timeZone)}.
      </p>
      <FormFailure failure={failure} done="approved" />
      {proposal.canApprove || proposal.canReject ? (
        <div className={admin.actions}>
          {proposal.canApprove ? (
            <ConfirmButton
              label="Approve"
              name={`Approve ${title}`}
              question="Approve? It holds at once, also for open alerts."
              disabled={isWaiting}
              onConfirm={() => void approve()}
            />
          ) : null}
          {proposal.canReject ? (
            <Button aria-label={`${isOwn ? 'Withdraw' : 'Reject'} ${title}`} onClick={() => setIsRejecting(true)}>
              {isOwn ? 'Withdraw' : 'Reject'}
            </Button>
          ) : null}
        </div>
      ) : null}
      {isRejecting ? (
        <RejectDrawer
          item={item}
          isOwn={isOwn}
          change={<Difference lines={difference} />}
          onClose={() => setIsRejecting(false)}
          onRejected={() => {
            setIsRejecting(false);
            onSaid(`${isOwn ? 'Withdrawn' : 'Rejected'}: ${title}. Nothing has changed.`);
          }}
        />
      ) : null}
    </li>
  );
}

function approverWords({ approver, proposedBy }: Proposal, isOwn: boolean): string {
  switch (approver) {
    case 'ward_lead':
      return `A ward lead other than ${isOwn ? 'you' : proposedBy.name} approves.`;
    case 'physician':
      return `A physician approves, because ${isOwn ? 'you are' : `${proposedBy.name} is`} the only ward lead.`;
    case 'no_one':
      return 'No one can approve it: the site has no ward lead. An administrator can add one.';
    default:
      return approver satisfies never;
  }
}

/** What a proposal changes, a line each. */
const Difference = ({ lines }: { lines: readonly string[] }) => (
  <ul className={styles.difference}>
    {lines.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
);

interface ProposalHistoryProps {
  /** The newest first. */
  items: readonly ProposalItem[];
  /** What one user set in an earlier release, before a second one had to approve. */
  earlier: SiteLimitsResponse['history'];
  timeZone: string;
}

/** What was proposed before, and what became of it. */
export function ProposalHistory({ items, earlier, timeZone }: ProposalHistoryProps) {
  const past = items.filter(({ proposal }) => proposal.state !== 'proposed');
  return (
    <section aria-labelledby="history" className={admin.screen}>
      <h2 id="history">History</h2>
      {past.length === 0 && earlier.length === 0 ? <p className={admin.text}>Nothing was changed yet.</p> : null}
      <ul className={styles.history}>
        {past.map(({ proposal, title, difference }) => (
          <li key={proposal.id}>
            <strong>{title}</strong>
            <Difference lines={difference} />
            {decidedWords(proposal, timeZone)} {proposedWords(proposal, timeZone)}
          </li>
        ))}
        {earlier.map(({ rule, scale, setAt, setBy, reason }) => (
          <li key={`${rule} ${scale ?? ''} ${setAt}`}>
            <strong>{siteLimitName({ rule, scale })}</strong>: set by {setBy.name} alone, {whenWords(setAt, timeZone)}:
            “{reason}”
          </li>
        ))}
      </ul>
    </section>
  );
}
