import { Field } from './Field';
import { nativeControl } from './nativeControl';
import styles from './TextArea.module.css';

interface TextAreaProps {
  label: string;
  value: string;
  rows: number;
  maxLength: number;
  isOptional?: boolean;
  isLocked?: boolean;
  error?: string;
  onChange: (text: string) => void;
}

/** Several lines of text, as `TextField` is one. */
export function TextArea({ label, value, rows, maxLength, isOptional, isLocked, error, onChange }: TextAreaProps) {
  return (
    <Field label={label} isOptional={isOptional} error={error}>
      {(control) => (
        <textarea
          {...control}
          className={`${nativeControl} ${styles.area}`}
          rows={rows}
          maxLength={maxLength}
          readOnly={isLocked}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
