import { useMemo } from 'react';
import type {
  DeviceAssignment,
  DevicePatch,
  DevicesAnswer,
  DeviceToken,
  NewDevice,
  RefusedAnswer,
} from '../lib/devices/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { replaceById } from './replaceById';
import { useAnswer } from './useAnswer';
import { useCallOn } from './useCallOn';

const devicesKey = 'devices';

/** The devices within the user's reach. */
export function useDevices(): Answer<DevicesAnswer> {
  return useAnswer(devicesKey, async () => {
    const { data, serverTime } = await poll('listDevices', {});
    return { value: data, asOf: serverTime };
  });
}

/** One page of what was refused of a device, newest first. */
export function useRefused(id: number, page: number): Answer<RefusedAnswer> {
  return useAnswer(`refused ${id} ${page}`, async () => {
    const { data, serverTime } = await poll('listRefused', { params: { id }, query: { page } });
    return { value: data, asOf: serverTime };
  });
}

/** What people do with devices. Each throws `ApiFailure`. */
export interface DeviceActs {
  /** Adds a device and returns its token, which the server tells this once; so does `renew`. */
  add: (device: NewDevice) => Promise<DeviceToken>;
  renew: (id: number) => Promise<DeviceToken>;
  change: (id: number, patch: DevicePatch) => Promise<void>;
  revoke: (id: number) => Promise<void>;
  assign: (id: number, identifiers: DeviceAssignment) => Promise<void>;
  unassign: (id: number) => Promise<void>;
}

/** The acts of the list of devices. After each, done or refused, the list is shown as it is then. */
export function useDeviceActs(): DeviceActs {
  const act = useCallOn<DevicesAnswer>(devicesKey);
  return useMemo(
    () => ({
      add: (body) => act('addDevice', { body }),
      renew: (id) => act('renewDeviceToken', { params: { id }, body: {} }),
      change: async (id, body) => void (await act('changeDevice', { params: { id }, body }, replaceById)),
      revoke: async (id) => void (await act('revokeDevice', { params: { id } }, replaceById)),
      assign: async (id, body) => void (await act('assignDevice', { params: { id }, body }, replaceById)),
      unassign: async (id) => void (await act('unassignDevice', { params: { id } })),
    }),
    [act],
  );
}
