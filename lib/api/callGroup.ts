import type { AlertConflict } from '../alerts/schema';
import type { userInfo } from '../session/userInfoSchema';
import type { CallName, CallTable } from './calls';

/**
 * Returns the group of declarations that contains a call. The browser loads this module with its first call
 * (firstSchemas.ts). The groups come from within it, so that what it already contains (above all zod) is not loaded
 * again with each of them. Each group is read in a task of its own: together they would hold up a slow computer.
 */
export async function callGroup(name: CallName): Promise<Partial<CallTable>> {
  const { firstCalls, laterGroup } = (await import('./startSchemas')).startSchemas;
  return name in firstCalls ? firstCalls : await laterGroup(name);
}

/** Returns the schema of the user whom the browser keeps. */
export async function userInfoSchema(): Promise<typeof userInfo> {
  return (await import('./startSchemas')).startSchemas.userInfo;
}

/** Returns the alert that a refused action names, read as `readAlertConflict` says. Its group is there by then. */
export async function readRefusal(alert: unknown, lastAct: unknown): Promise<AlertConflict | null> {
  const { clinicalGroup } = (await import('./startSchemas')).startSchemas;
  return (await clinicalGroup()).readAlertConflict(alert, lastAct);
}
