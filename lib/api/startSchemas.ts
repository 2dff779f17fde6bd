import { userInfo } from '../session/userInfoSchema';
import type { CallName, CallTable } from './calls';
import type { clinicalSchemas } from './clinicalSchemas';
import { firstCalls } from './firstCalls';

/** Returns the group that contains a call which is not of the first. Each is read in a task of its own. */
async function laterGroup(name: CallName): Promise<Partial<CallTable>> {
  const { clinicalCalls } = await clinicalGroup();
  if (name in clinicalCalls) {
    return clinicalCalls;
  }
  const { openedCalls } = await import('./openedCalls');
  return name in openedCalls ? openedCalls : (await import('./administrationCalls')).administrationCalls;
}

/** Loads the clinical group of calls, and what reads an action of theirs that was refused. */
async function clinicalGroup(): Promise<typeof clinicalSchemas> {
  return (await import('./clinicalSchemas')).clinicalSchemas;
}

/**
 * The first group of calls, and the user whom the browser keeps, whose schema is a part of theirs. The other groups
 * come from within this file, because they use its schemas of values and patients, and would bring copies of their own.
 */
export const startSchemas = { firstCalls, userInfo, laterGroup, clinicalGroup };
