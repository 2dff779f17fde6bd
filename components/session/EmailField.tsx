import type { ComponentProps } from 'react';
import { TextField } from '../ui/TextField';

/** The address with which a user signs in; `readOnly` if it is settled. */
export function EmailField(field: Omit<ComponentProps<typeof TextField>, 'label'>) {
  const { readOnly = false } = field;
  return <TextField {...field} label="E-mail" name="email" type="email" autoComplete="username" required={!readOnly} />;
}
