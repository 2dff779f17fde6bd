import { alertCalls } from '../alerts/calls';
import { chartMarksCalls } from '../alerts/chartMarksCalls';
import { historyCalls } from '../alerts/historyCalls';
import { limitsCalls } from '../alerts/limitsCalls';
import { pausesCalls } from '../alerts/pausesCalls';
import { chartCalls } from '../chart/calls';
import { checkInCalls } from '../checkIn/calls';
import { exportCalls } from '../export/calls';
import { followCalls } from '../follows/calls';
import { handoffCalls } from '../handoffs/calls';
import { noteCalls } from '../notes/calls';
import { news2ExemptionCalls } from '../patients/news2ExemptionCalls';
import { spo2TargetCalls } from '../patients/spo2TargetCalls';
import { reportCalls } from '../reports/calls';
import { symptomCalls } from '../symptoms/calls';
import { symptomStripCalls } from '../symptoms/stripCalls';
import { symptomsTodayCalls } from '../symptoms/todayCalls';
import { readingsCalls } from '../vitals/readingsCalls';

/** The calls about alerts, limits and one patient. The browser loads their schemas when it first makes one of them. */
export const clinicalCalls = {
  ...alertCalls,
  ...chartMarksCalls,
  ...historyCalls,
  ...limitsCalls,
  ...pausesCalls,
  ...chartCalls,
  ...checkInCalls,
  ...exportCalls,
  ...followCalls,
  ...handoffCalls,
  ...noteCalls,
  ...news2ExemptionCalls,
  ...reportCalls,
  ...spo2TargetCalls,
  ...symptomCalls,
  ...symptomStripCalls,
  ...symptomsTodayCalls,
  ...readingsCalls,
} as const;
