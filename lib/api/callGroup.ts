import type { CallName, CallTable } from './calls';

/**
 * Returns the group of declarations that contains a call. The browser loads this module with its first call
 * (firstSchemas.ts). This module imports the groups, so that what it already contains (above all zod) is not loaded
 * again with each of them. Each group is read in a task of its own: together they would hold up a slow computer.
 */
export async function callGroup(name: CallName): Promise<Partial<CallTable>> {
  const { firstCalls } = await import('./firstCalls');
  if (name in firstCalls) {
    return firstCalls;
  }
  const { clinicalCalls } = await import('./clinicalCalls');
  if (name in clinicalCalls) {
    return clinicalCalls;
  }
  const { openedCalls } = await import('./openedCalls');
  return name in openedCalls ? openedCalls : (await import('./administrationCalls')).administrationCalls;
}
