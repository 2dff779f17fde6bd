import { longestReportText } from '../../lib/reports/schema';
import { Field } from '../ui/Field';
import { nativeControl } from '../ui/nativeControl';
import styles from './reports.module.css';

interface TextAreaProps {
  label: string;
  value: string;
  rows: number;
  isOptional?: boolean;
  isLocked?: boolean;
  error?: string;
  onChange: (text: string) => void;
}

/** Several lines of a report. */
export function TextArea({ label, value, rows, isOptional, isLocked, error, onChange }: TextAreaProps) {
  return (
    <Field label={label} isOptional={isOptional} error={error}>
      {(control) => (
        <textarea
          {...control}
          className={`${nativeControl} ${styles.area}`}
          rows={rows}
          maxLength={longestReportText}
          readOnly={isLocked}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
