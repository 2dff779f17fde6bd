import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { z } from 'zod';
import { calls } from '../lib/api/calls';
import type { Declaration } from '../lib/api/declaration';
import { ApiFailure } from '../lib/browser/client';
import { swrConfig } from './swrConfig';
import { useCall } from './useCall';
import { useRead } from './useRead';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: object]>();
const mockCall = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
  call: (...given: Parameters<typeof mockCall>) => mockCall(...given),
}));

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
