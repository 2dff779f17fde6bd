import type { Charset } from './charset';
import type { Delimiters } from './header';

/** Unknown sequences stay as they are, so no text is lost and no identifier gets shorter. */
const formatting = new Map([
  ['H', ''],
  ['N', ''],
  ['.br', '\n'],
]);

/**
 * Returns a text without its escapes: the delimiters (F, S, T, R, E), hexadecimal bytes (X) in the message's character
 * set, emphasis (H, N) and line breaks (.br). Other sequences, and an escape sign without its partner, stay as they
 * are.
 */
export function unescapeText(text: string, delimiters: Delimiters, charset: Charset): string {
  const { escape } = delimiters;
  if (!text.includes(escape)) {
    return text;
  }
  const parts: string[] = [];
  let place = 0;
  while (place < text.length) {
    const open = text.indexOf(escape, place);
    const close = open === -1 ? -1 : text.indexOf(escape, open + 1);
    if (close === -1) {
      break;
    }
    parts.push(text.slice(place, open));
    const sequence = text.slice(open + 1, close);
    const plain = plainOf(sequence, delimiters, charset);
    if (plain === null) {
      // The second sign may open a sequence of its own.
      parts.push(text.slice(open, close));
      place = close;
    } else {
      parts.push(plain);
      place = close + 1;
    }
  }
  parts.push(text.slice(place));
  return parts.join('');
}

function plainOf(sequence: string, delimiters: Delimiters, charset: Charset): string | null {
  switch (sequence) {
    case 'F':
      return delimiters.field;
    case 'S':
      return delimiters.component;
    case 'T':
      return delimiters.subcomponent;
    case 'R':
      return delimiters.repetition;
    case 'E':
      return delimiters.escape;
    default:
      return /^X(?:[0-9A-Fa-f]{2})+$/.test(sequence)
        ? charset.decode(
            Uint8Array.from({ length: (sequence.length - 1) / 2 }, (_, index) =>
              Number.parseInt(sequence.slice(1 + 2 * index, 3 + 2 * index), 16),
            ),
          )
        : (formatting.get(sequence) ?? null);
  }
}

/**
 * Returns a text as it may be written into a field: delimiters and control characters as escapes, so that no value can
 * begin a field, a segment or a frame.
 */
export function escapeText(text: string, delimiters: Delimiters): string {
  const { field, component, subcomponent, repetition, escape } = delimiters;
  const signs = [field, component, subcomponent, repetition, escape];
  if (!signs.some((sign) => text.includes(sign)) && !/\p{Cc}/u.test(text)) {
    return text;
  }
  const names = new Map([
    [field, 'F'],
    [component, 'S'],
    [subcomponent, 'T'],
    [repetition, 'R'],
    [escape, 'E'],
  ]);
  const parts: string[] = [];
  for (const character of text) {
    const code = character.charCodeAt(0);
    const name = names.get(character);
    if (name !== undefined) {
      parts.push(`${escape}${name}${escape}`);
    } else if (code < 0x20 || code === 0x7f) {
      parts.push(`${escape}X${code.toString(16).toUpperCase().padStart(2, '0')}${escape}`);
    } else {
      parts.push(character);
    }
  }
  return parts.join('');
}
