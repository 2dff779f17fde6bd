import type { VitalKind } from '../../lib/vitals/kinds';

export const chartedKinds = ['spo2', 'heartRate', 'pulseRate'] as const satisfies readonly VitalKind[];
export type ChartedKind = (typeof chartedKinds)[number];

export type MarkerShape = 'circle' | 'square' | 'triangle';

interface SeriesLook {
  /** Plain text for the canvas, which has no <sub>. */
  label: string;
  colorVariable: `--wl-${string}`;
  shape: MarkerShape;
  /** Dash lengths of the line in CSS pixels; empty for a solid one. */
  dash: number[];
}

/** How each series looks: different in shape, dash, label and colour, never in colour alone (clinical.md section 8). */
export const seriesLooks = {
  spo2: { label: 'SpO₂', colorVariable: '--wl-spo2', shape: 'circle', dash: [] },
  heartRate: { label: 'HR', colorVariable: '--wl-hr', shape: 'square', dash: [] },
  pulseRate: { label: 'PR', colorVariable: '--wl-pr', shape: 'triangle', dash: [6, 3] },
} as const satisfies Record<ChartedKind, SeriesLook>;
