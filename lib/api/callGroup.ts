import type { CallName, CallTable } from './calls';
import { firstCalls } from './firstCalls';

/**
 * Returns the group of declarations that holds a call. The browser fetches this module with its first call; the groups
 * are fetched from here, because what this module brings already (zod above all) is then not fetched with each again.
 */
export async function callGroup(name: CallName): Promise<Partial<CallTable>> {
  if (name in firstCalls) {
    return firstCalls;
  }
  const { clinicalCalls } = await import('./clinicalCalls');
  return name in clinicalCalls ? clinicalCalls : (await import('./administrationCalls')).administrationCalls;
}
