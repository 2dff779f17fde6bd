import { useState } from 'react';
import { useAlerts } from '../../hooks/useAlerts';
import { parameterLabels } from '../../lib/alerts/parameters';
import type { AlertItem } from '../../lib/alerts/schema';
import { formatTime } from '../../lib/time/formatTime';
import styles from './AlertLinks.module.css';

interface AlertLinksProps {
  /** Whether an open alert can be linked. */
  isOffered: (alert: AlertItem) => boolean;
  timeZone: string;
  /** The ids of the alerts that are linked. */
  linked: readonly number[];
  isLocked: boolean;
  onChange: (linked: readonly number[]) => void;
}

interface Row {
  id: number;
  label: string;
}

/**
 * The alerts to which a text belongs, and the open ones to link. Folded it keeps its height; unfolded it keeps its
 * rows, whatever opens and closes meanwhile: nothing moves under a pointer.
 */
export function AlertLinks({ isOffered, timeZone, linked, isLocked, onChange }: AlertLinksProps) {
  const { data } = useAlerts();
  const [rows, setRows] = useState<readonly Row[]>([]);
  // What is open stays so, even if its last alert ends meanwhile.
  const [isUnfolded, setIsUnfolded] = useState(false);
  const open: Row[] = (data?.items ?? []).filter(isOffered).map(({ id, parameter, priority, raisedAt }) => ({
    id,
    label: `${parameterLabels[parameter]}, ${priority}, raised ${formatTime(Date.parse(raisedAt), timeZone)}`,
  }));
  const unfold = (): void => {
    const known = new Map([...rows.filter(({ id }) => linked.includes(id)), ...open].map((row) => [row.id, row]));
    const others = linked.filter((id) => !known.has(id)).map((id) => ({ id, label: 'An alert that is not open' }));
    setRows([...known.values(), ...others].sort((one, other) => one.id - other.id));
  };
  const none = data === undefined ? 'Open alerts not loaded' : 'No open alert to link';
  if (linked.length === 0 && open.length === 0 && !isUnfolded) {
    return <p className={styles.none}>{none}</p>;
  }
  return (
    <details
      onToggle={({ currentTarget }) => {
        setIsUnfolded(currentTarget.open);
        if (currentTarget.open) {
          unfold();
        }
      }}
    >
      <summary className={styles.summary}>
        {linked.length > 0
          ? `Linked to ${linked.length === 1 ? '1 alert' : `${linked.length} alerts`}`
          : open.length === 0
            ? none
            : 'Link to an open alert'}
      </summary>
      {rows.map(({ id, label }) => (
        <label key={id} className={styles.choice}>
          <input
            type="checkbox"
            checked={linked.includes(id)}
            disabled={isLocked}
            onChange={({ target }) => {
              const rest = linked.filter((each) => each !== id);
              onChange(target.checked ? [...rest, id] : rest);
            }}
          />
          {label}
        </label>
      ))}
    </details>
  );
}
