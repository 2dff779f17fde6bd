import { useState, type ComponentProps, type ReactNode } from 'react';
import { Field } from './Field';
import styles from './PasswordField.module.css';
import { nativeControl } from './nativeControl';

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'type'> {
  label: string;
  hint?: ReactNode;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** A password that can be looked at while it is typed, so that nobody need type it twice. */
export function PasswordField({ label, hint, error, onChange, ...input }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error}>
      {(described) => (
        <div className={styles.row}>
          <input
            {...input}
            {...described}
            type={isShown ? 'text' : 'password'}
            spellCheck={false}
            autoCapitalize="none"
            className={`${nativeControl} ${error === undefined ? '' : 'ant-input-status-error'}`}
            onChange={(event) => {
              onChange(event.target.value);
            }}
          />
          <button
            type="button"
            className={styles.show}
            onClick={() => {
              setIsShown(!isShown);
            }}
          >
            {isShown ? 'Hide' : 'Show'}
            <span className="visually-hidden"> password</span>
          </button>
        </div>
      )}
    </Field>
  );
}
