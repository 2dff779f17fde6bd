import type { ReadState } from '../../hooks/readState';
import { useChartMarks } from '../../hooks/useChartMarks';
import { useSymptomStrip } from '../../hooks/useSymptomStrip';
import { useVitals } from '../../hooks/useVitals';
import type { ChartMarks } from '../../lib/alerts/chartMarksSchema';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import type { VitalsResponse } from '../../lib/vitals/schema';
import { chartedKinds } from './seriesLook';
import type { ChartView } from './useChartView';

/** What the charts of one patient show. */
export interface Charts extends ChartView {
  response: ReadState<VitalsResponse>;
  marks: ReadState<ChartMarks>;
  symptoms: ReadState<SymptomStripResponse>;
  /** Less height and fewer points, for several patients side by side. */
  isCompact: boolean;
}

/** How many points per kind are requested. */
const points = { full: 1_000, compact: 500 } as const;

/** Reads the charted vitals of a patient, with limits, alerts and symptoms, over the time that the page shows. */
export function useCharts(patientId: number, { range, zoom, setZoom }: ChartView, isCompact: boolean): Charts {
  const response = useVitals({
    patientId,
    kinds: chartedKinds,
    rangeMs: range.ms,
    zoom: zoom?.window ?? null,
    points: isCompact ? points.compact : points.full,
  });
  const marks = useChartMarks({ patientId, rangeMs: range.ms, zoom: zoom?.window ?? null });
  const symptoms = useSymptomStrip({ patientId, rangeMs: range.ms, zoom: zoom?.window ?? null });
  return { response, marks, symptoms, range, zoom, setZoom, isCompact };
}
