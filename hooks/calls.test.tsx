import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { z } from 'zod';
import { calls } from '../lib/api/calls';
import type { Declaration } from '../lib/api/declaration';
import { ApiFailure, type Reply } from '../lib/browser/client';
import { poll } from './poll';
import { swrConfig } from './swrConfig';
import { type NewAssignment, useAssign, useAssignments } from './useAssignments';
import { useCall } from './useCall';
import { useRead } from './useRead';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: { signal?: AbortSignal }]>();
const mockCall = jest.fn<Promise<unknown>, [name: string, input: { body: NewAssignment }]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
  call: (...given: Parameters<typeof mockCall>) => mockCall(...given),
}));

describe('useCall', () => {
  function usePage() {
    const devices = useRead('listDevices', {});
    useRead('listRefused', { params: { id: 3 }, query: { page: 1 } });
    const site = useRead('getSite', {});
    return {
      devices,
      site,
      add: useCall('addDevice'),
      revoke: useCall('revokeDevice'),
      change: useCall('changeSite'),
      note: useCall('noteInput'),
    };
  }
  const devices = [
    { id: 3, name: 'monitor 3' },
    { id: 4, name: 'monitor 4' },
  ];

  async function render() {
    mockAsk.mockReset().mockResolvedValue({ data: { items: devices, total: 2 }, serverTime: 1 });
    mockCall.mockReset().mockResolvedValue(null);
    const { result } = renderHook(usePage, {
      wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
    });
    await act(async () => {});
    expect(mockAsk.mock.calls.map(([name]) => name)).toEqual(['listDevices', 'listRefused', 'getSite']);
    mockAsk.mockClear();
    return result;
  }
  const asked = () => mockAsk.mock.calls.map(([name]) => name);

  describe('useCall', () => {
    it('throws why the call was refused, and polls its read, because the screen may be old', async () => {
      const page = await render();
      const refusal = new ApiFailure('version_conflict', 'No.', { status: 409 });
      mockCall.mockRejectedValue(refusal);
      await act(async () => {
        await expect(page.current.revoke({ params: { id: 3 } })).rejects.toBe(refusal);
      });
      expect(asked()).toEqual(['listDevices']);
    });

    it('makes the call with its input, returns the response and polls the read that it changes', async () => {
      const page = await render();
      const made = { id: 5, token: 'x' };
      const input = { body: { name: 'monitor 5' } };
      mockCall.mockResolvedValue(made);
      await act(async () => {
        await expect(page.current.add(input)).resolves.toBe(made);
      });
      expect(mockCall).toHaveBeenCalledWith('addDevice', input);
      expect(asked()).toEqual(['listDevices']);
    });

    it('shows a row that the response has changed at once, and polls nothing', async () => {
      const page = await render();
      const revoked = { id: 3, name: 'monitor 3, revoked' };
      mockCall.mockResolvedValue(revoked);
      await act(() => page.current.revoke({ params: { id: 3 } }));
      expect(page.current.devices.data?.items).toEqual([revoked, devices[1]]);
      expect(asked()).toEqual([]);
    });

    it('shows a response that is the whole read at once, and polls nothing', async () => {
      const page = await render();
      mockCall.mockResolvedValue({ name: 'Harbour ward' });
      await act(() => page.current.change({ body: { version: 1, name: 'Harbour ward' } }));
      expect(page.current.site.data).toEqual({ name: 'Harbour ward' });
      expect(asked()).toEqual([]);
    });

    it('polls nothing after a call that changes no read', async () => {
      const page = await render();
      await act(() => page.current.note({}));
      expect(asked()).toEqual([]);
    });
  });

  describe('the declarations', () => {
    const table: Readonly<Record<string, Declaration>> = calls;
    const changing = Object.entries(table).flatMap(([name, { changes, response }]) =>
      changes === undefined ? [] : [{ name, ...changes, response }],
    );

    it.each(changing)(
      'of $name names a read, and its response is a part of that as it says',
      ({ read, by, response }) => {
        const shown = table[read];
        expect(shown?.method).toBe('GET');
        const whole = JSON.stringify(z.toJSONSchema(shown?.response ?? z.never(), { unrepresentable: 'any' }));
        const { $schema, ...part } = z.toJSONSchema(response, { unrepresentable: 'any' });
        expect($schema).toBeDefined();
        expect(
          by === undefined || whole.includes(by === 'row' ? JSON.stringify(part) : JSON.stringify(part.properties)),
        ).toBe(true);
      },
    );

    it('show a whole response only where the read is about one thing: the limits of A are not those of B', () => {
      const ofMany = changing.filter(({ read, by }) => by === 'whole' && table[read]?.params !== undefined);
      expect(ofMany.map(({ name }) => name)).toEqual([]);
    });

    it.each([
      ['changeUser', { read: 'listUsers', by: 'row' }],
      ['approveUser', { read: 'listUsers', by: 'row' }],
      ['rejectUser', { read: 'listUsers' }],
      ['endUserSessions', { read: 'listUsers' }],
      ['makeResetLink', { read: 'listUsers' }],
      ['invite', { read: 'listInvitations' }],
      ['withdrawInvitation', { read: 'listInvitations' }],
      ['createUnit', { read: 'listUnits' }],
      ['renameUnit', { read: 'listUnits', by: 'row' }],
      ['deleteUnit', { read: 'listUnits' }],
      ['changeSite', { read: 'getSite', by: 'whole' }],
      ['acceptIntendedUse', { read: 'getSite', by: 'whole' }],
      ['approveSiteLimits', { read: 'getSiteLimits', by: 'whole' }],
      ['approveEscalationTimes', { read: 'getEscalationTimes', by: 'whole' }],
    ])('keep the lists of administrators up to date after %s', (name, changes) => {
      expect(table[name]?.changes).toEqual(changes);
    });
  });
});

describe('useAssignments', () => {
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
});

describe('poll', () => {
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
});
