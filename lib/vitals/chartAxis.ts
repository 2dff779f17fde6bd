/** What one chart shows; heart and pulse rate share theirs. */
export type ChartQuantity = 'spo2' | 'rate';

export interface ChartAxis {
  min: number;
  max: number;
  /** Distance between two grid lines. */
  step: number;
  /** True when the axis is not the usual one, which the chart has to say. */
  changed: boolean;
}

/**
 * Steps of clinical.md section 8, in % and /min: the axis stays fixed, so that the same height always means the same
 * value, and widens only if a value would fall outside. The steps from 0 are ours: they contain whatever a device can
 * report.
 */
const steps = {
  spo2: [
    { min: 80, max: 100, step: 5 },
    { min: 70, max: 100, step: 5 },
    { min: 50, max: 100, step: 10 },
    { min: 0, max: 100, step: 20 },
  ],
  rate: [
    { min: 40, max: 160, step: 20 },
    { min: 20, max: 240, step: 40 },
    { min: 0, max: 240, step: 40 },
    { min: 0, max: 300, step: 50 },
  ],
} as const satisfies Record<ChartQuantity, readonly Omit<ChartAxis, 'changed'>[]>;

/**
 * Takes what a chart shows and the extremes drawn on it (null if nothing is drawn) and returns its axis: the first step
 * that contains both.
 */
export function chartAxis(quantity: ChartQuantity, extremes: { low: number; high: number } | null): ChartAxis {
  const choices = steps[quantity];
  const fits = extremes === null ? 0 : choices.findIndex(({ min, max }) => min <= extremes.low && extremes.high <= max);
  const [usual] = choices;
  const chosen = choices.at(fits) ?? usual;
  return { ...chosen, changed: chosen !== usual };
}

/** The values at which the axis has a grid line. */
export function axisSplits({ min, max, step }: Pick<ChartAxis, 'min' | 'max' | 'step'>): number[] {
  const first = Math.ceil(min / step) * step;
  return Array.from({ length: Math.floor((max - first) / step) + 1 }, (_, index) => first + index * step);
}
