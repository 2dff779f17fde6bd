import { Button } from 'antd';
import { desatWords } from '../../lib/alerts/desatWords';
import type { SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { boundsWords, sidesWords, siteLimitName } from '../../lib/alerts/siteLimitsWords';
import { formatAge } from '../../lib/time/formatTime';
import { AdminTable } from './AdminTable';
import styles from './AlertSettings.module.css';
import { whenWords } from './proposalWords';

type SiteLimit = SiteLimitsResponse['items'][number];

interface SiteLimitsTableProps {
  settings: SiteLimitsResponse;
  timeZone: string;
  /** Opens the drawer for a limit; null: this user may only look. */
  onPropose: ((limit: SiteLimit) => void) | null;
}

const columns = ['Limit', 'Priority', 'Default', 'Now', 'Proposed', 'Bounds'];

/** The site's limits, by rule and scale: the default, what holds and what is proposed side by side. */
export function SiteLimitsTable({ settings: { items, proposals }, timeZone, onPropose }: SiteLimitsTableProps) {
  return (
    <AdminTable label="Limits" columns={columns} hasActions={onPropose !== null}>
      {items.map((limit) => {
        const name = siteLimitName(limit);
        const proposed = proposals.find(
          ({ state, rule, scale }) => state === 'proposed' && rule === limit.rule && scale === limit.scale,
        );
        return (
          <tr key={name} className="ant-table-row">
            <th scope="row" className="ant-table-cell">
              {name}
              {limit.delayMs === 0 ? null : <span className={styles.below}>for {formatAge(limit.delayMs)}</span>}
              <span className={styles.below}>{desatWords(limit.rule, limit.holds)}</span>
            </th>
            <td className="ant-table-cell">{limit.priority.toUpperCase()}</td>
            <td className="ant-table-cell">{sidesWords(limit.default, limit)}</td>
            <td className="ant-table-cell">
              <strong>{sidesWords(limit.holds, limit)}</strong>
              <SetBy site={limit.site} timeZone={timeZone} />
            </td>
            <td className="ant-table-cell">
              {proposed === undefined ? null : (
                <span className={styles.proposed}>{sidesWords(proposed.wanted, limit)}</span>
              )}
            </td>
            <td className="ant-table-cell">{boundsWords(limit)}</td>
            {onPropose === null ? null : (
              <td className="ant-table-cell">
                <Button aria-label={`Propose ${name}`} onClick={() => onPropose(limit)}>
                  Propose
                </Button>
              </td>
            )}
          </tr>
        );
      })}
    </AdminTable>
  );
}

function SetBy({ site, timeZone }: { site: SiteLimit['site']; timeZone: string }) {
  if (site === null) {
    return null;
  }
  const { setBy, approvedBy, setAt, reviewAt, isReviewDue } = site;
  return (
    <>
      <span className={styles.below}>
        {setBy.name}
        {approvedBy === null ? '' : `, ${approvedBy.name}`}, {whenWords(setAt, timeZone)}
      </span>
      {reviewAt === null ? null : (
        <span className={isReviewDue ? styles.proposed : styles.below}>
          {isReviewDue ? 'Review is due since' : 'Review'} {whenWords(reviewAt, timeZone)}
        </span>
      )}
    </>
  );
}
