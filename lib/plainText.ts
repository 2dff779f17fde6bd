/**
 * Text on several lines that both engines store as it is: PostgreSQL refuses NUL, and half a character (a lone
 * surrogate) comes back as another one.
 */
export const plainText = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u;

/** Returns one line of text, as `line` takes it: tabs and breaks of a paste become spaces. */
export function toPlainLine(text: string): string {
  // Nearly every text is one of printable ASCII, and each value of a message has some.
  return /^[ -~]*$/.test(text)
    ? text
    : toPlainText(text)
        .replaceAll(/[\n\r\t\u2028\u2029]/g, ' ')
        .replaceAll(/\p{Bidi_Control}/gu, '');
}

/** Returns a text without the characters that `plainText` refuses; a paste can bring them along. */
export function toPlainText(text: string): string {
  return text.replaceAll(/(?![\n\r\t])[\p{Cc}\p{Cs}]/gu, '');
}
