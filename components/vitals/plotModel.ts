import type { ChartAxis } from '../../lib/vitals/chartAxis';
import type { ChartGap, ChartWindow } from '../../lib/vitals/chartGaps';
import type { ChartLimit, ChartTarget } from '../../lib/vitals/chartLimits';
import type { ChartLine } from '../../lib/vitals/chartLine';
import type { ChartedKind } from './seriesLook';

export type PlotLine = ChartLine & { kind: ChartedKind };

/** Everything that one chart draws. A poll replaces the model, never the chart. */
export interface PlotModel {
  /** One for each kind of the chart, in a fixed order, empty or not. */
  lines: readonly PlotLine[];
  gaps: readonly ChartGap[];
  window: ChartWindow;
  axis: ChartAxis;
  /** The patient's limits and target as they were; none while they are not known. */
  limits: readonly ChartLimit[];
  targets: readonly ChartTarget[];
  /** The end of a line is the value now: the window ends now, the server responds, and no two devices disagree. */
  isLive: boolean;
  /** IANA zone of the site. */
  timeZone: string;
}
