import type { z } from 'zod';

/** What is wrong with which field, by the field's path as the server writes it ("location.unit"). */
export type FieldErrors = Readonly<Record<string, string>>;

/** The first fault of each field of a refused form. */
export function fieldErrors(problem: z.ZodError): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { path, message } of problem.issues) {
    errors[path.join('.')] ??= message;
  }
  return errors;
}

/** Moves the keyboard to the first control of a form that has an error; call it once the errors are drawn. */
export function focusFirstError(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
