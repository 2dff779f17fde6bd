/** The five characters that give a message its structure, from MSH-1 and MSH-2. */
export interface Delimiters {
  field: string;
  component: string;
  repetition: string;
  escape: string;
  subcomponent: string;
}

export const usualDelimiters: Delimiters = {
  field: '|',
  component: '^',
  repetition: '~',
  escape: '\\',
  subcomponent: '&',
};

/** MSH. A field that is absent, empty or `""` is an empty text: for a header they mean the same. */
export interface Header {
  delimiters: Delimiters;
  /** MSH-2 as it was sent, because an answer repeats it. */
  encodingCharacters: string;
  /** MSH-3 to MSH-6 are whole and as they were sent, escapes and components included: they say who sends. */
  sendingApplication: string;
  sendingFacility: string;
  receivingApplication: string;
  receivingFacility: string;
  /** MSH-7 as it was sent; `parseTime` reads it. */
  time: string;
  /** MSH-9: code ORU, trigger R01. */
  type: { code: string; trigger: string };
  /** MSH-10, whole and as it was sent, because an answer repeats it. */
  controlId: string;
  /** MSH-11: P, T or D. */
  processingId: string;
  version: string;
  /** MSH-15 and MSH-16: AL, NE, ER, SU or nothing. */
  acceptAck: string;
  applicationAck: string;
}

const isDelimiter = (character: string): boolean => /^[!-/:-@[-`{-~]$/.test(character) && character !== '"';

/**
 * Returns the delimiters of a line that begins with MSH, or null if MSH-1 and MSH-2 are not four or five different
 * signs. The fifth of version 2.7 marks cut texts and gives no structure. A shorter MSH-2 is refused: a byte was lost,
 * and any guess would read other fields.
 */
export function readDelimiters(line: string): { delimiters: Delimiters; encodingCharacters: string } | null {
  const field = line[3];
  if (!line.startsWith('MSH') || field === undefined) {
    return null;
  }
  const end = line.slice(4, 10).indexOf(field);
  const encodingCharacters = end === -1 ? line.slice(4) : line.slice(4, 4 + end);
  const [component, repetition, escape, subcomponent, ...more] = encodingCharacters.slice(0, 6);
  const all = [field, ...encodingCharacters.slice(0, 6)];
  if (
    component === undefined ||
    repetition === undefined ||
    escape === undefined ||
    subcomponent === undefined ||
    more.length > 1 ||
    !all.every(isDelimiter) ||
    new Set(all).size !== all.length
  ) {
    return null;
  }
  return { delimiters: { field, component, repetition, escape, subcomponent }, encodingCharacters };
}
