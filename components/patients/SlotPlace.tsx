import { useState, type ReactNode } from 'react';
import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { useLoaded } from '../../hooks/useLoaded';
import { can } from '../../lib/session/can';
import type { ListSlotProps } from '../alerts/ListSlot';
import styles from './SlotPlace.module.css';

/**
 * The place above the list for what is new, of one height from the first paint on. The code of the slot is loaded once
 * the list holds still for the first time or an alert changes: it is not needed before that.
 */
export function SlotPlace({ children, ...slot }: ListSlotProps & { children: ReactNode }) {
  const { items } = useAlertStrip();
  const [first, setFirst] = useState(items);
  const [isWanted, setIsWanted] = useState(false);
  if (first === undefined && items !== undefined) {
    setFirst(items);
  } else if (!isWanted && can(slot.user, 'readAlerts') && (slot.freeze.frozen !== null || items !== first)) {
    setIsWanted(true);
  }
  return (
    <div className={styles.slot}>
      <div className={styles.calm}>{children}</div>
      {isWanted ? <LaterSlot {...slot} /> : null}
    </div>
  );
}

const loadSlot = async () => (await import('../alerts/ListSlot')).ListSlot;

/** Shows the slot once its code is loaded. */
function LaterSlot(props: ListSlotProps) {
  const loaded = useLoaded(loadSlot);
  return loaded === null ? null : <loaded.Part {...props} />;
}
