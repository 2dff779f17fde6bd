import { renderHook } from '@testing-library/react';
import { inventedUser } from '../test/inventedWard';
import { useCurrentUser } from './useCurrentUser';
import { usePageUser } from './usePageUser';

jest.mock('./useCurrentUser');

const ada = inventedUser({ id: 7, fname: 'Ada' });

describe('the user of a page', () => {
  it.each([
    ['the store shows no user', null],
    ['the store still has another user', inventedUser({ id: 8, fname: 'Bea' })],
  ])('is that of the page while %s', (_, user) => {
    jest.mocked(useCurrentUser).mockReturnValue({ user } as never);
    expect(renderHook(() => usePageUser(ada)).result.current).toBe(ada);
  });

  it('is that of the store, because their permissions may have changed', () => {
    const newer = { ...ada, isAdmin: true };
    jest.mocked(useCurrentUser).mockReturnValue({ user: newer } as never);
    expect(renderHook(() => usePageUser(ada)).result.current).toBe(newer);
  });
});
