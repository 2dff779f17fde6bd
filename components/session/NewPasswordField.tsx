import { PasswordField } from '../ui/PasswordField';

interface NewPasswordFieldProps {
  label?: string;
  autoFocus?: boolean;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** The field for a new password, which must be long rather than complicated. */
export function NewPasswordField({ label = 'Password', ...field }: NewPasswordFieldProps) {
  return (
    <PasswordField
      {...field}
      label={label}
      name="password"
      hint="At least 15 characters. Four unrelated words are better than symbols and digits."
      autoComplete="new-password"
      required
    />
  );
}
