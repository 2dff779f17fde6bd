import type { ChartLimit } from '../../lib/vitals/chartLimits';
import { inside, xOf, yOf, type Pen } from './pen';
import type { PlotModel } from './plotModel';

/** CSS pixels. */
const dash = [5, 4];
/** How much of the colour covers the ground: the target is neutral, beyond a limit it is that of the priority. */
const cover = { target: 0.07, beyond: 0.12 } as const;

/** Shades the target range, tints what is beyond each limit, and draws the limits as steps over their own time. */
export function drawLimits(pen: Pen, { targets, limits, axis }: PlotModel): void {
  const { context, scale, colors } = pen;
  inside(pen, () => {
    context.globalAlpha = cover.target;
    context.fillStyle = colors.text;
    for (const { from, to, low, high } of targets) {
      fillBetween(pen, { from, to }, low, high);
    }
    context.globalAlpha = cover.beyond;
    // What applies on oxygen only is drawn as a line: without oxygen those values are good.
    for (const limit of limits.filter(({ onOxygen }) => !onOxygen)) {
      context.fillStyle = colors.limits[limit.priority];
      const end = limit.is === 'atLeast' ? axis.max + axis.step : axis.min - axis.step;
      fillBetween(pen, limit, limit.value, limit.beyondTo ?? end);
    }
    context.globalAlpha = 1;
    context.lineWidth = 1.5 * scale;
    context.setLineDash(dash.map((length) => length * scale));
    for (const { from, to, value, priority } of limits) {
      context.strokeStyle = colors.limits[priority];
      context.beginPath();
      context.moveTo(xOf(pen, from), yOf(pen, value));
      context.lineTo(xOf(pen, to), yOf(pen, value));
      context.stroke();
    }
  });
}

function fillBetween(pen: Pen, { from, to }: Pick<ChartLimit, 'from' | 'to'>, one: number, other: number): void {
  const [top, foot] = [yOf(pen, Math.max(one, other)), yOf(pen, Math.min(one, other))];
  const left = xOf(pen, from);
  pen.context.fillRect(left, top, xOf(pen, to) - left, foot - top);
}

/** Returns the limits that have their label at the right edge: those that hold there and lie on the axis. */
export function labelledLimits({ limits, window, axis }: PlotModel): ChartLimit[] {
  return limits.filter(({ to, value }) => to === window.to && axis.min <= value && value <= axis.max);
}
