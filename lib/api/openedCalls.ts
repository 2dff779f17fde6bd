import { chartMarksCalls } from '../alerts/chartMarksCalls';
import { historyCalls } from '../alerts/historyCalls';
import { limitsCalls } from '../alerts/limitsCalls';
import { pausesCalls } from '../alerts/pausesCalls';
import { chartCalls } from '../chart/calls';
import { checkInCalls } from '../checkIn/calls';
import { deviceAlarmCalls } from '../deviceAlarms/calls';
import { exportCalls } from '../export/calls';
import { handoffCalls } from '../handoffs/calls';
import { heldCalls } from '../patients/heldCalls';
import { scoringCalls } from '../patients/scoringCalls';
import { reportCalls } from '../reports/calls';
import { symptomStripCalls } from '../symptoms/stripCalls';
import { readingsCalls } from '../vitals/readingsCalls';

/** The calls about what is opened of one patient, and of the past. The dashboard makes none of them by itself. */
export const openedCalls = {
  ...historyCalls,
  ...limitsCalls,
  ...chartCalls,
  ...checkInCalls,
  ...exportCalls,
  ...scoringCalls,
  ...reportCalls,
  ...handoffCalls,
  ...pausesCalls,
  ...readingsCalls,
  ...chartMarksCalls,
  ...symptomStripCalls,
  ...deviceAlarmCalls,
  ...heldCalls,
} as const;
