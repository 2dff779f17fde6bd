import { useEffect, useMemo, useRef, useState } from 'react';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { plotInsets } from '../vitals/plotInsets';
import { drawStrip, rowHeight, stripColors, type StripColors } from './drawStrip';
import { columnAt, stripSpans } from './stripCells';
import { columnText } from './stripWords';
import styles from './SymptomStrip.module.css';

/** A cell of the strip: a row of -1 is that of the red flags or none. */
export interface PointedCell {
  column: number;
  row: number;
}

/** What the page gives the drawing. */
interface Look {
  /** CSS pixels. */
  width: number;
  font: string;
  colors: StripColors;
}

interface StripPlotProps {
  strip: SymptomStripResponse;
  rows: SymptomStripResponse['rows'];
  hasFlagRow: boolean;
  alarmColumn: number | null;
  /** What the drawing shows, with the patient's name. */
  name: string;
  timeZone: string;
  pointed: PointedCell | null;
  onPoint: (cell: PointedCell | null) => void;
}

/** The drawing, on the time axis of the charts above. The pointer and the arrow keys choose a column. */
export function StripPlot({ strip, rows, hasFlagRow, alarmColumn, name, timeZone, pointed, onPoint }: StripPlotProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [look, setLook] = useState<Look | null>(null);
  const height = (rows.length + (hasFlagRow ? 1 : 0)) * rowHeight;
  useEffect(() => {
    const element = canvas.current?.parentElement ?? null;
    if (element === null) {
      return undefined;
    }
    // Not with each drawing: a style that is read after a change of the page makes the browser lay it out at once.
    const measure = (): void =>
      setLook({
        width: element.clientWidth,
        font: `600 11px ${getComputedStyle(element).fontFamily}`,
        colors: stripColors(element),
      });
    const widthWatch = new ResizeObserver(measure);
    widthWatch.observe(element);
    const themeWatch = new MutationObserver(measure);
    themeWatch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      widthWatch.disconnect();
      themeWatch.disconnect();
    };
  }, []);
  const width = look?.width ?? 0;
  const spans = useMemo(() => stripSpans(strip, width), [strip, width]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null || look === null || width === 0) {
      return;
    }
    const context = element.getContext('2d');
    if (context === null) {
      return;
    }
    const scale = window.devicePixelRatio;
    // A canvas of another size is a new one; one of the same size is cleared in its place.
    const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
    if (element.width !== size.width || element.height !== size.height) {
      Object.assign(element, size);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const { font, colors } = look;
    drawStrip(context, { strip, rows, hasFlagRow, alarmColumn, spans, width, font }, colors);
  }, [strip, rows, hasFlagRow, alarmColumn, look, width, height, spans]);
  const last = strip.columns.length - 1;
  const column = Math.min(pointed?.column ?? last, last);
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${name}: time`}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={column}
      aria-valuetext={columnText(strip, column, timeZone)}
      className={styles.plot}
      style={{ marginInline: `${plotInsets.left}px ${plotInsets.right}px`, height }}
      onPointerMove={(event) => {
        const { left, top } = event.currentTarget.getBoundingClientRect();
        const found = columnAt(spans, event.clientX - left);
        const row = Math.floor((event.clientY - top) / rowHeight) - (hasFlagRow ? 1 : 0);
        onPoint(found === null ? null : { column: found, row });
      }}
      onPointerLeave={() => onPoint(null)}
      onFocus={() => onPoint({ column, row: -1 })}
      onBlur={() => onPoint(null)}
      onKeyDown={(event) => {
        const next = { ArrowLeft: column - 1, ArrowRight: column + 1, Home: 0, End: last }[event.key];
        if (next !== undefined) {
          event.preventDefault();
          onPoint({ column: Math.min(Math.max(next, 0), last), row: -1 });
        }
      }}
    >
      <canvas ref={canvas} className={styles.canvas} />
    </div>
  );
}
