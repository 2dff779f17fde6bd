import type { ReadState } from '../hooks/readState';
import { useCall } from '../hooks/useCall';
import { useRead } from '../hooks/useRead';
import type { CallName } from '../lib/api/calls';
import type { CallResponse, CallInput } from '../lib/browser/client';
import { wardNow } from './inventedWard';

/** Returns a response as a page has it that has just read it. */
export function answered<Data>(data: Data, change: Partial<ReadState<Data>> = {}): ReadState<Data> {
  const refresh = (): Promise<void> => Promise.resolve();
  return { data, error: undefined, isLoading: false, isRefreshing: false, asOf: wardNow, refresh, ...change };
}

/** Sets what a mocked `useRead` (`jest.mock('.../hooks/useRead')`) returns for each call; any other one throws. */
export function setReads(answers: { [Name in CallName]?: ReadState<CallResponse<Name>> }): void {
  jest.mocked(useRead).mockImplementation((name) => {
    const answer = answers[name];
    if (answer === undefined) {
      throw new Error(`The test sets no response of ${name}`);
    }
    return answer;
  });
}

/** Sets what a mocked `useCall` (`jest.mock('.../hooks/useCall')`) does for each call; any other one rejects. */
export function setCalls(calls: {
  [Name in CallName]?: (input: CallInput<Name>) => Promise<CallResponse<Name>>;
}): void {
  jest
    .mocked(useCall)
    .mockImplementation(
      (name) => calls[name] ?? (() => Promise.reject(new Error(`The test sets nothing for the call ${name}`))),
    );
}

/** Returns a mock of one call, for `setCalls`. */
export function callMock<Name extends CallName>(): jest.Mock<Promise<CallResponse<Name>>, [CallInput<Name>]> {
  return jest.fn<Promise<CallResponse<Name>>, [CallInput<Name>]>();
}
