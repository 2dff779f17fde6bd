import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { ApiFailure, clientFailure } from '../lib/browser/client';
import { refreshEveryMs, swrConfig } from './swrConfig';
import { useOnce } from './useOnce';

const read = jest.fn<Promise<string>, []>();
const gone = new ApiFailure('not_found', 'No.', { status: 404 });

beforeEach(() => {
  jest.useFakeTimers();
  read.mockReset();
});
afterEach(() => {
  jest.useRealTimers();
});

async function render() {
  const { result } = renderHook(() => useOnce('thing', read), {
    wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
  });
  await act(async () => {});
  return result;
}
/** Lets several intervals of polls pass. */
const waitLong = () => act(() => jest.advanceTimersByTimeAsync(4 * refreshEveryMs));

describe('a single read', () => {
  it('stays refused and is not repeated', async () => {
    read.mockRejectedValue(gone);
    const result = await render();
    expect(result.current).toEqual({ data: undefined, failure: gone });
    await waitLong();
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('is repeated until the server can be reached', async () => {
    read.mockRejectedValueOnce(clientFailure('unreachable')).mockResolvedValue('here');
    const result = await render();
    expect(result.current.failure?.code).toBe('unreachable');
    await waitLong();
    expect(result.current).toEqual({ data: 'here', failure: undefined });
  });

  it('is a failure also after an unexpected exception', async () => {
    read.mockRejectedValue(new TypeError('x is undefined'));
    const result = await render();
    expect(result.current.failure?.code).toBe('unreadable_response');
  });

  it('is not repeated after a response', async () => {
    read.mockResolvedValue('here');
    const result = await render();
    await waitLong();
    expect(result.current).toEqual({ data: 'here', failure: undefined });
    expect(read).toHaveBeenCalledTimes(1);
  });
});
