import { memo, useState } from 'react';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { redFlags, symptoms } from '../../lib/symptoms/symptoms';
import { changeWords } from '../../lib/symptoms/words';
import { plotInsets } from '../vitals/plotInsets';
import { rowHeight } from './drawStrip';
import { StripPlot, type PointedCell } from './StripPlot';
import { columnText, columnTime, reportsText, wordsOfCell } from './stripWords';
import styles from './SymptomStrip.module.css';

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
        <button
          type="button"
          className={styles.more}
          aria-expanded={showsAll}
          onClick={() => {
            setShowsAll(!showsAll);
          }}
        >
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
