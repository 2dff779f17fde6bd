import type { ComponentProps, ReactNode } from 'react';
import { Field } from './Field';
import { nativeControl } from './nativeControl';

interface SelectFieldProps<Value extends string> extends Omit<
  ComponentProps<'select'>,
  'onChange' | 'value' | 'children'
> {
  label: string;
  hint?: ReactNode;
  error?: string;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** The browser's own list of choices, which finds an entry by its first letters. */
export function SelectField<Value extends string>({
  label,
  hint,
  error,
  value,
  choices,
  onChange,
  ...select
}: SelectFieldProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select
          {...select}
          {...control}
          className={nativeControl}
          value={value}
          onChange={(event) => {
            const chosen = choices.find((choice) => choice.value === event.target.value);
            if (chosen !== undefined) {
              onChange(chosen.value);
            }
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
