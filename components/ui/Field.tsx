import { useId, type ReactNode } from 'react';
import styles from './Field.module.css';

/** The attributes of a control inside a field, so that its label, hint and error are read out with it. */
export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string;
  isOptional?: boolean;
  children: (control: FieldControl) => ReactNode;
}

/** A control under its label, with its error right below it. */
export function Field({ label, hint, error, isOptional = false, children }: FieldProps) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].filter(
    (part) => part !== '',
  );
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {label}
        {isOptional ? <span className={styles.optional}> (optional)</span> : null}
      </label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': error !== undefined,
      })}
      {hint === undefined ? null : (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
      {error === undefined ? null : (
        <div id={`${id}-error`} className={styles.error}>
          {label} {error}
        </div>
      )}
    </div>
  );
}
