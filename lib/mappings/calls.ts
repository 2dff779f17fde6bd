import type { Calls } from '../api/declaration';
import { byId } from '../api/idParam';
import { can } from '../session/policy';
import { mappingsResponse, newBedMapping, newCodeMapping } from './schema';

const mappings = '/api/v2/admin/mappings';
const changed = {
  method: 'POST',
  status: 200,
  response: mappingsResponse,
  changes: { read: 'listMappings', by: 'whole' },
} as const;
const proposed = { ...changed, who: can('proposeMappings') } as const;
const ended = { ...changed, who: can('readMappings'), params: byId } as const;
const undone = {
  ...{ ...changed, who: can('confirmMappings'), params: byId },
  description: 'Ends a mapping that was wrong. All values that came by it are withdrawn from their patients.',
} as const;

/** What the words of HL7 senders mean here: one person proposes it, another confirms it. */
export const mappingCalls = {
  listMappings: {
    method: 'GET',
    path: mappings,
    status: 200,
    who: can('readMappings'),
    description: 'The beds and codes of the senders of the site, mapped or not. It says nothing of whose they are.',
    response: mappingsResponse,
  },
  proposeBedMapping: {
    ...{ ...proposed, path: mappings, body: newBedMapping },
    description: 'Proposes which bed of the site a bed of a sender is. Nothing changes until it is confirmed.',
  },
  proposeCodeMapping: {
    ...{ ...proposed, path: `${mappings}/codes`, body: newCodeMapping },
    description: 'Proposes which vital sign a code of a sender means. Nothing changes until it is confirmed.',
  },
  confirmMapping: {
    ...{ ...changed, path: `${mappings}/proposals/:id/confirm`, who: can('confirmMappings'), params: byId },
    description:
      'From now on, values of this bed are of its patient, or of this code the vital sign. Not the proposer.',
  },
  rejectMapping: {
    ...{ ...ended, path: `${mappings}/proposals/:id/reject` },
    description: 'Rejects a proposal, or withdraws one’s own.',
  },
  endBedMapping: {
    ...{ ...ended, path: `${mappings}/:id/end` },
    description: 'Ends a mapping: from now on, values that name no patient are refused.',
  },
  undoBedMapping: { ...undone, path: `${mappings}/:id/undo` },
  endCodeMapping: {
    ...{ ...ended, path: `${mappings}/codes/:id/end` },
    description: 'Ends a mapping: from now on, values under this code are counted only.',
  },
  undoCodeMapping: { ...undone, path: `${mappings}/codes/:id/undo` },
} as const satisfies Calls;
