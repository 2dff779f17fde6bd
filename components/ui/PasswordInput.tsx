import { useState, type ComponentProps } from 'react';
import { nativeControl } from './nativeControl';
import styles from './PasswordInput.module.css';

export interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'type'> {
  /** Left to the form in a `FormField`. */
  value?: string;
  onChange?: (value: string) => void;
}

/** A password that can be looked at while it is typed, by keyboard too, so that no one has to type it twice. */
export function PasswordInput({ onChange, 'aria-invalid': isInvalid, ...input }: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className={styles.row}>
      <input
        {...input}
        aria-invalid={isInvalid}
        type={isShown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        className={`${nativeControl} ${isInvalid === true || isInvalid === 'true' ? 'ant-input-status-error' : ''}`}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <button type="button" className={styles.show} onClick={() => setIsShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
        <span className="visually-hidden"> password</span>
      </button>
    </div>
  );
}
