import type { z } from 'zod';

/** The error of each field that has one, by the field's path as the server writes it ("location.unit"). */
export type FieldErrors = Readonly<Record<string, string>>;

/** Returns the first error of each field of a refused form. */
export function fieldErrors(problem: z.ZodError): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { path, message, code } of problem.issues) {
    // zod's own words for a choice that was not made name types and values.
    const isUnchosen = code === 'invalid_value' || (code === 'invalid_type' && message.endsWith('received undefined'));
    errors[path.join('.')] ??= isUnchosen ? 'is not chosen' : message;
  }
  return errors;
}

/** Moves the keyboard to the first control of a form that has an error; call it after the errors are rendered. */
export function focusFirstError(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
