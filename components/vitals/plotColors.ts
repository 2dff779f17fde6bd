import { seriesLooks, type ChartedKind } from './seriesLook';

export interface PlotColors {
  series: Record<ChartedKind, string>;
  text: string;
  grid: string;
  hatch: string;
  doubt: string;
  surface: string;
  limits: Record<'high' | 'medium', string>;
}

/** Reads the theme's chart colours at an element: a canvas cannot use CSS variables itself. */
export function plotColors(element: Element): PlotColors {
  const style = getComputedStyle(element);
  const read = (variable: string): string => style.getPropertyValue(variable).trim();
  return {
    series: {
      spo2: read(seriesLooks.spo2.colorVariable),
      heartRate: read(seriesLooks.heartRate.colorVariable),
      pulseRate: read(seriesLooks.pulseRate.colorVariable),
    },
    text: read('--wl-chart-text'),
    grid: read('--wl-chart-grid'),
    hatch: read('--wl-chart-hatch'),
    doubt: read('--wl-chart-doubt'),
    surface: read('--wl-chart-surface'),
    limits: { high: read('--wl-alarm-high-edge'), medium: read('--wl-alarm-medium-edge') },
  };
}
