import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { formatTime } from '../../lib/time/formatTime';
import type { ChartWindow } from '../../lib/vitals/chartGaps';
import { plotInsets } from './plotInsets';
import styles from './SymptomMarks.module.css';

interface SymptomMarksProps {
  reported: SymptomStripResponse['reported'];
  window: ChartWindow;
  timeZone: string;
}

/** When the patient reported symptoms: a tick at the foot of the drawing, with a diamond if it had a red flag. */
export function SymptomMarks({ reported, window: { from, to }, timeZone }: SymptomMarksProps) {
  return (
    <div
      className={styles.axis}
      style={{ left: plotInsets.left, right: plotInsets.right, bottom: plotInsets.bottom }}
      aria-hidden="true"
    >
      {reported.map(({ at: instant, hasRedFlag }, index) => {
        const at = Date.parse(instant);
        return at < from || at > to ? null : (
          <span
            key={`${instant} ${index}`}
            className={styles.tick}
            data-flag={hasRedFlag ? '' : undefined}
            style={{ left: `${((at - from) / (to - from)) * 100}%` }}
            title={`Symptom report${hasRedFlag ? ' with a red flag' : ''}, ${formatTime(at, timeZone)}`}
          />
        );
      })}
    </div>
  );
}
