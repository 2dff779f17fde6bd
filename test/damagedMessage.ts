import fc from 'fast-check';

/** Returns the bytes of a text of characters up to U+00FF, one each. */
export function latin1(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
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

/**
 * Invented messages with what `twoPatients` does not have: several orders, spot values of half an hour ago, devices, a
 * second time, a zone, all kinds of status, a patient who is named by MRN alone, and one by the bed.
 */
export const severalOrders = [
  'MSH|^~\\&|GATE|WARD|||20260501100001.5+0100||ORU^R01^ORU_R01|C-8|P|2.5|||||||8859/1',
  'PID|||A-100^^^HOSP^MR||Abel^Anna||19500101|F',
  'PV1||I|ICU^^B1',
  'OBR|1||||||20260501093000',
  'OBX|1|NM|150301^MDC_PRESS_CUFF_SYS^MDC|1.1.1.150301|118|266016^MDC_DIM_MMHG^MDC|||||F',
  'OBX|2|NM|150302^MDC_PRESS_CUFF_DIA^MDC|1.1.1.150302|76|266016^MDC_DIM_MMHG^MDC|||||F',
  'NTE|1||by hand',
  'OBR|2||||||20260501100000',
  'OBX|1|NM|149530^MDC_PULS_OXIM_PULS_RATE^MDC|1.2.1.149530|72|264864^MDC_DIM_BEAT_PER_MIN^MDC|||||R|||||||MON-1',
  'OBX|2|NM|150456^MDC_PULS_OXIM_SAT_O2^MDC|1.2.1.150456|94|262688^MDC_DIM_PERCENT^MDC||QUES|||P|||||||MON-1',
  'OBX|3|NM|151562^MDC_RESP_RATE^MDC|1.3.1.151562|14|264928^MDC_DIM_RESP_PER_MIN^MDC|||||C',
  'OBX|4|NM|147842^MDC_ECG_HEART_RATE^MDC|1.4.1.147842|""|264864^MDC_DIM_BEAT_PER_MIN^MDC|||||X',
  'PID|||B-200^^^HOSP^MR',
  'PV1||I|ICU^^B2',
  'OBR|3||||||20260501100000',
  'OBX|1|NM|0002-4822^Pulse (SpO2)^MDIL|0|65|0004-0aa0^bpm^MDIL|||||F|||20260501095500',
  'OBX|2|NM|0002-4182^HR^MDIL|0|64|0004-0aa0^bpm^MDIL|||||F||SETTING',
  'PID|||""^^^^MR||Cole^Cy||19700303|M',
  'PV1||I|ICU^^B3',
  'OBR|4||||||20260501100000',
  'OBX|1|NM|0002-f09c^SpO2T^MDIL|0|91|0004-0220^%^MDIL|||||F',
  'OBX|2|NM|0002-500a^RR^MDIL|0|21|0004-0ae0^rpm^MDIL|8-30||||F',
  '',
].join('\r');

/**
 * An invented message that leaves out what the answers about its sender say: types of numbers, OBX-11, units, the
 * character set, where a temperature is measured, whether 0 and 255 are rates, and what some texts mean.
 */
export const leftUnsaid = [
  'MSH|^~\\&|GATE|WARD|||20260501100001||ORU^R01^ORU_R01|C-9|P|2.4',
  'PID||B-200|A-100~77^^^HOSP^PI||Abel^Anna||19500101|F||||||||||A-100',
  'PV1||I|ICU^^B1',
  'OBR|1||||||20260501100000',
  'OBX|1|NM|150456^MDC_PULS_OXIM_SAT_O2^MDC|1|96',
  'OBX|2|NM|147842^MDC_ECG_HEART_RATE^MDC|1|0|/min',
  'OBX|3|NM|149530^MDC_PULS_OXIM_PULS_RATE^MDC|1|255',
  'OBX|4|NM|150344^MDC_TEMP^MDC|T1|37.1|Cel',
  'PID|||B-200^^^OTHER^MR||Berg^Bo||1960|M',
  'PV1||I|ICU^^B2',
  'OBR|2||||||20260501100000',
  'OBX|1|NM|150456^MDC_PULS_OXIM_SAT_O2^MDC|1|93|%',
  'OBX|2|NM|150344^MDC_TEMP^MDC|T2|98.4',
  'OBX|3|NM|151562^Atmung^MDC|1|15|/min',
  'OBX|4|NM|147842^HR left^MDC|1|61|bpm',
  'OBX|5|NM|150301^MDC_PRESS_CUFF_SYS^MDC|1|121|mm Quecksilber',
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

type Change = typeof changes extends fc.Arbitrary<infer List> ? List : never;

function damagedBy(list: Change, text: string): Uint8Array {
  let bytes = Buffer.from(text, 'latin1');
  for (const { how, at, byte, length } of list) {
    const place = Math.floor((at / 1_000_000) * bytes.length);
    const piece = bytes.subarray(place, place + length);
    const { lost, put } = {
      drop: { lost: 1, put: [] },
      change: { lost: 1, put: [Buffer.of(byte)] },
      insert: { lost: 0, put: [Buffer.of(byte)] },
      double: { lost: 0, put: [piece] },
      cut: { lost: length, put: [] },
    }[how];
    bytes = Buffer.concat([bytes.subarray(0, place), ...put, bytes.subarray(place + lost)]);
  }
  return new Uint8Array(bytes);
}

/** One to four damages of a message: bytes lost, changed, put in, and pieces doubled or cut out. */
export const damages: fc.Arbitrary<(text: string) => Uint8Array> = changes.map(
  (list) => (text) => damagedBy(list, text),
);

/** The bytes of `twoPatients` with one to four damages. */
export const damaged: fc.Arbitrary<Uint8Array> = damages.map((damage) => damage(twoPatients));

/** All messages with the same damages, because to choose damages takes longer than to read a message. */
export const allDamaged: fc.Arbitrary<Uint8Array[]> = damages.map((damage) =>
  [twoPatients, severalOrders, leftUnsaid].map(damage),
);
