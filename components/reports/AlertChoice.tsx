import { useState } from 'react';
import { useAlerts } from '../../hooks/useAlerts';
import { parameterLabels } from '../../lib/alerts/parameters';
import { formatTime } from '../../lib/time/formatTime';
import styles from './reports.module.css';

interface AlertChoiceProps {
  timeZone: string;
  /** The chosen patient's id; an empty text: none. */
  patientId: string;
  linked: readonly number[];
  isLocked: boolean;
  onChange: (linked: readonly number[]) => void;
}

/**
 * The open alerts of the chosen patient and of equipment, to link. Folded it keeps its height; unfolded it keeps its
 * rows, whatever opens and closes meanwhile: nothing moves under a pointer.
 */
export function AlertChoice({ timeZone, patientId, linked, isLocked, onChange }: AlertChoiceProps) {
  const { data } = useAlerts();
  const open = (data?.items ?? []).filter((alert) => alert.patientId === null || String(alert.patientId) === patientId);
  const [rows, setRows] = useState<readonly { id: number; label: string }[]>([]);
  // What is open stays so, even if its last alert ends meanwhile.
  const [isUnfolded, setIsUnfolded] = useState(false);
  const unfold = (): void => {
    const present = open.map(({ id, parameter, priority, raisedAt }) => ({
      id,
      label: `${parameterLabels[parameter]}, ${priority}, raised ${formatTime(Date.parse(raisedAt), timeZone)}`,
    }));
    const gone = linked
      .filter((id) => present.every((row) => row.id !== id))
      .map((id) => rows.find((row) => row.id === id) ?? { id, label: 'An alert that is not open' });
    setRows([...present, ...gone].sort((one, other) => one.id - other.id));
  };
  if (linked.length === 0 && open.length === 0 && !isUnfolded) {
    return <p className={styles.none}>No open alert to link</p>;
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
            ? 'No open alert to link'
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
