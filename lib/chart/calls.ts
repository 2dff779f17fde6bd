import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  chart,
  chartChange,
  chartSummary,
  entryMark,
  newAllergy,
  newCodeStatus,
  newCondition,
  newContact,
  newIdentifier,
  newMedication,
  newOxygen,
  newTeamEntry,
} from './schema';

const changes = { read: 'readChart' } as const;
const add = { method: 'POST', status: 201, params: byId, response: chartChange, changes } as const;
const mark = {
  method: 'POST',
  status: 200,
  who: can('writeChart'),
  params: byId,
  body: entryMark,
  response: chartChange,
  changes,
} as const;

/**
 * The patient chart. Entries are added, ended and marked as entered in error; none is ever changed.
 *
 * `readChartSummary` has code status and allergies alone, for the marks beside a patient's name, and polls cheaply.
 *
 * What people did meanwhile is refused with 409 `chart_changed`. Its `entry` is theirs as it is now (a `writtenEntry`,
 * which `changedEntryOf` takes from the failure), so that the page can show both.
 */
export const chartCalls = {
  readChart: {
    method: 'GET',
    path: '/api/v2/patients/:id/chart',
    status: 200,
    who: can('readChart'),
    params: byId,
    response: chart,
  },
  readChartSummary: {
    method: 'GET',
    path: '/api/v2/patients/:id/chart/summary',
    status: 200,
    who: can('readChart'),
    params: byId,
    response: chartSummary,
  },
  setCodeStatus: {
    ...add,
    path: '/api/v2/patients/:id/chart/codeStatus',
    who: can('setCodeStatus'),
    body: newCodeStatus,
  },
  addAllergy: { ...add, path: '/api/v2/patients/:id/chart/allergies', who: can('writeChart'), body: newAllergy },
  setOxygen: { ...add, path: '/api/v2/patients/:id/chart/oxygen', who: can('writeChart'), body: newOxygen },
  addCondition: { ...add, path: '/api/v2/patients/:id/chart/conditions', who: can('writeChart'), body: newCondition },
  addMedication: {
    ...add,
    path: '/api/v2/patients/:id/chart/medications',
    who: can('writeChart'),
    body: newMedication,
  },
  addContact: { ...add, path: '/api/v2/patients/:id/chart/contacts', who: can('writeChart'), body: newContact },
  addToTeam: { ...add, path: '/api/v2/patients/:id/chart/team', who: can('writePatients'), body: newTeamEntry },
  addIdentifier: {
    ...add,
    path: '/api/v2/patients/:id/chart/identifiers',
    who: can('writePatients'),
    body: newIdentifier,
  },
  endChartEntry: {
    ...mark,
    path: '/api/v2/chart-entries/:id/end',
    description: 'Of a list: a medication that was stopped. By users who may add to the section.',
  },
  markChartEntryInError: {
    ...mark,
    path: '/api/v2/chart-entries/:id/entered-in-error',
    description: 'It stays readable. By users who may add to the section, also after the discharge.',
  },
} as const satisfies Calls;
