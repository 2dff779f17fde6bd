import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  deviceAssignment,
  devicePatch,
  deviceToken,
  devicesResponse,
  listedDevice,
  newDevice,
  newToken,
  refusedResponse,
  refusedQuery,
  takingOff,
  wrongPatient,
} from './schema';

/** The devices of a site. */
export const deviceCalls = {
  listDevices: {
    method: 'GET',
    path: '/api/v2/devices',
    status: 200,
    who: can('readDevices'),
    response: devicesResponse,
  },
  addDevice: {
    method: 'POST',
    path: '/api/v2/devices',
    status: 201,
    who: can('manageDevices'),
    body: newDevice,
    response: deviceToken,
    changes: { read: 'listDevices' },
  },
  changeDevice: {
    method: 'PATCH',
    path: '/api/v2/devices/:id',
    status: 200,
    who: can('manageDevices'),
    params: byId,
    body: devicePatch,
    response: listedDevice,
    changes: { read: 'listDevices', by: 'row' },
  },
  renewDeviceToken: {
    method: 'POST',
    path: '/api/v2/devices/:id/token',
    status: 201,
    who: can('manageDevices'),
    params: byId,
    body: newToken,
    response: deviceToken,
    changes: { read: 'listDevices' },
  },
  revokeDevice: {
    method: 'POST',
    path: '/api/v2/devices/:id/revoke',
    status: 200,
    who: can('manageDevices'),
    params: byId,
    response: listedDevice,
    changes: { read: 'listDevices', by: 'row' },
  },
  assignDevice: {
    method: 'POST',
    path: '/api/v2/devices/:id/assignment',
    status: 200,
    who: can('assignDevices'),
    params: byId,
    body: deviceAssignment,
    response: listedDevice,
    changes: { read: 'listDevices', by: 'row' },
  },
  unassignDevice: {
    method: 'DELETE',
    path: '/api/v2/devices/:id/assignment',
    status: 204,
    who: can('assignDevices'),
    params: byId,
    query: takingOff,
    response: z.null(),
    changes: { read: 'listDevices' },
  },
  withdrawDevice: {
    method: 'POST',
    path: '/api/v2/devices/:id/wrong-patient',
    status: 204,
    who: can('writePatients'),
    params: byId,
    body: wrongPatient,
    response: z.null(),
    changes: { read: 'listDevices' },
    description:
      'Says that a device was on the wrong patient at a time, which an entry of the section `devices` of their chart ' +
      'names. It is taken off if it still is, what it sent then counts no more, and the alerts that it raised end as ' +
      'withdrawn.',
  },
  listRefused: {
    method: 'GET',
    path: '/api/v2/devices/:id/quarantine',
    status: 200,
    who: can('readDevices'),
    params: byId,
    query: refusedQuery,
    response: refusedResponse,
  },
} as const satisfies Calls;
