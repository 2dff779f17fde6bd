import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { ApiFailure } from '../lib/browser/client';
import { swrConfig } from './swrConfig';
import { useUserActs, type UserActs } from './useUserActs';
import { useInvitations, useUsers } from './useUsers';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: object]>();
const mockCall = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
  call: (...given: Parameters<typeof mockCall>) => mockCall(...given),
}));

const link = { link: 'https://ward.test/sign_up#invitation=x', expiresAt: '2026-03-10T15:00:00.000Z', mailed: false };
const invitation = { email: 'ines@ward.test', type: 'nurse' as const, isAdmin: false, unitIds: [1] };

async function render(items: object[] = []) {
  mockCall.mockReset();
  mockAsk
    .mockReset()
    .mockImplementation(() => Promise.resolve({ data: { items, total: items.length }, serverTime: 1 }));
  const { result } = renderHook(() => ({ acts: useUserActs(), users: useUsers(), invitations: useInvitations() }), {
    wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
  });
  await act(async () => {});
  mockAsk.mockClear();
  return result;
}
const asked = () => mockAsk.mock.calls.map(([name]) => name);

describe('what an administrator does', () => {
  it('throws why it was refused, and has the list polled, because it was not as shown', async () => {
    const result = await render();
    const refusal = new ApiFailure('version_conflict', 'No.', { status: 409 });
    mockCall.mockRejectedValue(refusal);
    await expect(act(() => result.current.acts.change(3, { version: 1, isAdmin: true }))).rejects.toBe(refusal);
    expect(asked()).toEqual(['listUsers']);
  });

  it.each<[string, (acts: UserActs) => Promise<unknown>, object, polled: string[]]>([
    [
      'changeUser',
      (acts) => acts.change(3, { version: 2, type: 'nurse' }),
      { params: { id: 3 }, body: { version: 2, type: 'nurse' } },
      [],
    ],
    [
      'approveUser',
      (acts) => acts.approve(3, { version: 2, type: 'nurse', unitIds: [1] }),
      { params: { id: 3 }, body: { version: 2, type: 'nurse', unitIds: [1] } },
      [],
    ],
    ['rejectUser', (acts) => acts.reject(3), { params: { id: 3 } }, ['listUsers']],
    ['endUserSessions', (acts) => acts.endSessions(3), { params: { id: 3 } }, ['listUsers']],
    ['withdrawInvitation', (acts) => acts.withdraw(9), { params: { id: 9 } }, ['listInvitations']],
    ['makeResetLink', (acts) => acts.makeResetLink(3), { params: { id: 3 } }, ['listUsers']],
    ['invite', (acts) => acts.invite(invitation), { body: invitation }, ['listInvitations']],
  ])('is the call %s, after which what its answer does not say is polled', async (name, perform, input, polled) => {
    const result = await render();
    mockCall.mockResolvedValue(link);
    await act(() => perform(result.current.acts));
    expect(mockCall).toHaveBeenCalledWith(name, input);
    expect(asked()).toEqual(polled);
  });

  it('shows the changed user at once', async () => {
    const [ada, bea] = [
      { id: 3, fname: 'Ada' },
      { id: 4, fname: 'Bea' },
    ];
    const result = await render([ada, bea]);
    mockCall.mockResolvedValue({ ...ada, fname: 'Adah' });
    await act(() => result.current.acts.change(3, { version: 1, isAdmin: true }));
    expect(result.current.users.data?.items).toEqual([{ ...ada, fname: 'Adah' }, bea]);
  });

  it('hands back the links that are told this once', async () => {
    const result = await render();
    mockCall.mockResolvedValue(link);
    await act(async () => {
      await expect(result.current.acts.invite(invitation)).resolves.toBe(link);
      await expect(result.current.acts.makeResetLink(3)).resolves.toBe(link);
    });
  });
});
