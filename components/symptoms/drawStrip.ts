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
/** Edges nearer than this are the same one: a part of a CSS pixel, more than a sum of fractions is off. */
const sameEdge = 0.01;
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

/** What a strip needs of a canvas. */
export type StripContext = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
  | 'clearRect'
  | 'fillRect'
  | 'fillText'
  | 'beginPath'
  | 'closePath'
  | 'rect'
  | 'moveTo'
  | 'lineTo'
  | 'fill'
  | 'stroke'
>;

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
  context: StripContext,
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
  const cellHeight = rowHeight - 2 * cell.inset - 1;
  // A year has some ten thousand cells: nothing is made of each before it is drawn.
  const eachOf = (code: string, draw: (x: number, y: number, room: number) => void): void => {
    for (const [row, { cells }] of rows.entries()) {
      const y = (row + first) * rowHeight + cell.inset;
      for (let column = cells.indexOf(code); column !== -1; column = cells.indexOf(code, column + 1)) {
        const span = spans[column];
        if (span !== undefined && span.width > 0) {
          draw(span.left, y, span.width);
        }
      }
    }
  };
  // Days of a year stand without a gap: equal ones are one rectangle.
  const eachRun: typeof eachOf = (code, draw) => {
    let run = { x: 0, y: 0, end: Number.NEGATIVE_INFINITY };
    eachOf(code, (x, y, room) => {
      if (y === run.y && Math.abs(x - run.end) < sameEdge) {
        run.end = x + room;
        return;
      }
      if (run.end > run.x) {
        draw(run.x, run.y, run.end - run.x);
      }
      run = { x, y, end: x + room };
    });
    if (run.end > run.x) {
      draw(run.x, run.y, run.end - run.x);
    }
  };
  for (const [step, { fill, text }] of colors.steps.entries()) {
    const code = String(step);
    context.fillStyle = fill;
    eachRun(code, (x, y, room) => context.fillRect(x, y, Math.max(room, 1), cellHeight));
    context.fillStyle = text;
    eachOf(code, (x, y, room) => {
      if (room >= cell.letterFrom) {
        context.fillText(code, x + room / 2, y + cellHeight / 2);
      }
    });
  }
  context.strokeStyle = colors.hatch;
  context.lineWidth = 1;
  context.beginPath();
  eachOf('u', (x, y, room) => addHatched(context, { x, y, width: Math.max(room, 2), height: cellHeight }));
  eachOf('?', (x, y, room) => context.rect(x + 0.5, y + 0.5, Math.max(room, 2) - 1, cellHeight - 1));
  context.stroke();
  context.fillStyle = colors.ink;
  eachOf('?', (x, y, room) => {
    if (room >= cell.letterFrom) {
      context.fillText('?', x + room / 2, y + cellHeight / 2);
    }
  });
  if (hasFlagRow) {
    for (const isAlarm of [false, true]) {
      context.fillStyle = isAlarm ? colors.alarm : colors.ink;
      context.beginPath();
      for (const [column, { redFlags }] of strip.columns.entries()) {
        const span = spans[column];
        if (redFlags.length > 0 && span !== undefined && (column === alarmColumn) === isAlarm) {
          const size = Math.max(Math.min(cell.flag, span.width / 2), 3);
          // A day that has just begun is narrower than its flag.
          const x = Math.max(Math.min(span.left + span.width / 2, width - size), size);
          addFlag(context, x, rowHeight / 2, size);
        }
      }
      context.fill();
    }
  }
}

/** Adds an outline with lines across, in the place of a cell. Each line ends at the outline: a clip a cell is slow. */
function addHatched(
  context: StripContext,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): void {
  context.rect(x + 0.5, y + 0.5, width - 1, height - 1);
  for (let from = cell.hatchSpace - height; from < width; from += cell.hatchSpace) {
    // From the lower edge at `from`, up to the right.
    const start = Math.max(from, 0);
    const end = Math.min(from + height, width);
    context.moveTo(x + start, y + height - (start - from));
    context.lineTo(x + end, y + height - (end - from));
  }
}

function addFlag(context: StripContext, x: number, y: number, size: number): void {
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.closePath();
}
