/** A longer name is no machine's. */
const longestName = 1_000;

/** Usual names for the types of parts, by their DER. Others are shown as hexadecimal digits. */
const partNames: Record<string, string> = {
  '550403': 'CN',
  '550405': 'serialNumber',
  '550406': 'C',
  '550407': 'L',
  '550408': 'ST',
  '55040a': 'O',
  '55040b': 'OU',
  '0992268993f22c640101': 'UID',
  '0992268993f22c640119': 'DC',
  '2a864886f70d010901': 'emailAddress',
};

const tags = { utf8: 0x0c, numeric: 0x12, printable: 0x13, ia5: 0x16, visible: 0x1a, version: 0xa0 } as const;
const asciiTags: readonly number[] = [tags.numeric, tags.printable, tags.ia5, tags.visible];

interface Item {
  tag: number;
  content: Uint8Array;
  whole: Uint8Array;
}

/**
 * Returns the subject of a certificate (DER) as one line of ASCII, its last part first: "CN=gateway, O=Hospital". A
 * renewed certificate of the same subject has the same line, whatever types its texts have. No two other subjects have
 * one line, nor lines that look alike: all but plain letters, digits and marks is written as the digits of its bytes
 * ("\C3\BC"), and a value that is no usual text as those of its DER ("#0302..."). Null: it has no subject, one that is
 * too long, or one that cannot be read.
 */
export function certificateName(der: Uint8Array): string | null {
  const certificate = itemsIn(der)?.[0];
  const signed = certificate === undefined ? undefined : itemsIn(certificate.content)?.[0];
  const fields = signed === undefined ? null : itemsIn(signed.content);
  // The version, which the first certificates did not have, then number, algorithm, issuer, validity and subject.
  const subject = fields?.[fields[0]?.tag === tags.version ? 5 : 4];
  const parts = subject === undefined ? null : itemsIn(subject.content);
  const lines = parts?.map(partText);
  if (lines === undefined || lines.length === 0 || lines.includes(null)) {
    return null;
  }
  const name = lines.reverse().join(', ');
  return name.length > longestName ? null : name;
}

/** A part may be several pairs of a type and a value at once. */
function partText({ content }: Item): string | null {
  const pairs = itemsIn(content)?.map((pair) => {
    const [type, value, ...more] = itemsIn(pair.content) ?? [];
    return type === undefined || value === undefined || more.length > 0
      ? null
      : `${typeText(hexOf(type.content))}=${valueText(value)}`;
  });
  return pairs === undefined || pairs.length === 0 || pairs.includes(null) ? null : pairs.join(' + ');
}

const typeText = (hex: string): string => (Object.hasOwn(partNames, hex) ? (partNames[hex] ?? hex) : `#${hex}`);

function valueText({ tag, content, whole }: Item): string {
  const isText = tag === tags.utf8 || (asciiTags.includes(tag) && content.every((byte) => byte < 0x80));
  return isText ? escapeText(content) : `#${hexOf(whole)}`;
}

const isPlain = /^[\w .:@/()*'!?&%$-]$/;

function escapeText(bytes: Uint8Array): string {
  return [...bytes]
    .map((byte, index) => {
      const sign = String.fromCharCode(byte);
      // Spaces at an end, or in a row, would look like fewer.
      const isLost = sign === ' ' && (index === 0 || index === bytes.length - 1 || bytes[index - 1] === byte);
      return isPlain.test(sign) && !isLost ? sign : `\\${hexOf(Uint8Array.of(byte)).toUpperCase()}`;
    })
    .join('');
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Returns the items of DER one after another, or null if the bytes are none. */
function itemsIn(bytes: Uint8Array): Item[] | null {
  const items: Item[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [tag, first] = [bytes[at], bytes[at + 1]];
    if (tag === undefined || first === undefined) {
      return null;
    }
    const more = first < 0x80 ? 0 : first - 0x80;
    if (first === 0x80 || more > 4) {
      return null;
    }
    const start = at + 2 + more;
    const length = more === 0 ? first : Number(`0x${hexOf(bytes.subarray(at + 2, start))}`);
    if (start + length > bytes.length) {
      return null;
    }
    items.push({ tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length) });
    at = start + length;
  }
  return items;
}
