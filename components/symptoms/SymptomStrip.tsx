import { memo, useState, useEffect, useMemo, useRef } from 'react';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { redFlags, symptoms } from '../../lib/symptoms/symptoms';
import { changeWords } from '../../lib/symptoms/words';
import { plotInsets } from '../vitals/plotInsets';
import styles from './SymptomStrip.module.css';
import { rowHeight, drawStrip, stripColors, type StripColors } from './drawStrip';
import { columnAt, stripSpans } from './stripCells';
import { columnText, columnTime, reportsText, wordsOfCell } from './stripWords';

/** A cell of the strip: a row of -1 is that of the red flags or none. */
interface PointedCell {
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
function StripPlot({ strip, rows, hasFlagRow, alarmColumn, name, timeZone, pointed, onPoint }: StripPlotProps) {
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

interface SymptomStripProps {
  strip: SymptomStripResponse;
  patientName: string;
  timeZone: string;
  /** The patient has an open alert about a red flag. */
  hasOpenFlag: boolean;
}

/** How many symptoms are shown before a user asks for all: the most urgent stand first. */
const rowsAtFirst = 8;

/** What a patient reported, symptom by time, below the charts of the same time. */
export const SymptomStrip = memo(function SymptomStrip({
  strip,
  patientName,
  timeZone,
  hasOpenFlag,
}: SymptomStripProps) {
  const [pointed, setPointed] = useState<PointedCell | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  const hasFlagRow = strip.columns.some((column) => column.redFlags.length > 0);
  const rows = showsAll ? strip.rows : strip.rows.slice(0, rowsAtFirst);
  const lastFlag = strip.columns.findLastIndex((column) => column.redFlags.length > 0);
  return (
    <>
      <p className={styles.readout} aria-hidden="true">
        {pointed === null ? summaryText(strip) : readoutText(strip, rows, pointed, timeZone)}
      </p>
      <div className={styles.strip}>
        <StripPlot
          strip={strip}
          rows={rows}
          hasFlagRow={hasFlagRow}
          alarmColumn={hasOpenFlag ? lastFlag : null}
          name={`Symptoms of ${patientName}`}
          timeZone={timeZone}
          pointed={pointed}
          onPoint={setPointed}
        />
        <div aria-hidden="true">
          {hasFlagRow ? (
            <span className={styles.name} style={{ top: 0, width: plotInsets.right - 6 }} data-open={hasOpenFlag}>
              ◆ Red flag
            </span>
          ) : null}
          {rows.map(({ symptom, change }, index) => {
            const top = (index + (hasFlagRow ? 1 : 0)) * rowHeight;
            return (
              <span key={symptom}>
                {change === null ? null : (
                  <span className={styles.change} style={{ top, width: plotInsets.left - 3 }}>
                    ▲{changeWords[change]}
                  </span>
                )}
                <span
                  className={styles.name}
                  style={{ top, width: plotInsets.right - 6 }}
                  title={symptoms[symptom].label}
                >
                  {symptoms[symptom].label}
                </span>
              </span>
            );
          })}
        </div>
      </div>
      {strip.rows.length > rowsAtFirst ? (
        <button type="button" className={styles.more} aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Show the first ${rowsAtFirst} symptoms only` : `Show all ${strip.rows.length} symptoms`}
        </button>
      ) : null}
    </>
  );
});

/** "2 of 15 days with a report"; "3 reports". */
function summaryText({ isDaily, columns, truncated }: SymptomStripResponse): string {
  const reports = columns.reduce((sum, column) => sum + column.reports, 0);
  const unreadable = columns.reduce((sum, column) => sum + column.unreadable, 0);
  const days = columns.filter((column) => column.reports + column.unreadable > 0).length;
  const counted = reportsText(reports, unreadable);
  const text = isDaily ? `${counted} on ${days} of ${columns.length} days` : counted;
  return truncated ? `${text}. The beginning of this period is not complete.` : text;
}

function readoutText(
  strip: SymptomStripResponse,
  rows: SymptomStripResponse['rows'],
  { column, row }: PointedCell,
  timeZone: string,
): string {
  const pointed = rows[row];
  if (pointed === undefined) {
    return columnText(strip, column, timeZone);
  }
  const { reports, unreadable, redFlags: flags } = strip.columns[column] ?? { reports: 0, unreadable: 0, redFlags: [] };
  const said = `${symptoms[pointed.symptom].label}: ${wordsOfCell(pointed.cells, column)}`;
  const worst = strip.isDaily && reports + unreadable > 1 ? ', the worst of the day' : '';
  const flagText = flags.length === 0 ? '' : ` · Red flag: ${flags.map((flag) => redFlags[flag]).join('; ')}`;
  return `${columnTime(strip, column, timeZone)} · ${said}${worst} · ${reportsText(reports, unreadable)}${flagText}`;
}
