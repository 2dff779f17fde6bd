import { ApiFailure, type Reply } from '../lib/browser/client';
import { poll } from './poll';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: { signal?: AbortSignal }]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
}));

beforeEach(() => {
  jest.useFakeTimers();
  mockAsk.mockReset();
});

afterEach(() => jest.useRealTimers());

describe('a poll', () => {
  it('gives up a server that hangs after 8 s, although the call itself does not end', async () => {
    mockAsk.mockReturnValue(new Promise(() => {}));
    const outcome = poll('getCurrentUser', {}).catch((problem: unknown) => problem);
    const signal = mockAsk.mock.lastCall?.[1].signal;
    await jest.advanceTimersByTimeAsync(7_999);
    expect(signal?.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(signal?.aborted).toBe(true);
    await expect(outcome).resolves.toMatchObject({ code: 'aborted', status: null });
  });

  it('passes a failure on and leaves no timer behind', async () => {
    const failure = new ApiFailure('forbidden', 'No.', { status: 403 });
    mockAsk.mockRejectedValue(failure);
    await expect(poll('getCurrentUser', {})).rejects.toBe(failure);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('passes the response on and leaves no timer behind', async () => {
    const reply = { data: null, serverTime: 1 } satisfies Reply<'updateLastActive'>;
    mockAsk.mockResolvedValue(reply);
    await expect(poll('updateLastActive', { params: { id: 7 } })).resolves.toBe(reply);
    expect(mockAsk).toHaveBeenCalledWith('updateLastActive', expect.objectContaining({ params: { id: 7 } }));
    expect(jest.getTimerCount()).toBe(0);
  });
});
