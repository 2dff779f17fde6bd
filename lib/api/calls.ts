import { administrationCalls } from './administrationCalls';
import { clinicalCalls } from './clinicalCalls';
import { firstCalls } from './firstCalls';

/**
 * Every call of the API by its name, in three groups: the browser loads the schemas of a group when it first makes one
 * of its calls.
 */
export const calls = { ...firstCalls, ...clinicalCalls, ...administrationCalls } as const;

export type CallTable = typeof calls;
export type CallName = keyof CallTable;
