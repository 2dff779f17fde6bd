import { useEffect, useRef, useState, type RefObject } from 'react';
import type { z } from 'zod';
import type { ApiFailure } from '../../lib/browser/client';
import { fieldErrors, focusFirstError, type FieldErrors } from '../ui/fieldErrors';

export interface FormFaults {
  form: RefObject<HTMLFormElement | null>;
  /** What is wrong, by field. */
  errors: FieldErrors;
  /** Why the server refused the last attempt. */
  failure: ApiFailure | null;
  /** Shows what is wrong before anything is sent. */
  mark: (errors: FieldErrors) => void;
  /** Takes the schema's result for what was typed. Returns the body, or null and shows each fault at its field. */
  validate: <Body>(parsed: z.ZodSafeParseResult<Body>) => Body | null;
  /** Takes the outcome of an attempt. Returns true if it was not refused. */
  settle: (failure: ApiFailure | null) => boolean;
}

/**
 * Holds what is wrong with a form: by the schema before it is sent, then by the server. Focus moves to the first field
 * with a fault.
 */
export function useFormFaults(): FormFaults {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  useEffect(() => {
    focusFirstError(form.current);
  }, [errors]);
  const mark = (found: FieldErrors): void => {
    setFailure(null);
    setErrors(found);
  };
  return {
    form,
    errors,
    failure,
    mark,
    validate: (parsed) => {
      mark(parsed.success ? {} : fieldErrors(parsed.error));
      return parsed.success ? parsed.data : null;
    },
    settle: (refused) => {
      setFailure(refused);
      setErrors(refused?.fields ?? {});
      return refused === null;
    },
  };
}
