import { clientFailure } from '../lib/browser/client';
import type { Chart, ChartSummary } from '../lib/chart/schema';
import { poll } from './poll';
import type { ReadState } from './readState';
import { useReadState, type Fresh } from './useReadState';

/** Somebody else may write in it while it is open. In milliseconds. */
const everyMs = 10_000;
const summaryEveryMs = 30_000;

/** Reads a patient's chart while it is shown. Never another patient's. */
export function useChart(patientId: number): ReadState<Chart> {
  const read = async () => ofPatient(patientId, await poll('readChart', { params: { id: patientId } }));
  return useReadState(`readChart ${JSON.stringify({ params: { id: patientId } })}`, read, { everyMs });
}

/** Reads code status and allergies, for the marks beside a patient's name. Never another patient's. */
export function useChartSummary(patientId: number): ReadState<ChartSummary> {
  const read = async () => ofPatient(patientId, await poll('readChartSummary', { params: { id: patientId } }));
  return useReadState(`readChartSummary ${patientId}`, read, { everyMs: summaryEveryMs });
}

/** Throws if a response is about another patient: no allergy is shown under the wrong name. */
function ofPatient<Data extends { patientId: number }>(patientId: number, fresh: Fresh<Data>): Fresh<Data> {
  if (fresh.data.patientId !== patientId) {
    throw clientFailure('unreadable_response');
  }
  return fresh;
}
