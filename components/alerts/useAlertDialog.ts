import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { AlertDialog } from './alertChoices';

interface OpenedDialog {
  is: AlertDialog;
  alert: AlertItem;
}

/**
 * Returns the alert of a dialog as the last response has it, and whether it is closed: it is not among the open ones,
 * and these are all there.
 */
export function alertNow(
  { alert }: OpenedDialog,
  page: AlertsPage | undefined,
): { alert: AlertItem; isClosed: boolean } {
  const open = page?.items.find(({ id }) => id === alert.id);
  return {
    alert: open ?? alert,
    isClosed: open === undefined && page !== undefined && page.items.length >= page.total,
  };
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
