import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { newNews2Exemption, news2ExemptionEnd, news2Exemptions } from './news2Exemption';

/** The mark that NEWS2 does not apply to a patient. */
export const news2ExemptionCalls = {
  getNews2Exemptions: {
    method: 'GET',
    path: '/api/v2/patients/:id/news2-exemption',
    status: 200,
    who: can('readPatients'),
    params: byId,
    response: news2Exemptions,
  },
  setNews2Exemption: {
    method: 'PUT',
    path: '/api/v2/patients/:id/news2-exemption',
    status: 200,
    who: can('exemptFromNews2'),
    params: byId,
    body: newNews2Exemption,
    response: news2Exemptions,
    changes: { read: 'getNews2Exemptions' },
  },
  endNews2Exemption: {
    method: 'POST',
    path: '/api/v2/patients/:id/news2-exemption/end',
    status: 200,
    who: can('exemptFromNews2'),
    params: byId,
    body: news2ExemptionEnd,
    response: news2Exemptions,
    changes: { read: 'getNews2Exemptions' },
  },
} as const satisfies Calls;
