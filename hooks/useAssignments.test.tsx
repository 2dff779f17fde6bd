import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { ApiFailure } from '../lib/browser/client';
import { swrConfig } from './swrConfig';
import { useAssign, useAssignments, type NewAssignment } from './useAssignments';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: object]>();
const mockCall = jest.fn<Promise<unknown>, [name: string, input: { body: NewAssignment }]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
  call: (...given: Parameters<typeof mockCall>) => mockCall(...given),
}));

const wanted = [1, 2, 3].map((patientId): NewAssignment => ({
  unitId: 3,
  shift: 'current',
  role: 'nurse',
  patientId,
  userId: 7,
  version: 1,
}));

const saved = { unit: { id: 3 }, shift: { which: 'current' }, patients: [], roles: {} };

async function render() {
  mockCall.mockReset().mockResolvedValue(saved);
  mockAsk.mockReset().mockImplementation(() => Promise.resolve({ data: { patients: [] }, serverTime: 1 }));
  const { result } = renderHook(() => ({ assign: useAssign(), answer: useAssignments(3, 'current') }), {
    wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
  });
  await act(async () => {});
  return result;
}
const refusedAt = async (result: Awaited<ReturnType<typeof render>>): Promise<[number, string][]> => {
  const refused = await act(() => result.current.assign(wanted));
  return [...refused].map(([index, { code }]) => [index, code]);
};

describe('useAssign', () => {
  it.each(['patient_moved', 'changed_meanwhile'])(
    'goes on after %s, which is about one place, and says which one it was',
    async (code) => {
      const result = await render();
      mockCall.mockResolvedValueOnce(saved).mockRejectedValueOnce(new ApiFailure(code, 'No.', { status: 409 }));
      await expect(refusedAt(result)).resolves.toEqual([[1, code]]);
      expect(mockCall.mock.calls.map(([, { body }]) => body.patientId)).toEqual([1, 2, 3]);
    },
  );

  it('stops if every next line would be refused as well, and reports that for each', async () => {
    const result = await render();
    mockCall
      .mockResolvedValueOnce(saved)
      .mockRejectedValueOnce(new ApiFailure('shift_changed', 'No.', { status: 409 }));
    await expect(refusedAt(result)).resolves.toEqual([
      [1, 'shift_changed'],
      [2, 'shift_changed'],
    ]);
    expect(mockCall).toHaveBeenCalledTimes(2);
  });

  it('sends the second choice for a place after the first, with its version', async () => {
    const result = await render();
    const [first] = wanted;
    if (first === undefined) {
      throw new Error('nothing is wanted');
    }
    let answer: (saved: object) => void = () => undefined;
    mockCall.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    const both = Promise.all([result.current.assign([first]), result.current.assign([{ ...first, userId: 8 }])]);
    await act(async () => {
      await Promise.resolve();
    });
    expect(mockCall).toHaveBeenCalledTimes(1);
    await act(async () => {
      answer({ ...saved, patients: [{ id: 1, holders: { nurse: { version: 5 } } }] });
      await both;
    });
    expect(mockCall.mock.calls.map(([, { body }]) => [body.userId, body.version])).toEqual([
      [7, 1],
      [8, 5],
    ]);
  });

  it('shows the last response before it ends, and polls nothing', async () => {
    const result = await render();
    mockAsk.mockClear();
    mockCall
      .mockResolvedValueOnce(saved)
      .mockResolvedValueOnce(saved)
      .mockResolvedValueOnce({ ...saved, patients: ['new'] });
    await expect(refusedAt(result)).resolves.toEqual([]);
    expect(mockAsk).not.toHaveBeenCalled();
    expect(result.current.answer.data).toEqual({ ...saved, patients: ['new'] });
  });

  it.each<[string, () => void]>([
    [
      'a line was refused',
      () => mockCall.mockRejectedValueOnce(new ApiFailure('patient_moved', 'No.', { status: 409 })),
    ],
    ['the answer is about another shift', () => mockCall.mockResolvedValue({ ...saved, shift: { which: 'next' } })],
  ])('polls once for all lines, before it ends, when %s', async (_, arrange) => {
    const result = await render();
    mockAsk.mockClear().mockImplementation(() => Promise.resolve({ data: { patients: ['new'] }, serverTime: 2 }));
    arrange();
    await refusedAt(result);
    expect(mockAsk).toHaveBeenCalledTimes(1);
    expect(result.current.answer.data).toEqual({ patients: ['new'] });
  });
});

describe('useAssignments', () => {
  it('keeps the same object while nothing changes', async () => {
    const result = await render();
    const before = result.current.answer.data;
    await act(() => result.current.answer.refresh());
    expect(mockAsk).toHaveBeenCalledTimes(2);
    expect(result.current.answer.data).toBe(before);
  });
});
