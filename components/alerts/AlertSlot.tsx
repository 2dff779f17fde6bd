import type { ReactNode } from 'react';
import { NativeButton } from '../ui/NativeButton';
import { AlertLine } from './AlertLine';
import type { RowContext } from './AlertRow';
import styles from './OpenAlerts.module.css';
import type { SlotAlert } from './useSlotAlert';

export type SlotTag = 'New' | 'More urgent' | 'Alert again';

interface AlertSlotProps extends RowContext {
  slot: SlotAlert;
  /** Why the alert is here. All but a new one are in the list as well. */
  tag: SlotTag;
  onShowAll: () => void;
  /** What is there while nothing is new, if the slot has a place of its own. */
  children?: ReactNode;
}

/**
 * The reserved place above a list that holds still: the worst new alert as a row with its actions. It has one height
 * with and without news, and stays in sight as long as the list is.
 */
export function AlertSlot({ slot, tag, onShowAll, children, stateOf, ...shared }: AlertSlotProps) {
  const { shown, isClosed, more, handlers } = slot;
  return (
    <div className={styles.slot} data-news={shown === null ? undefined : ''}>
      {children}
      {shown === null ? null : (
        <div className={styles.news} {...handlers}>
          <span className={styles.tag}>{tag}</span>
          <AlertLine
            key={shown.id}
            {...shared}
            alert={shown}
            isClosed={isClosed}
            look="row"
            state={stateOf(shown.id)}
          />
          <NativeButton onClick={onShowAll}>{more === 0 ? 'Show in list' : `+${more} more`}</NativeButton>
        </div>
      )}
    </div>
  );
}
