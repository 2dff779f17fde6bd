/** How the text of a message is written in bytes. */
export interface Charset {
  /** Never throws; a byte that means nothing in this set becomes U+FFFD. */
  decode: (bytes: Uint8Array) => string;
  /** A character that the set does not have becomes "?". */
  encode: (text: string) => Uint8Array;
}

const unknownCharacter = '\ufffd';

const utf8: Charset = {
  // ignoreBOM keeps a byte order mark, so that no byte is lost without a trace.
  decode: (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  encode: (text) => new TextEncoder().encode(text),
};

/**
 * The names of HL7's table 0211 that we read, and what web browsers call them. All hold ASCII in one byte each, so
 * that delimiters are found without them. UTF-16, ISO 2022 and the multi-byte sets of Asia are not read.
 */
const labels = new Map([
  ['8859/1', 'iso-8859-1'],
  ['8859/2', 'iso-8859-2'],
  ['8859/3', 'iso-8859-3'],
  ['8859/4', 'iso-8859-4'],
  ['8859/5', 'iso-8859-5'],
  ['8859/7', 'iso-8859-7'],
  ['8859/9', 'iso-8859-9'],
  ['8859/15', 'iso-8859-15'],
]);

const made = new Map<string, Charset>();

/** A control character above 0x7f is no part of a text: the byte is from another set. */
const controls = /[\u0080-\u009f]/g;

/** Builds the way back from what the platform's decoder says of each of the 256 bytes. */
function createSingleByte(label: string): Charset {
  const decode = (bytes: Uint8Array): string =>
    new TextDecoder(label).decode(bytes).replaceAll(controls, unknownCharacter);
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decode(Uint8Array.of(byte)), byte]));
  byteOf.delete(unknownCharacter);
  const questionMark = 0x3f;
  return {
    decode,
    encode: (text) => Uint8Array.from([...text], (character) => byteOf.get(character) ?? questionMark),
  };
}

/**
 * Returns the character set that MSH-18 names, or null if it is one that we do not read. Without a name, and for
 * ASCII, it is UTF-8: a text that is only ASCII is the same, a text that is valid UTF-8 is nearly never anything else,
 * and a byte of any other set becomes U+FFFD, never a letter that looks right.
 */
export function charsetOf(name: string): Charset | null {
  const known = name.trim().toUpperCase();
  if (known === '' || known === 'ASCII' || known === 'UNICODE UTF-8' || known === 'UTF-8') {
    return utf8;
  }
  const label = labels.get(known);
  if (label === undefined) {
    return null;
  }
  const charset = made.get(label) ?? createSingleByte(label);
  made.set(label, charset);
  return charset;
}
