import { renderHook } from '@testing-library/react';
import { clientFailure } from '../lib/browser/client';
import { inventedPage, inventedPatient } from '../test/inventedWard';
import { useNeighbour, type Direction } from './useNeighbour';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: { query: { page: number } }]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
}));

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
