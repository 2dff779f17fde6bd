import { z } from 'zod';

/**
 * One line of text as people type it, at most `max` characters: trimmed, in Unicode's composed form. Rejects control
 * characters and half characters (lone surrogates), because the two engines store them differently or not at all, and
 * those that turn the direction of the text around them. `ifEmpty` is null where it may be empty.
 */
export const line = (max: number, ifEmpty: string | null = 'is empty') =>
  z
    .string()
    .max(max * 4)
    .transform((text) => text.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .min(ifEmpty === null ? 0 : 1, ifEmpty ?? '')
        .max(max, `is longer than ${max} characters`)
        .regex(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]*$/u, 'holds a control character'),
    );
