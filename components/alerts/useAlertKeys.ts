import { type RefObject } from 'react';
import { useSingleKeys } from '../ui/useSingleKeys';
import { alertRowsIn } from './useRowFocus';

const alertKeys = ['j', 'k', 'enter', 'a', 't'] as const;

interface KeyActs {
  acknowledge: (alertId: number) => void;
  take: (alertId: number) => void;
  open: (alertId: number) => void;
}

/**
 * J and K move from row to row of a list of alerts, Enter opens the patient, A acknowledges and T takes the alert that
 * has the keyboard (`useSingleKeys` says when a key counts).
 */
export function useAlertKeys(list: RefObject<HTMLElement | null>, isOn: boolean, acts: KeyActs): void {
  const press = (key: string, row: HTMLElement | null): void => {
    const rows = alertRowsIn(list.current);
    if (key === 'j' || key === 'k') {
      const at = rows.findIndex((each) => each === row);
      rows[Math.min(rows.length - 1, Math.max(0, at + (key === 'j' ? 1 : -1)))]?.focus();
      return;
    }
    // Only the row that has the keyboard now, and had it when the key was pressed.
    if (row === null || rowOf(document.activeElement, list.current) !== row) {
      return;
    }
    const id = Number(row.dataset.alert);
    if (key === 'a') {
      acts.acknowledge(id);
    } else if (key === 't') {
      acts.take(id);
    } else if (document.activeElement === row) {
      acts.open(id);
    }
  };
  useSingleKeys(
    isOn,
    alertKeys,
    (key) => {
      const row = rowOf(document.activeElement, list.current);
      return () => {
        press(key, row);
      };
    },
    (event, before) => {
      const { target, key } = event;
      const inList = target instanceof Element && list.current?.contains(target) === true;
      // The Enter of a scanner, after what it typed, must not press the button that has the keyboard.
      if (inList && before.length === 1 && (key === 'Enter' || key === ' ')) {
        event.preventDefault();
      }
    },
  );
}

function rowOf(focused: Element | null, list: Element | null): HTMLElement | null {
  const row = focused?.closest<HTMLElement>('[data-alert]') ?? null;
  return row !== null && list?.contains(row) === true ? row : null;
}
