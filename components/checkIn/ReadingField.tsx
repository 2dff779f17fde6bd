import { useId } from 'react';
import styles from './checkIn.module.css';

interface ReadingFieldProps {
  name: string;
  words: { label: string; unit: string; hint: string };
  value: string;
  fault: string | null;
  onType: (text: string) => void;
  /** The field was left. */
  onDone: () => void;
}

/** A number that somebody reads off a device, with how it is taken. */
export function ReadingField({ name, words: { label, unit, hint }, value, fault, onType, onDone }: ReadingFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.reading}>
        <input
          id={id}
          name={name}
          type="text"
          className={styles.input}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={value}
          aria-invalid={fault !== null}
          aria-describedby={`${id}-hint${fault === null ? '' : ` ${id}-fault`}`}
          onChange={({ target }) => {
            onType(target.value);
          }}
          onBlur={onDone}
        />
        <span aria-hidden="true">{unit}</span>
      </span>
      <span id={`${id}-hint`} className={styles.hint}>
        {hint}
      </span>
      {fault === null ? null : (
        <span id={`${id}-fault`} className={styles.fault}>
          {fault}
        </span>
      )}
    </div>
  );
}
