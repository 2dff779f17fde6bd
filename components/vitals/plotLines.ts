import type { Patient } from '../../lib/patients/schema';
import { chartLine } from '../../lib/vitals/chartLine';
import { isSpotChecked } from '../../lib/vitals/isSpotChecked';
import { kinds } from '../../lib/vitals/kinds';
import type { LatestValues, VitalsResponse } from '../../lib/vitals/schema';
import type { PlotLine } from './plotModel';
import type { ChartedKind } from './seriesLook';

/** What is known about how often each kind is measured, in milliseconds. */
export type ExpectedEvery = Record<ChartedKind, number | undefined>;

/** Takes a patient's latest values and returns what their devices said about their pace. */
export function expectedEvery(latest: LatestValues): ExpectedEvery {
  return {
    spo2: latest.spo2?.expectedEveryMs,
    heartRate: latest.heartRate?.expectedEveryMs,
    pulseRate: latest.pulseRate?.expectedEveryMs,
  };
}

/** Returns the lines of the wanted kinds from a response, in that order, empty if a kind has no points. */
export function plotLines(
  response: VitalsResponse,
  wanted: readonly ChartedKind[],
  every: ExpectedEvery,
  profile: Patient['profile'],
): PlotLine[] {
  return wanted.map((kind) => {
    const series = response.series.find((one) => one.kind === kind) ?? {
      kind,
      unit: kinds[kind].unit,
      bucketMs: 0 as const,
      points: [],
    };
    const line = chartLine(series, { expectedEveryMs: every[kind], spot: isSpotChecked(profile, every[kind]) });
    return { ...line, kind };
  });
}
