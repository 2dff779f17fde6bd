import { z } from 'zod';
import { newLimits, newSiteLimits, patientLimits, siteLimits } from '../alerts/limitsSchema';
import { comfortCareAnswer, newComfortCare, newStandby, standbyAnswer, standbyEnd } from '../alerts/pausesSchema';
import { newSymptomReport, symptomReport, symptomReportsAnswer, symptomReportsQuery } from '../symptoms/schema';
import { newReadings } from '../vitals/readingsSchema';
import { newSpo2Target, spo2Target } from '../patients/spo2TargetSchema';
import { patient } from '../patients/schema';
import {
  alertEventsAnswer,
  alertItem,
  alertsAnswer,
  alertsQuery,
  pauseAudioBody,
  rejectBody,
  resolveBody,
} from '../alerts/schema';
import { idParam } from './idParam';

const byId = z.strictObject({ id: idParam });
const nothing = z.null();

/**
 * The calls about one patient, and those about limits, that a first page does without. The browser fetches these
 * schemas when one is made.
 */
export const clinicalRoutes = {
  listAlerts: { method: 'GET', path: '/api/v2/alerts', status: 200, query: alertsQuery, response: alertsAnswer },
  listAlertEvents: {
    method: 'GET',
    path: '/api/v2/alerts/:id/events',
    status: 200,
    params: byId,
    response: alertEventsAnswer,
  },
  acknowledgeAlert: {
    method: 'POST',
    path: '/api/v2/alerts/:id/acknowledge',
    status: 200,
    params: byId,
    response: alertItem,
  },
  acceptAlert: { method: 'POST', path: '/api/v2/alerts/:id/accept', status: 200, params: byId, response: alertItem },
  rejectAlert: {
    method: 'POST',
    path: '/api/v2/alerts/:id/reject',
    status: 200,
    params: byId,
    body: rejectBody,
    response: alertItem,
  },
  pauseAlertAudio: {
    method: 'POST',
    path: '/api/v2/alerts/:id/pause-audio',
    status: 200,
    params: byId,
    body: pauseAudioBody,
    response: alertItem,
  },
  resolveAlert: {
    method: 'POST',
    path: '/api/v2/alerts/:id/resolve',
    status: 200,
    params: byId,
    body: resolveBody,
    response: alertItem,
  },
  addReadings: {
    method: 'POST',
    path: '/api/v2/patients/:id/readings',
    status: 201,
    params: byId,
    body: newReadings,
    response: patient,
  },
  getSpo2Target: {
    method: 'GET',
    path: '/api/v2/patients/:id/spo2-target',
    status: 200,
    params: byId,
    response: spo2Target,
  },
  setSpo2Target: {
    method: 'PUT',
    path: '/api/v2/patients/:id/spo2-target',
    status: 200,
    params: byId,
    body: newSpo2Target,
    response: spo2Target,
  },
  listSymptomReports: {
    method: 'GET',
    path: '/api/v2/patients/:id/symptoms',
    status: 200,
    params: byId,
    query: symptomReportsQuery,
    response: symptomReportsAnswer,
  },
  getLimits: { method: 'GET', path: '/api/v2/patients/:id/limits', status: 200, params: byId, response: patientLimits },
  changeLimits: {
    method: 'PUT',
    path: '/api/v2/patients/:id/limits',
    status: 200,
    params: byId,
    body: newLimits,
    response: patientLimits,
  },
  getSiteLimits: { method: 'GET', path: '/api/v2/site/limits', status: 200, response: siteLimits },
  changeSiteLimits: {
    method: 'PUT',
    path: '/api/v2/site/limits',
    status: 200,
    body: newSiteLimits,
    response: siteLimits,
  },
  startStandby: {
    method: 'POST',
    path: '/api/v2/patients/:id/standby',
    status: 201,
    params: byId,
    body: newStandby,
    response: standbyAnswer,
  },
  endStandby: {
    method: 'POST',
    path: '/api/v2/patients/:id/standby/end',
    status: 200,
    params: byId,
    response: standbyEnd,
  },
  confirmComfortCare: {
    method: 'PUT',
    path: '/api/v2/patients/:id/comfort-care',
    status: 200,
    params: byId,
    body: newComfortCare,
    response: comfortCareAnswer,
  },
  endComfortCare: {
    method: 'DELETE',
    path: '/api/v2/patients/:id/comfort-care',
    status: 204,
    params: byId,
    response: nothing,
  },
  addSymptomReport: {
    method: 'POST',
    path: '/api/v2/patients/:id/symptoms',
    status: 201,
    params: byId,
    body: newSymptomReport,
    response: symptomReport,
  },
} as const;
