import type { SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { siteLimitName } from '../../lib/alerts/siteLimitsWords';
import admin from './admin.module.css';
import styles from './AlertSettings.module.css';
import { Difference } from './Difference';
import type { ProposalItem } from './proposalItem';
import { decidedWords, proposedWords, whenWords } from './proposalWords';

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
