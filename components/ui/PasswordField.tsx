import type { ReactNode } from 'react';
import { Field } from './Field';
import { PasswordInput, type PasswordInputProps } from './PasswordInput';

interface PasswordFieldProps extends PasswordInputProps {
  label: string;
  hint?: ReactNode;
  error?: string;
}

/** A password under its label, with its error right below it. */
export function PasswordField({ label, hint, error, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <PasswordInput {...input} {...control} />}
    </Field>
  );
}
