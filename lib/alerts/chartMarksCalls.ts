import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { chartMarks, chartMarksQuery } from './chartMarksSchema';

/** The limits and the alerts of a chart. */
export const chartMarksCalls = {
  getChartMarks: {
    method: 'GET',
    path: '/api/v2/patients/:id/chart-marks',
    status: 200,
    who: can('readPatients'),
    params: byId,
    query: chartMarksQuery,
    response: chartMarks,
  },
} as const satisfies Calls;
