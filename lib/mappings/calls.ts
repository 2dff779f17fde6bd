import type { Calls } from '../api/declaration';
import { byId } from '../api/idParam';
import { can } from '../session/policy';
import { mappingsResponse, newBedMapping, newCodeMapping } from './schema';

const changed = { status: 200, response: mappingsResponse, changes: { read: 'listMappings', by: 'whole' } } as const;

/** What the words of HL7 senders mean here: one person proposes it, another confirms it. */
export const mappingCalls = {
  listMappings: {
    method: 'GET',
    path: '/api/v2/admin/mappings',
    status: 200,
    who: can('readMappings'),
    description: 'The beds and codes of the senders of the site, mapped or not. It says nothing of whose they are.',
    response: mappingsResponse,
  },
  proposeBedMapping: {
    method: 'POST',
    path: '/api/v2/admin/mappings',
    who: can('proposeMappings'),
    description: 'Proposes which bed of the site a bed of a sender is. Nothing changes until it is confirmed.',
    body: newBedMapping,
    ...changed,
  },
  confirmBedMapping: {
    method: 'POST',
    path: '/api/v2/admin/mappings/:id/confirm',
    who: can('confirmMappings'),
    description: 'From now on, values that name no patient belong to the patient of this bed. Not the proposer.',
    params: byId,
    ...changed,
  },
  endBedMapping: {
    method: 'POST',
    path: '/api/v2/admin/mappings/:id/end',
    who: can('readMappings'),
    description: 'Rejects a proposal, or ends a mapping: from now on, values that name no patient are refused.',
    params: byId,
    ...changed,
  },
  undoBedMapping: {
    method: 'POST',
    path: '/api/v2/admin/mappings/:id/undo',
    who: can('confirmMappings'),
    description: 'Ends a mapping that was wrong. All values that came by it are withdrawn from their patients.',
    params: byId,
    ...changed,
  },
  proposeCodeMapping: {
    method: 'POST',
    path: '/api/v2/admin/mappings/codes',
    who: can('proposeMappings'),
    description: 'Proposes which vital sign a code of a sender means. Nothing changes until it is confirmed.',
    body: newCodeMapping,
    ...changed,
  },
  confirmCodeMapping: {
    method: 'POST',
    path: '/api/v2/admin/mappings/codes/:id/confirm',
    who: can('confirmMappings'),
    description: 'From now on, values under this code are of this vital sign. Not the proposer.',
    params: byId,
    ...changed,
  },
  endCodeMapping: {
    method: 'POST',
    path: '/api/v2/admin/mappings/codes/:id/end',
    who: can('readMappings'),
    description: 'Rejects a proposal, or ends a mapping: from now on, values under this code are counted only.',
    params: byId,
    ...changed,
  },
  undoCodeMapping: {
    method: 'POST',
    path: '/api/v2/admin/mappings/codes/:id/undo',
    who: can('confirmMappings'),
    description: 'Ends a mapping that was wrong. All values that came by it are withdrawn from their patients.',
    params: byId,
    ...changed,
  },
} as const satisfies Calls;
