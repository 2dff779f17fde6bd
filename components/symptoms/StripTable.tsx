import { useState } from 'react';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { redFlags, symptoms } from '../../lib/symptoms/symptoms';
import { columnTime, reportsText, wordsOfCell } from './stripWords';
import styles from './SymptomStrip.module.css';

interface StripTableProps {
  strip: SymptomStripResponse;
  /** What it shows, with the patient's name. */
  name: string;
  timeZone: string;
}

/** Few enough that an update of an open table stays short. */
const columnsAtOnce = 60;

/** The strip in words, the newest first, for users who cannot see it. Renders its rows only while it is open. */
export function StripTable({ strip, name, timeZone }: StripTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [shown, setShown] = useState(columnsAtOnce);
  const columns = strip.columns.map((column, index) => ({ ...column, index })).toReversed();
  return (
    <details
      className={styles.disclosure}
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open);
      }}
    >
      <summary>Table of symptoms</summary>
      {isOpen ? (
        <div className={styles.scroll} role="region" aria-label={`${name}, table`} tabIndex={0}>
          <table className={styles.table}>
            <caption className="visually-hidden">{name}, newest first</caption>
            <thead>
              <tr>
                <th scope="col">{strip.isDaily ? 'Day' : 'Time'}</th>
                <th scope="col">Reports</th>
                <th scope="col">Red flags</th>
                <th scope="col">{strip.isDaily ? 'Worst of the day' : 'Answers'}</th>
              </tr>
            </thead>
            <tbody>
              {columns.slice(0, shown).map(({ at, index, reports, unreadable, redFlags: flags }) => (
                <tr key={`${at} ${index}`}>
                  <th scope="row">{columnTime(strip, index, timeZone)}</th>
                  <td>{unreadable === 0 ? reports : reportsText(reports, unreadable)}</td>
                  <td>
                    {flags.length === 0
                      ? unreadable === 0
                        ? 'none'
                        : 'cannot be read'
                      : flags.map((flag) => redFlags[flag]).join('; ')}
                  </td>
                  <td>
                    {strip.rows
                      .filter(({ cells }) => cells[index] !== '.')
                      .map(({ symptom, cells }) => `${symptoms[symptom].label} ${wordsOfCell(cells, index)}`)
                      .join(', ') || (unreadable === 0 ? 'not asked' : 'cannot be read')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {columns.length > shown ? (
            <button type="button" className={styles.more} onClick={() => setShown(shown + columnsAtOnce)}>
              Show older ones ({columns.length - shown} more)
            </button>
          ) : null}
        </div>
      ) : null}
    </details>
  );
}
