import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { can } from '../../lib/session/can';
import type { ListSlotProps } from '../alerts/ListSlot';
import styles from './SlotPlace.module.css';

/** After this time a download that failed is tried again, in milliseconds. */
const againAfterMs = 5_000;

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

/** Shows the slot once its code is loaded. */
function LaterSlot(props: ListSlotProps) {
  const [loaded, setLoaded] = useState<{ component: ComponentType<ListSlotProps> } | null>(null);
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    import('../alerts/ListSlot').then(
      ({ ListSlot }) => {
        if (!isOver) {
          setLoaded({ component: ListSlot });
        }
      },
      () => {
        if (!isOver) {
          timer = setTimeout(() => setAttempt(attempt + 1), againAfterMs);
        }
      },
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [attempt]);
  if (loaded === null) {
    return null;
  }
  const { component: Slot } = loaded;
  return <Slot {...props} />;
}
