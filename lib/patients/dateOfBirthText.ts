import { z } from 'zod';
import { parseDateOfBirth, type DateOrder } from '../time/parseDateOfBirth';

/** The field of a form into which a date of birth is typed; its value is the calendar date that is sent. */
export const dateOfBirthText = (order: DateOrder, today: string) =>
  z.string().transform((text, context) => {
    const parsed = parseDateOfBirth(text, order, today);
    if ('fault' in parsed) {
      context.addIssue({ code: 'custom', message: parsed.fault });
      return z.NEVER;
    }
    return parsed.date;
  });
