import { alertCalls } from '../alerts/calls';
import { limitsCalls } from '../alerts/limitsCalls';
import { pausesCalls } from '../alerts/pausesCalls';
import { spo2TargetCalls } from '../patients/spo2TargetCalls';
import { symptomCalls } from '../symptoms/calls';
import { readingsCalls } from '../vitals/readingsCalls';

/** The calls about alerts, limits and one patient. The browser fetches their schemas when one of them is made. */
export const clinicalCalls = {
  ...alertCalls,
  ...limitsCalls,
  ...pausesCalls,
  ...spo2TargetCalls,
  ...symptomCalls,
  ...readingsCalls,
} as const;
