import { contextLines } from '../../lib/reports/contextLines';
import type { ReportContext } from '../../lib/reports/schema';
import styles from './reports.module.css';

interface ContextLinesProps {
  title: string;
  context: ReportContext;
  timeZone: string;
}

/** What a report says of the page from which it was made, folded. */
export function ContextLines({ title, context, timeZone }: ContextLinesProps) {
  return (
    <details>
      <summary className={styles.summary}>{title}</summary>
      <dl className={styles.facts}>
        {contextLines(context, timeZone).map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
