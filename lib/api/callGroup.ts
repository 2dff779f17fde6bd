import type { CallName, CallTable } from './calls';
import { firstCalls } from './firstCalls';

/**
 * Returns the group of declarations that contains a call. The browser loads this module with its first call
 * (firstSchemas.ts). This module imports the groups, so that what it already contains (above all zod) is not loaded
 * again with each of them.
 */
export async function callGroup(name: CallName): Promise<Partial<CallTable>> {
  if (name in firstCalls) {
    return firstCalls;
  }
  const { clinicalCalls } = await import('./clinicalCalls');
  return name in clinicalCalls ? clinicalCalls : (await import('./administrationCalls')).administrationCalls;
}
