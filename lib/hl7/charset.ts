/** How the text of a message is written in bytes. */
export interface Charset {
  /** Never throws; a byte that means nothing in this set becomes U+FFFD. */
  decode: (bytes: Uint8Array) => string;
  /** Returns whether a decoded text had bytes of another set, which may have made separators or hidden them. */
  isMisread: (text: string) => boolean;
  /** As `asciiBytes`, where a part of a character may be a byte of ASCII. */
  asciiIn?: (bytes: Uint8Array) => string;
}

const unknownCharacter = '\ufffd';
const escape = '\u001b';
/** SO, SI and ESC switch between sets in ISO 2022. */
const switches = ['\u000e', '\u000f', escape];

/** Makes a character of each byte, above ASCII of those above it. */
const singleBytes = new TextDecoder('iso-8859-1');

/** Returns one character for each byte: its own if it is one of ASCII, U+FFFD for a part of anything else. */
export function asciiBytes(bytes: Uint8Array): string {
  return singleBytes.decode(bytes).replaceAll(/[\u0080-\uffff]/g, unknownCharacter);
}

/** Where a byte above ASCII is never part of a separator, only a switch to a set of two bytes does harm. */
const isSwitched = (text: string): boolean => text.includes(`${escape}$`);

// ignoreBOM keeps a byte order mark, so that no byte is lost without a trace.
const decoderOf = (label: string): TextDecoder => new TextDecoder(label, { ignoreBOM: true });

export const utf8: Charset = {
  decode: (bytes) => decoderOf('utf-8').decode(bytes),
  isMisread: isSwitched,
};

/**
 * Returns a part of ISO 8859. The platform reads 1 and 9 as sets of Windows, with letters at 0x80 to 0x9f. These bytes
 * are controls in ISO 8859, no part of a text: the byte is from another set.
 */
function createSingleByte(part: string): Charset {
  const from = 0xa0;
  const high = Uint8Array.from({ length: 0x100 - from }, (_, index) => from + index);
  const characters = new TextDecoder(`iso-8859-${part}`).decode(high);
  return {
    decode: (bytes) =>
      singleBytes
        .decode(bytes)
        .replaceAll(/[\u0080-\uffff]/g, (byte) => characters[byte.charCodeAt(0) - from] ?? unknownCharacter),
    isMisread: isSwitched,
  };
}

/**
 * Returns a set whose characters have several bytes: of a damaged one, no one knows what was a separator after it.
 * `labelOf` returns the platform's name of the set that the bytes are in.
 */
function createMultiByte(labelOf: (bytes: Uint8Array) => string): Charset {
  return {
    decode: (bytes) => decoderOf(labelOf(bytes)).decode(bytes),
    isMisread: (text) => /[\u0080-\u009f\ufffd]/.test(text) || switches.some((one) => text.includes(one)),
    asciiIn: (bytes) => {
      const decoder = decoderOf(labelOf(bytes));
      return Array.from(bytes, (byte) => {
        // A damaged character comes with the first byte that cannot be its end.
        const last = decoder.decode(Uint8Array.of(byte), { stream: true }).at(-1);
        return byte < 0x80 && last === String.fromCharCode(byte) ? last : unknownCharacter;
      }).join('');
    },
  };
}

const ofPlatform = (label: string): Charset => createMultiByte(() => label);

/** Japan switches between ASCII and its sets by ISO 2022. What never switches may be UTF-8 all the same. */
const japanese = createMultiByte((bytes) => (bytes.includes(escape.charCodeAt(0)) ? 'iso-2022-jp' : 'utf-8'));

/** HL7's table 0211 without blanks and hyphens, but for ISO 8859. All that the platform has of it, but for UTF-16. */
const named = new Map<string, Charset>([
  ...['', 'ASCII', 'ISOIR6', 'UNICODE', 'UNICODEUTF8', 'UTF8'].map((name) => [name, utf8] as const),
  ...['ISOIR14', 'ISOIR87', 'ISOIR159', 'JISX0202', 'JAS2020'].map((name) => [name, japanese] as const),
  ...['GB18030', 'GB180302000'].map((name) => [name, ofPlatform('gb18030')] as const),
  ['BIG5', ofPlatform('big5')],
  ['KSX1001', ofPlatform('euc-kr')],
]);
const parts = new Map(
  ['1', '2', '3', '4', '5', '6', '7', '8', '9', '15'].map((part) => [part, createSingleByte(part)]),
);

/**
 * Returns the character set that MSH-18 names, by its repetitions, or null if it is one that we do not read. Without a
 * name, and for ASCII, it is UTF-8: a text that is only ASCII is the same, a text that is valid UTF-8 is nearly never
 * anything else, and a byte of any other set becomes U+FFFD, never a letter that looks right. The repetitions after the
 * first are sets that the text may switch to: those of Japan are read beside ASCII.
 */
export function charsetOf(names: readonly string[]): Charset | null {
  const [first = utf8, ...others] = names.map((name) => {
    const known = name.trim().toUpperCase();
    const [, part] = /^(?:ISO[ _-]?)?8859[/-](\d+)$/.exec(known) ?? [];
    return (part === undefined ? named.get(known.replaceAll(/[ _-]/g, '')) : parts.get(part)) ?? null;
  });
  return first === utf8 && others.includes(japanese) ? japanese : first;
}

/** Returns each set in which a byte above ASCII, or after a switch, may look like a separator. */
export const multiByteSets: readonly Charset[] = [...new Set(named.values())].filter((set) => set !== utf8);
