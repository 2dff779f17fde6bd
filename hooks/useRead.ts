import type { CallName, CallTable } from '../lib/api/calls';
import type { CallResponse, CallInput } from '../lib/browser/client';
import type { ReadState } from './readState';
import { poll } from './poll';
import { useReadState } from './useReadState';

/** The calls that change nothing. */
export type ReadName = { [Name in CallName]: CallTable[Name]['method'] extends 'GET' ? Name : never }[CallName];

type Options<Name extends ReadName> = NonNullable<Parameters<typeof useReadState<CallResponse<Name>>>[2]>;

/** Whether an SWR key belongs to this read, with any input. */
export function isReadOf(name: string, key: string): boolean {
  return key.startsWith(`${name} `);
}

/** Polls a read of the server. Hooks with the same name and input share one response. */
export function useRead<Name extends ReadName>(
  name: Name,
  input: CallInput<Name>,
  options?: Options<Name>,
): ReadState<CallResponse<Name>> {
  return useReadState(`${name} ${JSON.stringify(input)}`, () => poll(name, input), options);
}
