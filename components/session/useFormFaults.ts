import { useEffect, useRef, useState, type RefObject } from 'react';
import type { z } from 'zod';
import type { ApiFailure } from '../../lib/browser/client';
import { fieldErrors, focusFirstError, type FieldErrors } from '../ui/fieldErrors';

export interface FormFaults {
  form: RefObject<HTMLFormElement | null>;
  /** What is wrong at which field. */
  errors: FieldErrors;
  /** Why the server refused the last attempt. */
  failure: ApiFailure | null;
  /** Takes what the schema says of what was typed; returns the parsed body, or null with each fault at its field. */
  judge: <Body>(parsed: z.ZodSafeParseResult<Body>) => Body | null;
  /** Takes the outcome of an attempt; true where it was not refused. */
  settle: (failure: ApiFailure | null) => boolean;
}

/**
 * What is wrong with a form: judged before it is sent, then by the server. The keyboard moves to the first field that
 * is wrong.
 */
export function useFormFaults(): FormFaults {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  useEffect(() => {
    focusFirstError(form.current);
  }, [errors]);
  return {
    form,
    errors,
    failure,
    judge: (parsed) => {
      setFailure(null);
      setErrors(parsed.success ? {} : fieldErrors(parsed.error));
      return parsed.success ? parsed.data : null;
    },
    settle: (refused) => {
      setFailure(refused);
      setErrors(refused?.fields ?? {});
      return refused === null;
    },
  };
}
