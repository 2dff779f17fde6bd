import { Hl7Message } from '@medplum/core';
import fc from 'fast-check';
import { fuzzRuns } from '../../test/fuzzRuns';
import { damaged, latin1 } from '../../test/damagedMessage';
import { parseMessage, repetitionsAt, textAt, type Message } from './parseMessage';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const head = 'MSH|^~\\&|GATE|WARD|WL|HOSP|20260501100000||ORU^R01^ORU_R01|C-1|P|2.5|||AL|NE||8859/1\r';

function parsed(bytes: Uint8Array): Message {
  const result = parseMessage(bytes);
  if (!result.ok) {
    throw new Error(result.reason);
  }
  return result.message;
}
const valueOf = (pid: string, field: number, component = 1, bytes = latin1): string | null | undefined => {
  const message = parsed(bytes(`${head}${pid}\r`));
  const [, segment] = message.segments;
  return segment === undefined ? undefined : textAt(message, segment, field, { component });
};

describe('parseMessage', () => {
  it.each([
    ['', 'not_hl7'],
    ['\r\n', 'not_hl7'],
    ['GET / HTTP/1.1\r\n', 'not_hl7'],
    ['PID|1\rMSH|^~\\&|', 'not_hl7'],
    ['FHS|^~\\&|\rMSH|^~\\&|', 'not_hl7'],
    ['MSH', 'delimiters'],
    ['MSH|^~&|GATE', 'delimiters'],
    ['MSH|^^\\&|GATE', 'delimiters'],
    ['MSH|^~\\|GATE', 'delimiters'],
    ['MSHA^~\\&AGATE', 'delimiters'],
    ['MSH|^~\\&#$|GATE', 'delimiters'],
    [head.replace('8859/1', 'UNICODE'), 'charset'],
    [head.replace('8859/1', 'ISO IR87'), 'charset'],
    [`${head}PID|1\r${head}PID|2\r`, 'two_messages'],
  ])('refuses %j as %s', (text, reason) => {
    expect(parseMessage(latin1(text))).toMatchObject({ ok: false, reason });
  });

  it('keeps the header of a message that it refuses, for the answer', () => {
    expect(parseMessage(latin1(head.replace('8859/1', 'GB 18030-2000')))).toMatchObject({
      header: { controlId: 'C-1', version: '2.5', charset: 'GB 18030-2000' },
    });
  });

  it('reads the header', () => {
    expect(parsed(latin1(head)).header).toEqual({
      delimiters: { field: '|', component: '^', repetition: '~', escape: '\\', subcomponent: '&' },
      encodingCharacters: '^~\\&',
      sendingApplication: 'GATE',
      sendingFacility: 'WARD',
      receivingApplication: 'WL',
      receivingFacility: 'HOSP',
      time: '20260501100000',
      type: { code: 'ORU', trigger: 'R01' },
      controlId: 'C-1',
      processingId: 'P',
      version: '2.5',
      acceptAck: 'AL',
      applicationAck: 'NE',
      charset: '8859/1',
    });
  });

  it('takes other delimiters, and the fifth of version 2.7', () => {
    const message = parsed(latin1('MSH$!*%@#$GATE\rPID$$$12!!!H@1.2@ISO!MR*13\r'));
    const pid = message.segments[1];
    expect(pid && repetitionsAt(message, pid, 3)).toEqual([['12', '', '', 'H@1.2@ISO', 'MR'], ['13']]);
  });

  it.each(['\r', '\n', '\r\n'])('takes %j between segments, and keeps a tail apart', (end) => {
    const { segments } = parsed(latin1(`${head.trim()}${end}PID|1${end}OBX|1${end}^\\`));
    expect(segments.map(({ name, line }) => [name, line])).toEqual([
      ['MSH', 1],
      ['PID', 2],
      ['OBX', 3],
      [null, 4],
    ]);
  });

  it.each([
    ['absent', 'PID|1', undefined],
    ['empty', 'PID|1||', ''],
    ['explicitly nothing', 'PID|1||""', null],
    ['an empty component', 'PID|1||^A', ''],
    ['a component that is explicitly nothing', 'PID|1||""^^^^MR', null],
    ['a value', 'PID|1||12', '12'],
  ])('tells %s from the others', (_name, pid, expected) => {
    expect(valueOf(pid, 3)).toBe(expected);
  });

  it.each([
    ['\\F\\\\S\\\\T\\\\R\\\\E\\', '|^&~\\'],
    ['A\\X41E9\\', 'AA\u00e9'],
    ['a\\.br\\b\\H\\c\\N\\', 'a\nbc'],
    ['unknown \\Q\\ and \\C2842\\ stay', 'unknown \\Q\\ and \\C2842\\ stay'],
    ['open \\', 'open \\'],
    ['\\Q\\F\\', '\\Q|'],
    ['\\XZZ\\', '\\XZZ\\'],
  ])('reads the escapes of %j', (text, expected) => {
    expect(valueOf(`PID|||||${text}`, 5)).toBe(expected);
  });

  it.each([
    ['8859/1', Uint8Array.of(0xe9), '\u00e9'],
    ['8859/15', Uint8Array.of(0xa4), '\u20ac'],
    ['8859/2', Uint8Array.of(0xb1), '\u0105'],
    ['UNICODE UTF-8', Uint8Array.of(0xc3, 0xa9), '\u00e9'],
    ['', Uint8Array.of(0xc3, 0xa9), '\u00e9'],
    // What is not of the set never looks like a name.
    ['UNICODE UTF-8', Uint8Array.of(0xe9), '\ufffd'],
    ['', Uint8Array.of(0xe9), '\ufffd'],
    ['ASCII', Uint8Array.of(0xe9), '\ufffd'],
    ['8859/1', Uint8Array.of(0x81), '\ufffd'],
  ])('decodes by MSH-18 %j', (charset, name, expected) => {
    const before = latin1(`${head.replace('8859/1', charset)}PID|||||`);
    const message = parsed(Uint8Array.from([...before, ...name, 0x0d]));
    expect(message.segments[1]?.fields[5]).toBe(expected);
  });

  it('is not fooled by names that objects have', () => {
    const message = parsed(latin1(`${head}PID|__proto__|constructor\r__proto__|1\r`));
    expect(message.segments.map(({ name }) => name)).toEqual(['MSH', 'PID', null]);
    expect(message.segments[1]?.fields).toEqual(['PID', '__proto__', 'constructor']);
  });

  it('reads what an independent parser reads', () => {
    const part = fc.string({ unit: fc.constantFrom('A', 'b', '7', ' ', '.', '"', '\u00e9', '\u0105'), maxLength: 4 });
    const field = fc
      .array(fc.array(fc.array(part, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 3,
      })
      .map((list) => list.map((components) => components.map((subs) => subs.join('&')).join('^')).join('~'));
    const segment = fc
      .tuple(fc.constantFrom('PID', 'PV1', 'OBR', 'OBX', 'ZX1'), fc.array(field, { maxLength: 8 }))
      .map(([name, fields]) => [name, ...fields].join('|'));
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 8 }), fc.constantFrom('\r', '\r\n'), (lines, end) => {
        const text = [head.trim().replace('8859/1', 'UNICODE UTF-8'), ...lines].join(end);
        const message = parsed(utf8(text + end));
        const oracle = Hl7Message.parse(text);
        const expected = oracle.segments.map((one) => one.fields.map((fieldOf) => fieldOf.toString()));
        expect(message.segments.slice(1).map(({ fields }) => [...fields])).toEqual(expected.slice(1));
        for (const [index, one] of message.segments.entries()) {
          // Its MSH counts from another number.
          for (const number of one.name === 'MSH' ? [] : one.fields.keys()) {
            const read = textAt(message, one, number, { repetition: 2, component: 2, subcomponent: 2 });
            const other = oracle.segments[index]?.getField(number).components[1]?.[1];
            // The oracle does not know `""`.
            const isNothing = one.fields[number] === '""' || other?.split('&')[1] === '""';
            expect(read).toBe(isNothing ? null : other?.split('&')[1]);
          }
        }
      }),
      fuzzRuns,
    );
  });

  it('gives one of its results for any bytes, and a message for any damage that leaves MSH whole', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), (bytes) => {
        const result = parseMessage(bytes);
        const reasons = ['message', 'not_hl7', 'delimiters', 'charset', 'two_messages'];
        expect(reasons).toContain(result.ok ? 'message' : result.reason);
        const message = result.ok ? result.message : null;
        expect(message?.segments.map(({ fields }) => fields.length > 0) ?? []).not.toContain(false);
      }),
      fuzzRuns,
    );
  });

  it.each(['\r', '|', '^', '~', '\\', '&', '\\Q', 'A', '\r\n', 'PID|', '\\X41\\'])(
    'takes time linear in 1 MB of %j',
    (piece) => {
      const bytes = latin1(head + piece.repeat(1_000_000 / piece.length));
      const started = performance.now();
      const message = parsed(bytes);
      for (const segment of message.segments.slice(0, 2)) {
        textAt(message, segment, 1, { repetition: 9, component: 9, subcomponent: 9 });
        repetitionsAt(message, segment, 18);
      }
      // Quadratic would be hours.
      expect(performance.now() - started).toBeLessThan(10_000);
    },
  );
});
