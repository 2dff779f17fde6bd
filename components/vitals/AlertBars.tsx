import { useEffect, useMemo, useRef, useState } from 'react';
import type { ChartAlert } from '../../lib/alerts/chartMarksSchema';
import { priorities } from '../../lib/alerts/priority';
import { alertGroups, type AlertGroup } from '../../lib/vitals/chartAlerts';
import type { ChartWindow } from '../../lib/vitals/chartGaps';
import styles from './AlertBars.module.css';
import { AlertLine } from './AlertLine';
import { plotInsets } from './plotInsets';

interface AlertBarsProps {
  alerts: readonly ChartAlert[];
  window: ChartWindow;
  timeZone: string;
}

/** Of the axis: wide enough for a finger on a chart of half a page. */
const smallestGroup = 0.05;

/** The alerts as bars on the time axis. Pressing one shows what the alert said. */
export function AlertBars({ alerts, window, timeZone }: AlertBarsProps) {
  const groups = useMemo(() => alertGroups(alerts, window, smallestGroup), [alerts, window]);
  const [openId, setOpenId] = useState<number | null>(null);
  // By an alert: the groups are others after each poll.
  const open = groups.find(({ bars }) => bars.some(({ alert }) => alert.id === openId));
  const card = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const isOpen = open !== undefined;
  useEffect(() => {
    if (isOpen) {
      card.current?.focus();
    }
  }, [isOpen]);
  const close = (): void => {
    setOpenId(null);
    opener.current?.focus();
  };
  return (
    <div className={styles.axis} style={{ left: plotInsets.left, right: plotInsets.right, bottom: plotInsets.bottom }}>
      {groups.map((group) => {
        const id = firstOf(group);
        return (
          <button
            key={id}
            type="button"
            className={styles.group}
            style={{ left: percent(group.left), width: percent(group.width) }}
            aria-label={nameOf(group)}
            aria-expanded={group === open}
            onClick={(event) => {
              opener.current = event.currentTarget;
              setOpenId(group === open ? null : id);
            }}
          >
            {group.bars.map(({ alert, left, width }) => (
              <span
                key={alert.id}
                className={styles.bar}
                data-priority={alert.priority}
                style={{
                  left: percent((left - group.left) / group.width),
                  width: percent(width / group.width),
                }}
              />
            ))}
          </button>
        );
      })}
      {open === undefined ? null : (
        <div
          ref={card}
          className={styles.card}
          role="dialog"
          aria-label={nameOf(open)}
          tabIndex={-1}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              close();
            }
          }}
          onBlur={(event) => {
            // A press on the bar closes it by itself.
            if (event.relatedTarget !== opener.current && !event.currentTarget.contains(event.relatedTarget)) {
              setOpenId(null);
            }
          }}
        >
          <ul>
            {open.bars.map(({ alert }) => (
              <li key={alert.id}>
                <AlertLine alert={alert} timeZone={timeZone} />
              </li>
            ))}
          </ul>
          <button type="button" className={styles.close} onClick={close}>
            Close
          </button>
        </div>
      )}
    </div>
  );
}

const percent = (part: number): string => `${(part * 100).toFixed(2)}%`;

/** The alert that began first names a group: it stays as long as the group does. */
function firstOf({ bars }: AlertGroup): number {
  return Math.min(...bars.map(({ alert }) => alert.id));
}

/** "High alert: SpO2 77 % < 88", or "3 alerts, 1 high". */
function nameOf({ bars }: AlertGroup): string {
  const [first] = bars;
  if (bars.length === 1 && first !== undefined) {
    const { priority, sentence } = first.alert;
    return `${priority[0]?.toUpperCase() ?? ''}${priority.slice(1)} alert: ${sentence}`;
  }
  const counts = priorities.flatMap((priority) => {
    const count = bars.filter(({ alert }) => alert.priority === priority).length;
    return count === 0 ? [] : [`${count} ${priority}`];
  });
  return `${bars.length} alerts: ${counts.join(', ')}`;
}
