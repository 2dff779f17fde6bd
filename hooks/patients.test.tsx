import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { clientFailure } from '../lib/browser/client';
import type { PatientsPage } from '../lib/patients/schema';
import { inventedPage, inventedPatient, inventedValue } from '../test/inventedWard';
import { createHeldRows, type HeldRows } from './heldRows';
import { swrConfig } from './swrConfig';
import { type Direction, useNeighbour } from './useNeighbour';
import { isPatientsKey, patientsKey, type PatientsListQuery, usePatients } from './usePatients';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: { query: { page: number } }]>();
const query: PatientsListQuery = {
  state: 'active',
  unit: undefined,
  mine: false,
  attention: false,
  sort: 'familyName',
  page: 1,
  pageSize: 25,
  text: '',
};
const page = (version: string): PatientsPage => ({
  items: [],
  total: 0,
  version,
  units: [{ id: 3, name: 'North' }],
  beds: [],
});
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
}));

describe('usePatients', () => {
  const answer = (data: object, serverTime = 1) => Promise.resolve({ data, serverTime });

  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

  beforeEach(() => {
    jest.useFakeTimers();
    mockAsk.mockReset();
  });
  afterEach(() => jest.useRealTimers());

  const render = (first: PatientsListQuery, fallback?: PatientsPage, held?: HeldRows) =>
    renderHook((given: PatientsListQuery) => usePatients(given, fallback, held), {
      wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
      initialProps: first,
    });

  /** The last call without its signal. */
  function lastCall(): { name: string | undefined; input: object } {
    const [name, input] = mockAsk.mock.lastCall ?? [];
    return { name, input: { ...input, signal: undefined } };
  }

  describe('a list of patients', () => {
    it('never puts a text, which may be a name, into an address', async () => {
      mockAsk.mockImplementation(() => answer(page('1')));
      render({ ...query, text: ' Example ' });
      await pass(5_000);
      expect(mockAsk.mock.calls.map(([name]) => name)).toEqual(['searchPatients', 'searchPatients']);
      expect(
        JSON.stringify(mockAsk.mock.calls.map(([, { ...input }]) => ('query' in input ? input.query : undefined))),
      ).not.toContain('Example');
      expect(lastCall().input).toEqual({
        body: {
          state: 'active',
          unit: undefined,
          mine: false,
          attention: false,
          sort: 'familyName',
          page: 1,
          pageSize: 25,
          after: '1',
          text: 'Example',
        },
      });
    });

    it.each(['', '   '])('is read with a GET when the text is %j', async (text) => {
      mockAsk.mockImplementation(() => answer(page('1')));
      render({ ...query, unit: 3, text });
      await pass(0);
      expect(lastCall()).toEqual({
        name: 'listPatients',
        input: { query: { state: 'active', unit: 3, sort: 'familyName', page: 1, pageSize: 25, after: undefined } },
      });
    });

    it('asks only for what is newer than it holds, and stays the same object when nothing is', async () => {
      mockAsk.mockImplementation(() => answer(page('1')));
      const { result } = render(query);
      await pass(0);
      const held = result.current.data;
      mockAsk.mockImplementation(() => answer({ unchanged: true, version: '1' }, 2));
      await pass(5_000);
      expect(lastCall().input).toMatchObject({ query: { after: '1' } });
      expect(result.current.data).toBe(held);
      expect(result.current.asOf).toBe(2);
    });

    it('starts from the page that it came with and asks only for what is newer', async () => {
      mockAsk.mockImplementation(() => answer({ unchanged: true, version: '7' }, 2));
      const fallback = page('7');
      const { result } = render(query, fallback);
      expect(result.current).toMatchObject({ isLoading: false, asOf: null });
      await pass(0);
      expect(lastCall().input).toMatchObject({ query: { after: '7' } });
      expect(result.current.data).toBe(fallback);
      expect(result.current.asOf).toBe(2);
    });

    it.each([
      ['it holds nothing', undefined, '1'],
      ['it holds another version', page('7'), '8'],
    ])('does not believe "unchanged" when %s', async (_, fallback, version) => {
      mockAsk.mockImplementation(() => answer({ unchanged: true, version }));
      const { result } = render(query, fallback);
      await pass(0);
      expect(result.current.error?.code).toBe('unreadable_response');
      expect(result.current.data).toBe(fallback);
    });

    it.each<[string, Partial<PatientsListQuery>]>([
      ['page', { page: 2 }],
      ['page size', { pageSize: 50 }],
      ['order', { sort: '-spo2' }],
      ['unit', { unit: 3 }],
      ['state', { state: 'discharged' }],
      ['need', { attention: true }],
      ['text', { text: 'Example' }],
    ])('of another %s shows nothing of the last one and sends no version of it', async (_, change) => {
      mockAsk.mockImplementation(() => answer(page('1')));
      const { result, rerender } = render(query, page('0'));
      await pass(0);
      mockAsk.mockReturnValue(new Promise(() => {}));
      rerender({ ...query, ...change });
      expect(result.current).toMatchObject({ data: undefined, isLoading: true });
      await pass(0);
      expect(JSON.stringify(lastCall().input)).not.toContain('after');
    });

    describe('while its rows are held', () => {
      const ward = (version: string, ...ids: number[]): PatientsPage => ({
        ...page(version),
        items: ids.map((id) => inventedPatient(id, { version: Number(version) })),
        total: ids.length,
      });
      const shown = ({ data }: { data: PatientsPage | undefined }) =>
        data?.items.map(({ id, version }) => [id, version]);
      /** Shows the patients 3, 1, 2 with version 1 and holds them. */
      async function hold(second = inventedPatient(1, { version: 1 })) {
        const held = createHeldRows();
        const whole = ward('1', 3, 1, 2);
        mockAsk.mockImplementation(() =>
          answer({ ...whole, items: whole.items.map((one) => (one.id === 1 ? second : one)) }),
        );
        const { result, rerender } = render(query, undefined, held);
        await pass(0);
        held.hold(patientsKey(query), [3, 1, 2]);
        return { held, result, rerender };
      }

      it('reads these and no others, and keeps them in their places with their newest values', async () => {
        const { result } = await hold();
        mockAsk.mockImplementation(() => answer(ward('2', 1, 2, 3)));
        await pass(5_000);
        expect(lastCall()).toEqual({
          name: 'listPatients',
          input: { query: { ids: '3,1,2', unit: undefined, sort: 'familyName', after: '1' } },
        });
        expect(shown(result.current)).toEqual([
          [3, 2],
          [1, 2],
          [2, 2],
        ]);
        mockAsk.mockImplementation(() => answer({ unchanged: true, version: '2' }));
        await pass(5_000);
        expect(lastCall().input).toMatchObject({ query: { after: '2' } });
        expect(shown(result.current)?.[0]).toEqual([3, 2]);
      });

      it('keeps the place of a patient who has left the reach of the user, and nothing that was measured', async () => {
        const { result } = await hold(inventedPatient(1, { latest: { spo2: inventedValue({ value: 77 }) } }));
        expect(result.current.data?.items[1]?.latest.spo2?.value).toBe(77);
        mockAsk.mockImplementation(() => answer(ward('2', 2, 3)));
        await pass(5_000);
        expect(result.current.data?.items.map(({ id, isGone }) => [id, isGone])).toEqual([
          [3, undefined],
          [1, true],
          [2, undefined],
        ]);
        expect(result.current.data?.items[1]).toMatchObject({ latest: {}, alerts: [], location: null, standby: null });
        mockAsk.mockImplementation(() => answer(ward('3', 1, 2, 3)));
        await pass(5_000);
        expect(result.current.data?.items[1]).toEqual(inventedPatient(1, { version: 3 }));
      });

      it('says how many patients the list has, not how many are held', async () => {
        const { result } = await hold();
        mockAsk.mockImplementation(() => answer({ ...ward('2', 1, 2, 3), total: 3 }));
        expect(result.current.data?.total).toBe(3);
        await pass(5_000);
        expect(result.current.data?.total).toBe(3);
      });

      it('lets no response to an earlier poll move them', async () => {
        const held = createHeldRows();
        mockAsk.mockImplementation(() => answer(ward('1', 3, 1, 2)));
        const { result } = render(query, undefined, held);
        await pass(0);
        let respond: ((data: PatientsPage) => void) | undefined;
        mockAsk.mockImplementation(
          () =>
            new Promise((resolve) => {
              respond = (data) => resolve({ data, serverTime: 2 });
            }),
        );
        await pass(5_000);
        held.hold(patientsKey(query), [3, 1, 2]);
        respond?.(ward('2', 9, 2, 1));
        await pass(0);
        expect(shown(result.current)).toEqual([
          [3, 1],
          [1, 2],
          [2, 2],
        ]);
        // What it shows now is no response of the server.
        expect(result.current.data?.version).toBe('');
      });

      it('reads the whole list again once they are let go', async () => {
        const { held, result } = await hold();
        held.release();
        mockAsk.mockImplementation(() => answer(ward('3', 9, 2, 1)));
        await pass(5_000);
        expect(lastCall().input).toMatchObject({ query: { page: 1, pageSize: 25 } });
        expect(shown(result.current)?.map(([id]) => id)).toEqual([9, 2, 1]);
      });

      it('holds nothing of another query', async () => {
        const { result, rerender } = await hold();
        mockAsk.mockImplementation(() => answer(ward('5', 9, 2, 1)));
        rerender({ ...query, page: 2 });
        await pass(0);
        expect(lastCall().input).toMatchObject({ query: { page: 2 } });
        expect(shown(result.current)?.map(([id]) => id)).toEqual([9, 2, 1]);
      });
    });

    it('keeps what it has when the server cannot be reached', async () => {
      mockAsk.mockImplementation(() => answer(page('1')));
      const { result } = render(query);
      await pass(0);
      mockAsk.mockRejectedValue(clientFailure('unreachable'));
      await pass(5_000);
      expect(result.current.data?.version).toBe('1');
      expect(result.current.error?.code).toBe('unreachable');
    });

    it('has keys that tell it from everything else', () => {
      expect(isPatientsKey('listPatients []')).toBe(true);
      expect(isPatientsKey('getPatient 1')).toBe(false);
      expect(isPatientsKey(undefined)).toBe(false);
    });
  });
});

describe('useNeighbour', () => {
  const listing = {
    state: 'active',
    unit: 3,
    bed: undefined,
    mine: true,
    attention: false,
    sort: 'familyName',
  } as const;
  const find = (patientId: number, direction: Direction) =>
    renderHook(() => useNeighbour()).result.current(listing, patientId, direction);

  /** The list, a page of so many. */
  function answer(pages: readonly number[][]): void {
    const total = pages.flat().length;
    mockAsk.mockImplementation((_name, { query: { page } }) =>
      Promise.resolve({
        data: inventedPage(
          (pages[page - 1] ?? []).map((id) => inventedPatient(id)),
          { total },
        ),
      }),
    );
  }

  beforeEach(() => mockAsk.mockReset());

  describe('the patient beside another one', () => {
    it.each<[string, number, Direction, number | { reason: string }]>([
      ['after', 4, 'next', 9],
      ['before', 9, 'previous', 4],
      ['on the next page', 2, 'next', 7],
      ['none after the last', 7, 'next', { reason: 'Last of your list' }],
      ['none before the first', 4, 'previous', { reason: 'First of your list' }],
      ['the first, of one who is not on the list', 1, 'next', 4],
    ])('is %s', async (_name, patientId, direction, expected) => {
      answer([[4, 9, 2], [7]]);
      await expect(find(patientId, direction)).resolves.toEqual(expected);
    });

    it('is looked for with the filters and in the order of the list', async () => {
      answer([[4, 9]]);
      await find(4, 'next');
      expect(mockAsk.mock.calls[0]).toMatchObject([
        'listPatients',
        { query: { state: 'active', unit: 3, mine: 'true', sort: 'familyName', page: 1 } },
      ]);
    });

    it('is not known while the list cannot be read, and that is said', async () => {
      const failure = clientFailure('unreachable');
      mockAsk.mockRejectedValue(failure);
      await expect(find(4, 'next')).resolves.toEqual({ reason: failure.message });
    });
  });
});
