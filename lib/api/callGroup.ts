import type { AlertConflict } from '../alerts/schema';
import type { userInfo } from '../session/userInfoSchema';
import type { CallName, CallTable } from './calls';

/**
 * Returns the group of declarations that contains a call. The browser loads this module with its first call
 * (firstSchemas.ts). This module imports the groups, so that what it already contains (above all zod) is not loaded
 * again with each of them. Each group is read in a task of its own: together they would hold up a slow computer.
 */
export async function callGroup(name: CallName): Promise<Partial<CallTable>> {
  const { firstCalls } = (await import('./startSchemas')).startSchemas;
  if (name in firstCalls) {
    return firstCalls;
  }
  const { clinicalCalls } = (await import('./clinicalSchemas')).clinicalSchemas;
  if (name in clinicalCalls) {
    return clinicalCalls;
  }
  const { openedCalls } = await import('./openedCalls');
  return name in openedCalls ? openedCalls : (await import('./administrationCalls')).administrationCalls;
}

/** Returns the schema of the user whom the browser keeps. */
export async function userInfoSchema(): Promise<typeof userInfo> {
  return (await import('./startSchemas')).startSchemas.userInfo;
}

/** Returns the alert that a refused action names, read as `readAlertConflict` says. Its group is there by then. */
export async function readRefusal(alert: unknown, lastAct: unknown): Promise<AlertConflict | null> {
  return (await import('./clinicalSchemas')).clinicalSchemas.readAlertConflict(alert, lastAct);
}
