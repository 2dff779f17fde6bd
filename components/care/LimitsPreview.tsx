import { useEffect, useState } from 'react';
import { useCall } from '../../hooks/useCall';
import type { AdjustableRule, LimitValues } from '../../lib/alerts/limits';
import { proposedLimits, type LimitPreview } from '../../lib/alerts/limitPreviewSchema';
import type { ApiFailure } from '../../lib/browser/client';
import styles from './care.module.css';
import { previewWords } from './previewWords';

interface LimitsPreviewProps {
  patientId: number;
  rule: AdjustableRule;
  /** Null: nothing was changed, or what was typed is no limit. */
  values: LimitValues | null;
}

/** After the last key, in milliseconds. */
const typedMs = 300;

/**
 * How many alerts the typed limits would have raised in the last 24 h. An answer about other limits than those is never
 * shown. It holds up nothing: limits are set without it as well.
 */
export function LimitsPreview({ patientId, rule, values }: LimitsPreviewProps) {
  const preview = useCall('previewLimits');
  const [shown, setShown] = useState<{ key: string; is: LimitPreview | string } | null>(null);
  // As text, so that the same limits in another object are no change.
  const key = values === null ? null : JSON.stringify({ rule, values });
  useEffect(() => {
    if (key === null) {
      return;
    }
    const body = proposedLimits.parse(JSON.parse(key));
    const stop = new AbortController();
    const show = (is: LimitPreview | string): void => {
      if (!stop.signal.aborted) {
        setShown({ key, is });
      }
    };
    const timer = setTimeout(() => {
      preview({ params: { id: patientId }, body, signal: stop.signal }).then(show, (failure: ApiFailure) => {
        show(`No preview. ${Object.entries(failure.fields).length > 0 ? outOfBounds : failure.message}`);
      });
    }, typedMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, patientId, preview]);
  return (
    <div role="status" className={styles.preview}>
      {key === null ? (
        <span className={styles.quiet}>Change a limit to see how many alerts it would have raised.</span>
      ) : shown === null || shown.key !== key ? (
        <span className={styles.quiet}>Preview: calculating …</span>
      ) : typeof shown.is === 'string' ? (
        shown.is
      ) : (
        <Words preview={shown.is} />
      )}
    </div>
  );
}

const outOfBounds = 'These limits cannot be set.';

function Words({ preview }: { preview: LimitPreview }) {
  const { sentence, counts, dangers, coverage } = previewWords(preview);
  return (
    <>
      <strong>{sentence}</strong>
      {dangers.map((danger) => (
        <strong key={danger}>{danger}</strong>
      ))}
      <span className={styles.quiet}>
        {[
          counts === null ? null : `${counts}.`,
          coverage,
          'Both numbers are counted by the rules from stored readings.',
        ]
          .filter((part) => part !== null)
          .join(' ')}
      </span>
    </>
  );
}
