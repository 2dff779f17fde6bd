import type { ChartPoint } from '../../lib/vitals/chartLine';
import { limitLabel } from '../../lib/vitals/chartLimits';
import { kinds } from '../../lib/vitals/kinds';
import { formatVital } from '../../lib/vitals/roundVital';
import { spreadLabels } from '../../lib/vitals/spreadLabels';
import { apart, inside, labelFont, xOf, yOf, type Pen } from './pen';
import { labelledLimits } from './plotLimits';
import type { PlotLine, PlotModel } from './plotModel';
import { seriesLooks, type MarkerShape } from './seriesLook';

/** CSS pixels. */
const sizes = {
  marker: 4,
  smallestMarker: 1.25,
  markerSpace: 12,
  doubtSpace: 6,
  hatchSpace: 9,
  narrowestHatch: 4,
  clock: 4,
  clockAbove: 12,
  clockSpace: 36,
  lane: 7,
  gapLabel: 80,
  labelSpace: 15,
} as const;

/**
 * Hatches the times without data and names the cause if there is room for it. A gap of a few pixels is left white:
 * hatching between samples that come slowly would cover the whole chart.
 */
export function drawGaps(pen: Pen, { gaps }: PlotModel): void {
  const { context, plot, scale, colors } = pen;
  const { top, height } = plot.bbox;
  for (const gap of gaps) {
    const left = xOf(pen, gap.from);
    const right = xOf(pen, gap.to);
    if (right - left < sizes.narrowestHatch * scale) {
      continue;
    }
    inside(pen, () => {
      context.beginPath();
      context.rect(left, top, right - left, height);
      context.clip();
      context.beginPath();
      // Hatch lines are at fixed places of the canvas, so that they do not swim when the window moves on.
      const space = sizes.hatchSpace * scale;
      for (let x = Math.floor((left - height) / space) * space; x < right; x += space) {
        context.moveTo(x, top + height);
        context.lineTo(x + height, top);
      }
      context.strokeStyle = colors.hatch;
      context.lineWidth = scale;
      context.stroke();
      if (right - left > sizes.gapLabel * scale) {
        drawGapLabel(pen, gap.cause, (left + right) / 2, top + height / 2);
      }
    });
  }
}

function drawGapLabel(pen: Pen, text: string, x: number, y: number): void {
  const { context, scale, colors } = pen;
  context.font = labelFont(pen, 400);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const width = context.measureText(text).width + 12 * scale;
  context.fillStyle = colors.surface;
  context.fillRect(x - width / 2, y - 9 * scale, width, 18 * scale);
  context.fillStyle = colors.text;
  context.fillText(text, x, y);
}

/** Fills the area between the extremes of neighbouring buckets: a short fall must be seen at every range. */
export function drawEnvelopes(pen: Pen, { lines }: PlotModel): void {
  const { context, scale, colors } = pen;
  inside(pen, () => {
    context.globalAlpha = 0.28;
    for (const line of lines.filter(({ bucketMs }) => bucketMs > 0)) {
      context.fillStyle = colors.series[line.kind];
      context.strokeStyle = colors.series[line.kind];
      context.lineWidth = 2 * scale;
      for (const run of line.runs) {
        context.beginPath();
        for (const { at, high } of run) {
          context.lineTo(xOf(pen, at), yOf(pen, high));
        }
        for (const { at, low } of [...run].reverse()) {
          context.lineTo(xOf(pen, at), yOf(pen, low));
        }
        context.closePath();
        context.fill();
        if (run.length === 1) {
          context.stroke();
        }
      }
    }
  });
}

/** Draws the markers of all lines, the ticks of samples without a signal, and each line's name beside its end. */
export function drawMarks(pen: Pen, model: PlotModel): void {
  apart(pen, () => {
    for (const line of model.lines) {
      drawMarkers(pen, line);
      drawLateMarks(pen, line);
    }
    drawLabels(pen, model);
  });
  drawQualityLane(pen, model);
}

function drawMarkers(pen: Pen, line: PlotLine): void {
  const { context, scale, colors } = pen;
  const look = seriesLooks[line.kind];
  const radius = radiusOf(pen, line);
  for (const { point, hollow } of markersOf(pen, line)) {
    const x = xOf(pen, point.at);
    if (x < pen.plot.bbox.left) {
      // The first bucket may begin before the window does.
      continue;
    }
    const y = yOf(pen, point.value);
    context.beginPath();
    traceShape(context, point.isManual === true ? 'diamond' : look.shape, x, y, radius);
    context.fillStyle = hollow ? colors.surface : colors.series[line.kind];
    context.strokeStyle = hollow ? colors.doubt : colors.series[line.kind];
    context.lineWidth = Math.min(1.5 * scale, radius);
    context.fill();
    context.stroke();
  }
}

/** Draws a small clock above the values that arrived late, as many as there is room for. */
function drawLateMarks(pen: Pen, line: PlotLine): void {
  let lastX = -Infinity;
  for (const { at, high } of line.runs.flat().filter(({ receivedAt }) => receivedAt !== undefined)) {
    const x = xOf(pen, at);
    if (x >= pen.plot.bbox.left && Math.abs(x - lastX) >= sizes.clockSpace * pen.scale) {
      drawClock(pen, x, yOf(pen, high) - sizes.clockAbove * pen.scale);
      lastX = x;
    }
  }
}

function drawClock({ context, scale, colors }: Pen, x: number, y: number): void {
  const radius = sizes.clock * scale;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.moveTo(x, y - 0.7 * radius);
  context.lineTo(x, y);
  context.lineTo(x + 0.6 * radius, y);
  context.strokeStyle = colors.text;
  context.lineWidth = scale;
  context.stroke();
}

/** Returns full size if isolated samples have room for it, smaller if they would overlap. */
function radiusOf({ plot, scale }: Pen, line: PlotLine): number {
  const alone = line.runs.filter((run) => run.length === 1).length;
  const room = plot.bbox.width / scale / Math.max(1, alone);
  return Math.min(sizes.marker, Math.max(sizes.smallestMarker, room / 2)) * scale;
}

/**
 * Returns the points that get a marker: an isolated one (else it would not be seen; what was typed in always is), a
 * questionable one (hollow), the last one, and all of them if they are far enough apart.
 */
function markersOf(pen: Pen, line: PlotLine): { point: ChartPoint; hollow: boolean }[] {
  const last = line.runs.at(-1)?.at(-1);
  return line.runs.flatMap((run) => {
    const isRoomy = isRoomyRun(pen, run);
    let hollowX = -Infinity;
    return run.flatMap((point) => {
      const hollow = point.quality === 'questionable';
      const x = xOf(pen, point.at);
      // Hollow markers on top of each other would hide that they are hollow.
      const isHollowSeen = hollow && x - hollowX >= sizes.doubtSpace * pen.scale;
      if (!(isRoomy || isHollowSeen || point === last)) {
        return [];
      }
      hollowX = hollow ? x : hollowX;
      return [{ point, hollow }];
    });
  });
}

/** Returns whether the points of a run are far enough apart for markers. An isolated sample always is. */
function isRoomyRun(pen: Pen, run: readonly ChartPoint[]): boolean {
  const first = run[0];
  const last = run.at(-1);
  return (
    first !== undefined &&
    last !== undefined &&
    xOf(pen, last.at) - xOf(pen, first.at) >= (run.length - 1) * sizes.markerSpace * pen.scale
  );
}

function traceShape(
  context: CanvasRenderingContext2D,
  shape: MarkerShape | 'diamond',
  x: number,
  y: number,
  radius: number,
): void {
  switch (shape) {
    case 'circle':
      context.arc(x, y, radius, 0, 2 * Math.PI);
      break;
    case 'square':
      context.rect(x - 0.9 * radius, y - 0.9 * radius, 1.8 * radius, 1.8 * radius);
      break;
    case 'diamond':
      context.moveTo(x, y - 1.3 * radius);
      context.lineTo(x + 1.3 * radius, y);
      context.lineTo(x, y + 1.3 * radius);
      context.lineTo(x - 1.3 * radius, y);
      context.closePath();
      break;
    case 'triangle':
      context.moveTo(x, y - 1.2 * radius);
      context.lineTo(x + 1.1 * radius, y + 0.8 * radius);
      context.lineTo(x - 1.1 * radius, y + 0.8 * radius);
      context.closePath();
      break;
  }
}

/** Draws each sample without a signal as a tick at the foot of the chart, never as a value. */
function drawQualityLane(pen: Pen, { lines }: PlotModel): void {
  const { context, plot, scale, colors } = pen;
  const foot = plot.bbox.top + plot.bbox.height;
  inside(pen, () => {
    context.beginPath();
    for (const at of lines.flatMap(({ invalidAt }) => invalidAt)) {
      const x = xOf(pen, at);
      context.moveTo(x, foot - sizes.lane * scale);
      context.lineTo(x, foot);
    }
    context.strokeStyle = colors.doubt;
    context.lineWidth = 1.5 * scale;
    context.stroke();
  });
}

/** A text beside the plotting area. */
interface Label {
  text: string;
  color: string;
  weight: 400 | 600;
  x: number;
  y: number;
}

/** Draws the label of each line at its end, and of each limit at the right edge, one below the other. */
function drawLabels(pen: Pen, model: PlotModel): void {
  const { context, plot, scale, colors } = pen;
  const { top, height, left, width } = plot.bbox;
  const space = sizes.labelSpace * scale;
  const gap = 9 * scale;
  const ends = model.lines.flatMap((line): Label[] => {
    const last = line.runs.at(-1)?.at(-1);
    return last === undefined
      ? []
      : [
          {
            text: endText(line, last, model),
            color: colors.series[line.kind],
            weight: 600,
            x: xOf(pen, last.at) + gap,
            y: yOf(pen, last.value),
          },
        ];
  });
  const limits = labelledLimits(model).map((limit): Label => ({
    text: limitLabel(limit),
    color: colors.text,
    weight: 400,
    x: left + width + gap,
    y: yOf(pen, limit.value),
  }));
  const labels = [...ends, ...limits];
  const places = spreadLabels(
    labels.map(({ y }) => y),
    { space, top, bottom: top + height },
  );
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  for (const [index, { text, color, weight, x, y }] of labels.entries()) {
    context.font = labelFont(pen, weight);
    context.fillStyle = color;
    context.fillText(text, x, places[index] ?? y);
  }
}

/**
 * Returns the current value with its unit, of a rate with its name. Only the name if the last value is not the current
 * one: the chart ends in the past, is not live, or the values have stopped.
 */
function endText({ kind, gapMs, bucketMs }: PlotLine, last: ChartPoint, { isLive, window }: PlotModel): string {
  const { label } = seriesLooks[kind];
  if (!isLive || window.to - last.at > gapMs + bucketMs) {
    return label;
  }
  const value = `${formatVital(kind, last.value)}${last.quality === 'questionable' ? '?' : ''}`;
  return kind === 'spo2' ? `${value} ${kinds.spo2.unit}` : `${label} ${value}`;
}
