import { act } from '@testing-library/react';
import { inventedPatient } from '../test/inventedWard';
import { answer, hang, pass, sentCalls } from '../test/network';
import { runHook } from '../test/showScreen';
import { signInPage } from '../test/signInPage';
import { usePatient } from './usePatient';

const wait = (ms: number) => act(() => pass(ms));
const ada = inventedPatient(1, { givenName: 'Ada' });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a patient', () => {
  it('is never another one: not the page’s, not the last one, not that of a wrong response', async () => {
    const answerNow = hang('getPatient');
    const { result, rerender } = await runHook(({ id }) => usePatient(id, ada), { id: 2 });
    expect(result.current).toMatchObject({ data: undefined, isLoading: true });
    rerender({ id: 1 });
    expect(result.current.data?.givenName).toBe('Ada');
    answer({ getPatient: () => ({ ...ada, standby: null, comfortCare: null, news2: null }) });
    answerNow();
    rerender({ id: 3 });
    await wait(0);
    expect(result.current.data).toBeUndefined();
    expect(result.current.error?.code).toBe('unreadable_response');
  });

  it('comes with the page and is polled at once and every 5 s', async () => {
    const { server, siteId, user } = await signInPage('nurse');
    const id = await server.addPatient(siteId, { givenName: 'Bea' });
    const answerNow = hang('getPatient');
    const page = { ...ada, id };
    const { result, settle } = await runHook(() => usePatient(id, page), {}, { user });
    expect(result.current).toMatchObject({ isLoading: false, asOf: null });
    expect(result.current.data?.givenName).toBe('Ada');
    answerNow();
    await settle();
    expect(result.current.data?.givenName).toBe('Bea');
    expect(result.current.asOf).toBe(server.now());
    await wait(10_000);
    expect(sentCalls('getPatient')).toHaveLength(3);
  });
});
