import { Fragment, useState } from 'react';
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
        {headingParts(group, rows).map(({ words, count }, index) => (
          <Fragment key={words}>
            {index === 0 ? null : ' · '}
            {words} <span className={styles.count}>{index === 0 ? counted(rows, count) : count}</span>
          </Fragment>
        ))}
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

/**
 * What is counted: a row is a patient, who may have several alerts. The head of the list counts the alerts. Among
 * gateways and the issue reports of units the number has no word.
 */
function counted(rows: readonly HeldRow[], count: number): string {
  const arePatients = rows.every(({ alerts }) => alerts.every(({ alert }) => alert.patientId !== null));
  return arePatients ? `${count} ${count === 1 ? 'patient' : 'patients'}` : String(count);
}

/** What has become of a row that keeps its place in another group. */
const movedWords = {
  untaken: 'Not taken',
  taken: 'Taken',
  ended: 'Ended',
  equipment: 'Equipment',
  closed: 'Closed',
} as const satisfies Record<AlertGroup | 'closed', string>;

/**
 * Returns what the rows of a group are now, so that no heading is false above a row that only keeps its place:
 * "Ended, not acknowledged 2 · Alert again 1".
 */
function headingParts(group: AlertGroup, rows: readonly HeldRow[]): { words: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const now = groupNow(row);
    const isAgain = group === 'ended' && now !== 'ended' && row.alerts.some((each) => each.isAgain);
    const words = now === group ? alertGroups[group] : isAgain ? 'Alert again' : movedWords[now];
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts]
    .map(([words, count]) => ({ words, count }))
    .sort((a, b) => Number(b.words === alertGroups[group]) - Number(a.words === alertGroups[group]));
}

function groupNow({ alerts }: HeldRow): AlertGroup | 'closed' {
  const groups = alerts.filter(({ isClosed }) => !isClosed).map(({ alert }) => groupOf(alert));
  return alertGroupNames.find((name) => groups.includes(name)) ?? 'closed';
}

/** By the priority when the list was frozen: no row comes into a list that holds still. */
function isShownAtFirst({ alerts }: HeldRow, index: number): boolean {
  return index < endedAtFirst || alerts.some(({ before }) => before === 'high');
}
