import type { ComponentProps, ReactNode } from 'react';
import { Field } from './Field';
import { nativeControl } from './nativeControl';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  label: string;
  hint?: ReactNode;
  error?: string;
  isOptional?: boolean;
  value: string;
  onChange: (value: string) => void;
}

/**
 * A line of text: the browser's own input in antd's classes, for pages that are small because they need no more of antd
 * than its style sheet.
 */
export function TextField({ label, hint, error, isOptional, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional}>
      {(control) => (
        <input
          {...input}
          {...control}
          className={`${nativeControl} ${error === undefined ? '' : 'ant-input-status-error'}`}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
