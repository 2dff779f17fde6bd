import type { ShownSummary } from '../../lib/symptoms/summarySchema';
import { severities } from '../../lib/symptoms/severity';
import { redFlags, symptoms } from '../../lib/symptoms/symptoms';
import { changeWords } from '../../lib/symptoms/words';
import { formatAge, formatClock } from '../../lib/time/formatTime';
import styles from './SymptomMark.module.css';

export interface MarkTexts {
  /**
   * A shape and a figure: "◆2", "▲1", "●0"; "●10/10" for a score alone, "–" if nothing was answered. With "?" if a
   * report cannot be read.
   */
  glyph: string;
  /** Its step of severity; null: none was answered. */
  step: number | null;
  /** Everything in words, with the time of the report. */
  title: string;
  age: string;
  isToday: boolean;
}

/** Returns how a list shows a newest report. `todayFrom` is when the site's day began. Epoch milliseconds. */
export function markTexts(
  { reportedAt, worst, redFlags: flags, redFlagsAt, breathlessness, change, unreadable }: ShownSummary,
  now: number,
  todayFrom: number,
  timeZone: string,
): MarkTexts {
  const at = Date.parse(reportedAt);
  const shape = flags.length > 0 ? '◆' : change === null ? '●' : '▲';
  // A later report without it does not hide it.
  const flaggedAt =
    redFlagsAt === null || redFlagsAt === reportedAt ? '' : ` at ${formatClock(Date.parse(redFlagsAt), now, timeZone)}`;
  const figure = worst?.grade ?? (breathlessness === null ? (unreadable ? '' : '–') : `${breathlessness}/10`);
  const words = [
    flags.length === 0 ? null : `red flag${flaggedAt}: ${flags.map((flag) => redFlags[flag]).join('; ')}`,
    worst === null
      ? null
      : worst.grade === 0
        ? 'all that was answered is absent'
        : `${symptoms[worst.symptom].label} ${severities[worst.grade]}`,
    breathlessness === null ? null : `breathlessness ${breathlessness} of 10`,
    change === null ? null : changeWords[change],
    unreadable ? 'a report cannot be read' : null,
  ].filter((text) => text !== null);
  return {
    glyph: `${shape}${figure}${unreadable ? '?' : ''}`,
    step: worst?.grade ?? (breathlessness === null ? null : stepOfScore(breathlessness)),
    title: `Symptoms ${formatClock(at, now, timeZone)}: ${words.length === 0 ? 'none answered' : words.join(', ')}`,
    age: formatAge(now - at),
    isToday: at >= todayFrom,
  };
}

/** Returns how dark a score of breathlessness without an answer is: three of ten are one step. Only 0 is none. */
const stepOfScore = (score: number): number => Math.min(3, Math.ceil(score / 3));

/** The newest report of symptoms in a list: a shape, a figure and its age; grey if it is not of today. */
export function SymptomMark({ glyph, step, title, age, isToday }: MarkTexts) {
  return (
    <span className={styles.mark} title={title}>
      <SymptomGlyph glyph={glyph} step={isToday ? step : null} />
      <span className={styles.age} aria-hidden="true">
        {age}
      </span>
      <span className="visually-hidden">{title}</span>
    </span>
  );
}

/** Its shape and figure alone. `step` null: grey. */
export function SymptomGlyph({ glyph, step }: Pick<MarkTexts, 'glyph' | 'step'>) {
  return (
    <span className={styles.glyph} data-step={step ?? undefined} aria-hidden="true">
      {glyph}
    </span>
  );
}
