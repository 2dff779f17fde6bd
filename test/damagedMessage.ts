import fc from 'fast-check';

/** Returns the bytes of a text of characters up to U+00FF, one each. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** An invented message of two patients, with both vendors' codes. */
export const twoPatients = [
  'MSH|^~\\&|GATE|WARD|||20260501100001||ORU^R01^ORU_R01|C-7|P|2.5|||||||8859/1',
  'PID|||A-100^^^HOSP^MR||Abel^Anna||19500101|F',
  'PV1||I|ICU^^B1',
  'OBR|1||||||20260501100000',
  'OBX|1|NM|150456^MDC_PULS_OXIM_SAT_O2^MDC|1.1.1.150456|97|262688^MDC_DIM_PERCENT^MDC|||||F',
  'OBX|2|NM|147842^MDC_ECG_HEART_RATE^MDC|1.2.1.147842|80|264864^MDC_DIM_BEAT_PER_MIN^MDC|||||F',
  'PID|||B-200^^^HOSP^MR||Berg^Bo||19600202|M',
  'PV1||I|ICU^^B2',
  'OBR|2||||||20260501100000',
  'OBX|1|NM|0002-4bb8^SpO2^MDIL|0|86|0004-0220^%^MDIL|||||F',
  'OBX|2|NM|0002-4a05^NBPs^MDIL|0|120|0004-0f20^mmHg^MDIL|||||F|||20260501095500',
  '',
].join('\r');

const changes = fc.array(
  fc.record({
    how: fc.constantFrom('drop', 'change', 'insert', 'double', 'cut'),
    // As likely at each byte: half of the numbers that a double can be are so small that they mean the first one.
    at: fc.noBias(fc.nat({ max: 999_999 })),
    byte: fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(...[...'\r\n|^~\\&"0123456789'].map((c) => c.charCodeAt(0)))),
    length: fc.nat({ max: 60 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** The bytes of `twoPatients` with one to four damages: bytes lost, changed, put in, and pieces doubled or cut out. */
export const damaged: fc.Arbitrary<Uint8Array> = changes.map((list) => {
  let bytes = [...latin1(twoPatients)];
  for (const { how, at, byte, length } of list) {
    const place = Math.floor((at / 1_000_000) * bytes.length);
    switch (how) {
      case 'drop':
        bytes.splice(place, 1);
        break;
      case 'change':
        bytes[place] = byte;
        break;
      case 'insert':
        bytes.splice(place, 0, byte);
        break;
      case 'double':
        bytes.splice(place, 0, ...bytes.slice(place, place + length));
        break;
      case 'cut':
        bytes.splice(place, length);
        break;
      default:
        bytes = [];
    }
  }
  return Uint8Array.from(bytes);
});
