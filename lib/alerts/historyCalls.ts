import { z } from 'zod';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  budgetQuery,
  budgetResponse,
  historyFilter,
  historyPeople,
  historyQuery,
  historyResponse,
} from './historySchema';

const get = { method: 'GET', status: 200, who: can('readAlerts') } as const;

/** The history of alerts and the alarm budget. The exports are files of comma-separated values, opened as links. */
export const historyCalls = {
  listAlertHistory: { ...get, path: '/api/v2/alerts/history', query: historyQuery, response: historyResponse },
  listAlertHistoryPeople: { ...get, path: '/api/v2/alerts/history/people', response: historyPeople },
  exportAlertHistory: { ...get, path: '/api/v2/alerts/history/export', query: historyFilter, response: z.string() },
  readAlarmBudget: { ...get, path: '/api/v2/alerts/budget', query: budgetQuery, response: budgetResponse },
  exportAlarmBudget: { ...get, path: '/api/v2/alerts/budget/export', query: budgetQuery, response: z.string() },
} as const satisfies Calls;
