import { useState } from 'react';
import { alertGroupNames, alertGroups, groupOf, type AlertGroup } from './groupedRows';
import { AlertRow, type RowContext } from './AlertRow';
import styles from './OpenAlerts.module.css';
import type { HeldRow } from './useHeldRows';

/** How many rows of what is over are shown at first, beside every HIGH one. */
const endedAtFirst = 3;

/** The rows in their groups, each with its caption and its count. */
export function AlertGroups({ rows, ...shared }: RowContext & { rows: readonly HeldRow[] }) {
  return alertGroupNames.map((group) => {
    const ofGroup = rows.filter((row) => row.group === group);
    return ofGroup.length === 0 ? null : <Group key={group} group={group} rows={ofGroup} {...shared} />;
  });
}

interface GroupProps extends RowContext {
  group: AlertGroup;
  rows: readonly HeldRow[];
}

function Group({ group, rows, ...shared }: GroupProps) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = group === 'ended' && !showsAll ? rows.filter(isShownAtFirst) : rows;
  const hidden = rows.length - rows.filter(isShownAtFirst).length;
  return (
    <div className={styles.group} data-group={group}>
      <h3 id={`alerts-${group}`}>
        {alertGroups[group]} <span className={styles.count}>{rows.filter((row) => isStillIn(row, group)).length}</span>
      </h3>
      {group === 'ended' && hidden > 0 ? (
        <button
          type="button"
          className={styles.showAll}
          aria-expanded={showsAll}
          onClick={() => {
            setShowsAll(!showsAll);
          }}
        >
          {showsAll ? 'Show fewer' : `Show ${hidden} more`}
        </button>
      ) : null}
      <ol aria-labelledby={`alerts-${group}`} className={styles.list}>
        {shown.map((row) => (
          <AlertRow key={row.key} {...shared} row={row} isShort={group === 'ended'} />
        ))}
      </ol>
    </div>
  );
}

/** A row that keeps its place in a list that holds still is counted where it belongs now. */
function isStillIn({ alerts }: HeldRow, group: AlertGroup): boolean {
  const groups = alerts.filter(({ isClosed }) => !isClosed).map(({ alert }) => groupOf(alert));
  return alertGroupNames.find((name) => groups.includes(name)) === group;
}

/** By the priority when the list was frozen: no row comes into a list that holds still. */
function isShownAtFirst({ alerts }: HeldRow, index: number): boolean {
  return index < endedAtFirst || alerts.some(({ before }) => before === 'high');
}
