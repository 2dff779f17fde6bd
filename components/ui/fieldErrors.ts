import type { z } from 'zod';

/** The error of each field that has one, by the field's path as the server writes it ("location.unit"). */
export type FieldErrors = Readonly<Record<string, string>>;

/** Returns the first error of each field of a refused form. */
export function fieldErrors(problem: z.ZodError): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { path, message } of problem.issues) {
    errors[path.join('.')] ??= message;
  }
  return errors;
}

/** Moves the keyboard to the first control of a form that has an error; call it after the errors are rendered. */
export function focusFirstError(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
