import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { newNews2Exemption, news2ExemptionEnd, news2Exemptions } from './news2Exemption';
import { newSpo2Target, spo2Target } from './spo2TargetSchema';

/** What a physician decides about the score: SpO2 scale and target range, and the mark that NEWS2 does not apply. */
export const scoringCalls = {
  getSpo2Target: {
    method: 'GET',
    path: '/api/v2/patients/:id/spo2-target',
    status: 200,
    who: can('readPatients'),
    params: byId,
    response: spo2Target,
  },
  setSpo2Target: {
    method: 'PUT',
    path: '/api/v2/patients/:id/spo2-target',
    status: 200,
    who: can('setSpo2Scale'),
    params: byId,
    body: newSpo2Target,
    response: spo2Target,
    changes: { read: 'getSpo2Target' },
  },
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
