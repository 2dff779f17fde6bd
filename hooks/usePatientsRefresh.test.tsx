import { act, renderHook } from '@testing-library/react';
import { StrictMode, type ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { inventedPage, inventedPatient } from '../test/inventedWard';
import { setPageVisibility } from '../test/inventedStream';
import { swrConfig } from './swrConfig';
import { useAnswer } from './useAnswer';
import { usePatient } from './usePatient';
import { usePatients, type PatientsListQuery } from './usePatients';
import { usePatientsRefresh } from './usePatientsRefresh';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../lib/api/client', () => ({
  ...jest.requireActual<object>('../lib/api/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
}));

const query: PatientsListQuery = {
  state: 'active',
  unit: undefined,
  mine: false,
  sort: 'familyName',
  page: 1,
  pageSize: 25,
  text: '',
};
const other = jest.fn(() => Promise.resolve({ value: 1, asOf: 1 }));

beforeEach(() => {
  jest.useFakeTimers();
  other.mockClear();
  mockAsk.mockReset().mockImplementation((name) => {
    const data =
      name === 'getPatient' ? inventedPatient(1) : inventedPage([], { version: String(mockAsk.mock.calls.length) });
    return Promise.resolve({ data, serverTime: 1 });
  });
});
afterEach(() => jest.useRealTimers());

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const asked = (name: string) => mockAsk.mock.calls.filter(([called]) => called === name).length;

const wrapper = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <SWRConfig value={swrConfig}>{children}</SWRConfig>
  </StrictMode>
);

/** A screen with a list, another of the same question, one patient and something else; its first answers are there. */
async function render(): Promise<() => void> {
  const { result } = renderHook(
    () => {
      usePatients(query);
      usePatients(query);
      usePatient(1);
      useAnswer('vitals 1', other);
      return usePatientsRefresh();
    },
    { wrapper },
  );
  await pass(0);
  mockAsk.mockClear();
  other.mockClear();
  return () => act(() => result.current());
}

describe('news of the patients', () => {
  it('are not asked for while nobody can see them', async () => {
    const refresh = await render();
    setPageVisibility('hidden');
    refresh();
    await pass(4_000);
    expect(mockAsk).not.toHaveBeenCalled();
    setPageVisibility('visible');
    refresh();
    await pass(0);
    expect(asked('listPatients')).toBe(1);
  });

  it('are asked for at once, once for each list and patient on the screen, and for nothing else', async () => {
    const refresh = await render();
    refresh();
    await pass(0);
    expect(mockAsk.mock.calls.map(([name]) => name).sort()).toEqual(['getPatient', 'listPatients']);
    expect(other).not.toHaveBeenCalled();
  });

  it('are asked for every 2 s at most, and none is lost', async () => {
    const refresh = await render();
    refresh();
    await pass(500);
    refresh();
    refresh();
    await pass(1_499);
    expect(asked('listPatients')).toBe(1);
    await pass(1);
    expect(asked('listPatients')).toBe(2);
    await pass(2_000);
    expect(asked('listPatients')).toBe(2);
  });

  it('are not asked for twice at a time', async () => {
    const refresh = await render();
    let answer: (reply: object) => void = () => {};
    mockAsk.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    refresh();
    await pass(2_000);
    refresh();
    await pass(0);
    expect(asked('listPatients')).toBe(1);
    expect(asked('getPatient')).toBe(2);
    answer({ data: inventedPage([], { version: 'late' }), serverTime: 2 });
    await pass(2_000);
    refresh();
    await pass(0);
    expect(asked('listPatients')).toBeGreaterThan(1);
  });

  it('leave the polls every 5 s as they are', async () => {
    const refresh = await render();
    await pass(1_000);
    refresh();
    await pass(3_999);
    expect(asked('listPatients')).toBe(1);
    await pass(1);
    expect(asked('listPatients')).toBe(2);
    await pass(5_000);
    expect(asked('listPatients')).toBe(3);
  });
});
