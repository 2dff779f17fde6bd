import { administrationCalls } from './administrationCalls';
import { clinicalCalls } from './clinicalCalls';
import { firstCalls } from './firstCalls';
import { openedCalls } from './openedCalls';

/**
 * Every call of the API by its name, in four groups: the browser loads the schemas of a group when it first makes one
 * of its calls.
 */
export const calls = { ...firstCalls, ...clinicalCalls, ...openedCalls, ...administrationCalls } as const;

export type CallTable = typeof calls;
export type CallName = keyof CallTable;
