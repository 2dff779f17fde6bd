import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { AlertItem } from '../../lib/alerts/schema';
import type { AlertDialog } from './alertChoices';

/** A dialog about an alert, which is as it was when the user opened it. */
export interface OpenedDialog {
  is: AlertDialog;
  alert: AlertItem;
}

/**
 * Returns the dialog that is open about one alert, and what opens and closes it. If the button that opened it is gone
 * when it closes, the keyboard goes to the row, else to `fallback`.
 */
export function useAlertDialog(
  list: RefObject<HTMLElement | null>,
  fallback: RefObject<HTMLElement | null>,
): { dialog: OpenedDialog | null; onDialog: (is: AlertDialog, alert: AlertItem) => void; onClose: () => void } {
  const [dialog, setDialog] = useState<OpenedDialog | null>(null);
  const last = useRef<number | null>(null);
  useEffect(() => {
    if (dialog === null && last.current !== null && document.activeElement === document.body) {
      const row = list.current?.querySelector<HTMLElement>(`[data-alert="${last.current}"]`);
      (row ?? fallback.current)?.focus({ preventScroll: true });
    }
    last.current = dialog?.alert.id ?? null;
  }, [dialog, list, fallback]);
  const onDialog = useCallback((is: AlertDialog, alert: AlertItem): void => {
    setDialog({ is, alert });
  }, []);
  const onClose = useCallback((): void => {
    setDialog(null);
  }, []);
  return { dialog, onDialog, onClose };
}
