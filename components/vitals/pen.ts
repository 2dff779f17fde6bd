import type uPlot from 'uplot';
import type { PlotColors } from './plotColors';

/** What the drawing functions share. Lengths named in CSS pixels are multiplied by `scale` for the canvas. */
export interface Pen {
  plot: uPlot;
  context: CanvasRenderingContext2D;
  scale: number;
  colors: PlotColors;
}

const family = "'Open Sans', system-ui, sans-serif";
/** CSS pixels. */
export const labelSize = 12;

/** Returns the font of a label, bold or not. */
export function labelFont({ scale }: Pen, weight: 400 | 600): string {
  return `${weight} ${labelSize * scale}px ${family}`;
}

export const xOf = ({ plot }: Pen, at: number): number => plot.valToPos(at, 'x', true);
export const yOf = ({ plot }: Pen, value: number): number => plot.valToPos(value, 'y', true);

/** Draws with settings of its own and restores the old ones: uPlot remembers what it last set on the canvas. */
export function apart({ context }: Pen, draw: () => void): void {
  context.save();
  context.setLineDash([]);
  draw();
  context.restore();
}

/** Draws apart, clipped to the plotting area. */
export function inside(pen: Pen, draw: () => void): void {
  const { context, plot } = pen;
  const { left, top, width, height } = plot.bbox;
  apart(pen, () => {
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    draw();
  });
}
