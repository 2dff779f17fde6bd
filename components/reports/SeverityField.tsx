import { useId } from 'react';
import { severityWords } from '../../lib/reports/entryWords';
import type { ServiceSeverity } from '../../lib/reports/serviceSeverities';
import styles from './reports.module.css';
import { severityKeys } from './reportChoices';

interface SeverityFieldProps {
  value: ServiceSeverity | '';
  isLocked: boolean;
  error: string | undefined;
  onChange: (severity: ServiceSeverity) => void;
}

/** How much of the service is lost, each in words: a letter and a number say nothing in a hurry. */
export function SeverityField({ value, isLocked, error, onChange }: SeverityFieldProps) {
  const id = useId();
  return (
    <fieldset className={styles.choices} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>Service severity: how much of Wardlight is lost</legend>
      {severityKeys.map((severity) => (
        <label key={severity} className={styles.choice}>
          <input
            type="radio"
            name={id}
            checked={value === severity}
            disabled={isLocked}
            aria-invalid={error !== undefined}
            onChange={() => onChange(severity)}
          />
          {severityWords(severity)}
        </label>
      ))}
      {error === undefined ? null : (
        <div id={`${id}-error`} className={styles.error}>
          Service severity {error}
        </div>
      )}
    </fieldset>
  );
}
