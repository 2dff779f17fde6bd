import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import type { StripSpan } from './stripCells';

export interface StripColors {
  steps: readonly { fill: string; text: string }[];
  hatch: string;
  grid: string;
  ink: string;
  alarm: string;
}

/** CSS pixels. */
export const rowHeight = 28;
const cell = { inset: 1, letterFrom: 9, hatchSpace: 5, flag: 6 } as const;

/** Reads the theme's colours at an element: a canvas cannot use CSS variables itself. */
export function stripColors(element: Element): StripColors {
  const style = getComputedStyle(element);
  const read = (variable: string): string => style.getPropertyValue(variable).trim();
  return {
    steps: [0, 1, 2, 3].map((step) => ({
      fill: read(`--wl-severity-${step}`),
      text: read(`--wl-severity-${step}-text`),
    })),
    hatch: read('--wl-chart-outline'),
    grid: read('--wl-chart-grid'),
    ink: read('--wl-chart-text'),
    alarm: read('--wl-alarm-high-edge'),
  };
}

interface Drawing {
  strip: SymptomStripResponse;
  /** The rows to draw; the first line is that of the red flags if there are any. */
  rows: SymptomStripResponse['rows'];
  hasFlagRow: boolean;
  /** The column whose red flag has an open alert; null: none. */
  alarmColumn: number | null;
  spans: readonly StripSpan[];
  width: number;
  font: string;
}

/**
 * Draws the cells of a strip: a step from light to dark with its figure, hatched if asked and not answered, an outlined
 * "?" if the report cannot be read, nothing if not asked. Cells of one look are one path, so that a year of days is
 * drawn at once.
 */
export function drawStrip(
  context: CanvasRenderingContext2D,
  { strip, rows, hasFlagRow, alarmColumn, spans, width, font }: Drawing,
  colors: StripColors,
): void {
  const first = hasFlagRow ? 1 : 0;
  const height = (rows.length + first) * rowHeight;
  context.clearRect(0, 0, width, height);
  context.fillStyle = colors.grid;
  for (let line = 1; line <= rows.length + first; line += 1) {
    context.fillRect(0, line * rowHeight - 1, width, 1);
  }
  context.font = font;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const cellsOf = (code: string): { x: number; y: number; width: number }[] =>
    rows.flatMap(({ cells }, row) =>
      spans.flatMap((span, column) =>
        cells[column] === code && span.width > 0
          ? [{ x: span.left, y: (row + first) * rowHeight + cell.inset, width: span.width }]
          : [],
      ),
    );
  const cellHeight = rowHeight - 2 * cell.inset - 1;
  for (const [step, { fill, text }] of colors.steps.entries()) {
    const found = cellsOf(String(step));
    context.fillStyle = fill;
    for (const { x, y, width: room } of found) {
      context.fillRect(x, y, Math.max(room, 1), cellHeight);
    }
    context.fillStyle = text;
    for (const { x, y, width: room } of found) {
      if (room >= cell.letterFrom) {
        context.fillText(String(step), x + room / 2, y + cellHeight / 2);
      }
    }
  }
  context.strokeStyle = colors.hatch;
  context.lineWidth = 1;
  for (const { x, y, width: room } of cellsOf('u')) {
    drawHatched(context, { x, y, width: Math.max(room, 2), height: cellHeight });
  }
  for (const { x, y, width: room } of cellsOf('?')) {
    context.strokeRect(x + 0.5, y + 0.5, Math.max(room, 2) - 1, cellHeight - 1);
    if (room >= cell.letterFrom) {
      context.fillStyle = colors.ink;
      context.fillText('?', x + room / 2, y + cellHeight / 2);
    }
  }
  if (hasFlagRow) {
    for (const [column, { redFlags }] of strip.columns.entries()) {
      const span = spans[column];
      if (redFlags.length > 0 && span !== undefined) {
        context.fillStyle = column === alarmColumn ? colors.alarm : colors.ink;
        drawFlag(context, span.left + span.width / 2, rowHeight / 2, Math.max(Math.min(cell.flag, span.width / 2), 3));
      }
    }
  }
}

/** An outline with lines across, in the place of a cell. */
function drawHatched(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): void {
  context.save();
  context.beginPath();
  context.rect(x + 0.5, y + 0.5, width - 1, height - 1);
  context.stroke();
  context.clip();
  context.beginPath();
  for (let from = x - height; from < x + width; from += cell.hatchSpace) {
    context.moveTo(from, y + height);
    context.lineTo(from + height, y);
  }
  context.stroke();
  context.restore();
}

function drawFlag(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.closePath();
  context.fill();
}
