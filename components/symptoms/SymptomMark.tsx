import type { ShownSummary } from '../../lib/symptoms/summarySchema';
import { severities } from '../../lib/symptoms/severity';
import { redFlags, symptoms } from '../../lib/symptoms/symptoms';
import { changeWords } from '../../lib/symptoms/words';
import { formatAge, formatClock } from '../../lib/time/formatTime';
import styles from './SymptomMark.module.css';

export interface MarkTexts {
  /** A shape and a figure: "◆2", "▲1", "●0"; "–" if no symptom was answered. */
  glyph: string;
  /** Its step of severity; null: none was answered. */
  step: number | null;
  /** Everything in words, with the time of the report. */
  title: string;
  /** How old a report is that is not of today; null: it is. */
  age: string | null;
}

/** Returns how a list shows a newest report. `todayFrom` is when the site's day began. Epoch milliseconds. */
export function markTexts(
  { reportedAt, worst, redFlags: flags, change }: ShownSummary,
  now: number,
  todayFrom: number,
  timeZone: string,
): MarkTexts {
  const at = Date.parse(reportedAt);
  const shape = flags.length > 0 ? '◆' : change === null ? '●' : '▲';
  const words = [
    flags.length === 0 ? null : `red flag: ${flags.map((flag) => redFlags[flag]).join('; ')}`,
    worst === null
      ? null
      : worst.grade === 0
        ? 'all that was answered is absent'
        : `${symptoms[worst.symptom].label} ${severities[worst.grade]}`,
    change === null ? null : changeWords[change],
  ].filter((text) => text !== null);
  return {
    glyph: `${shape}${worst === null ? '–' : worst.grade}`,
    step: worst?.grade ?? null,
    title: `Symptoms ${formatClock(at, now, timeZone)}: ${words.length === 0 ? 'none answered' : words.join(', ')}`,
    age: at >= todayFrom ? null : formatAge(now - at),
  };
}

/** The newest report of symptoms in a list: a shape and a figure, grey with its age if it is not of today. */
export function SymptomMark({ glyph, step, title, age }: MarkTexts) {
  return (
    <span className={styles.mark} title={title}>
      <span className={styles.glyph} data-step={age === null ? step : undefined} aria-hidden="true">
        {glyph}
      </span>
      {age === null ? null : (
        <span className={styles.age} aria-hidden="true">
          {age}
        </span>
      )}
      <span className="visually-hidden">{title}</span>
    </span>
  );
}
