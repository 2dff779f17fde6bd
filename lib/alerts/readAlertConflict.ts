import { alertConflict, type AlertConflict } from './schema';

/**
 * Returns the alert that a refused action names, and the last thing that a user did to it; null if there is none.
 * Another release may have other alerts: what cannot be read is left out, and the rest of the error is not lost with
 * it.
 */
export function readAlertConflict(alert: unknown, lastAct: unknown): AlertConflict | null {
  const { data } = alertConflict.shape.alert.safeParse(alert);
  const last = alertConflict.shape.lastAct.safeParse(lastAct);
  return data === undefined ? null : { alert: data, lastAct: last.data ?? null };
}
