import { z } from 'zod';

/**
 * One line of text as people type it, at most `max` characters: trimmed, in Unicode's composed form. Rejects control
 * characters and half characters (lone surrogates), because the two engines store them differently or not at all.
 */
export const line = (max: number, ifEmpty = 'is empty') =>
  z
    .string()
    .max(max * 4)
    .transform((text) => text.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .min(1, ifEmpty)
        .max(max, `is longer than ${max} characters`)
        .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'holds a control character'),
    );
