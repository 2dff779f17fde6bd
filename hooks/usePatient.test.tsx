import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import type { Patient } from '../lib/patients/schema';
import { swrConfig } from './swrConfig';
import { usePatient } from './usePatient';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
}));

const patient = (id: number, givenName: string): Patient => ({
  id,
  mrn: `M${id}`,
  givenName,
  familyName: 'Example',
  dateOfBirth: '1950-12-31',
  sex: 'female',
  location: null,
  profile: 'continuous',
  spo2Scale: 1,
  news2ExemptFor: null,
  isTrial: false,
  state: 'active',
  version: 1,
  standby: null,
  comfortCare: null,
  symptoms: null,
  deviceAlarms: [],
  alerts: [],
  latest: {},
});

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  jest.useFakeTimers();
  mockAsk.mockReset();
});
afterEach(() => jest.useRealTimers());

const render = (id: number, fallback?: Patient) =>
  renderHook((given: { id: number }) => usePatient(given.id, fallback), {
    wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
    initialProps: { id },
  });

describe('a patient', () => {
  it('is never another one: not the page’s, not the last one, not that of a wrong response', async () => {
    mockAsk.mockReturnValue(new Promise(() => {}));
    const { result, rerender } = render(2, patient(1, 'Ada'));
    expect(result.current).toMatchObject({ data: undefined, isLoading: true });
    rerender({ id: 1 });
    expect(result.current.data?.givenName).toBe('Ada');
    mockAsk.mockResolvedValue({ data: patient(1, 'Ada'), serverTime: 1 });
    rerender({ id: 3 });
    await pass(0);
    expect(result.current.data).toBeUndefined();
    expect(result.current.error?.code).toBe('unreadable_response');
  });

  it('comes with the page and is polled at once and every 5 s', async () => {
    mockAsk.mockResolvedValue({ data: patient(1, 'Bea'), serverTime: 5 });
    const { result } = render(1, patient(1, 'Ada'));
    expect(result.current).toMatchObject({ isLoading: false, asOf: null });
    expect(result.current.data?.givenName).toBe('Ada');
    await pass(0);
    expect(mockAsk).toHaveBeenLastCalledWith('getPatient', expect.objectContaining({ params: { id: 1 } }));
    expect(result.current.data?.givenName).toBe('Bea');
    expect(result.current.asOf).toBe(5);
    mockAsk.mockClear();
    await pass(10_000);
    expect(mockAsk).toHaveBeenCalledTimes(2);
  });
});
