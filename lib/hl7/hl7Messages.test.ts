import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Hl7Message } from '@medplum/core';
import fc from 'fast-check';
import { anySettings } from '../../test/anySettings';
import { allDamaged, damaged, latin1, leftUnsaid, severalOrders, twoPatients } from '../../test/damagedMessage';
import { briefly, fuzzRuns, placesOf, roundsOf } from '../../test/fuzzRuns';
import { type FoundPatient, framesIn, patientsIn } from '../../test/hl7Oracle';
import { createSiteInstant } from '../time/siteInstant';
import { createDeframer, type Frame, maxMessageBytes } from './Deframer';
import { type AckCode, acknowledge, isWanted, readAcknowledgement } from './acknowledge';
import { codeRow } from './codes';
import type { Header } from './header';
import { type Message, parseMessage, repetitionsAt, textAt } from './parseMessage';
import { parseTime } from './parseTime';
import { isAlarmCode } from './readAlarms';
import { type Observation, readOru } from './readOru';
import { readValue } from './readValue';
import { meaningBy, numberIs, type SenderSettings, versionOne } from './senderSettings';

const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

describe('createDeframer', () => {
  const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
  /** A frame as one line: "message MSH|" or "no_end 4 MSH|". */
  const lineOf = (frame: Frame): string => {
    if (frame.kind === 'message') {
      return `message ${JSON.stringify(textOf(frame.bytes))}`;
    }
    const cut = 'cut' in frame ? ` ${JSON.stringify(textOf(frame.cut))}` : '';
    return `${frame.reason} ${frame.count}${cut}${'hasEnd' in frame && frame.hasEnd ? ' and an end' : ''}`;
  };
  const framesOf = (texts: readonly string[], maxBytes = 20): string[] => {
    const deframer = createDeframer({ maxBytes });
    return texts.flatMap((text) => deframer.push(bytesOf(text))).map(lineOf);
  };

  it.each([
    ['bytes before a frame', 'GET /\x0bA\r\x1c\r', ['bytes_outside 5 "GET /"', 'message "A\\r"']],
    ['a message whose 0x0B was lost, as soon as it ends', 'A\r\x1c\r', ['bytes_outside 3 "A\\r\\u001c" and an end']],
    ['a frame that is cut by the next one', '\x0bA|12\x0bB\r\x1c\r', ['no_end 4 "A|12"', 'message "B\\r"']],
    ['an end byte inside a segment', '\x0bA|12\x1c0\rB\r\x1c\r', ['end_inside 4 "A|12"']],
    [
      'a message above the limit, and takes the next',
      `\x0b${'A'.repeat(21)}\x1c\r\x0bB\r\x1c\r`,
      ['too_long 21', 'message "B\\r"'],
    ],
    [
      'a message above the limit without an end',
      `\x0b${'A'.repeat(90)}\x0bB\r\x1c\r`,
      ['too_long 21', 'message "B\\r"'],
    ],
    [
      'an endless stream without frames, once a limit',
      'A'.repeat(45),
      [`bytes_outside 20 "${'A'.repeat(20)}"`, `bytes_outside 20 "${'A'.repeat(20)}"`],
    ],
  ])('reports %s', (_name, stream, expected) => {
    expect(framesOf([stream])).toEqual(expected);
    expect(framesOf([...stream])).toEqual(expected);
  });

  it.each([
    ['two frames in one packet', ['\x0bA\r\x1c\r\x0bB\r\x1c\r'], ['message "A\\r"', 'message "B\\r"']],
    ['one frame over many packets', ['\x0b', 'A', '\r', '\x1c', '\r'], ['message "A\\r"']],
    ['a message at the limit', [`\x0b${'A'.repeat(19)}\r\x1c\r`], [`message "${'A'.repeat(19)}\\r"`]],
    ['frames without 0x0D', ['\x0bA\r\x1c\x0bB\r\x1c'], ['message "A\\r"', 'message "B\\r"']],
    ['frames without 0x0D and without a last line end', ['\x0bA\x1c\x0bB\r\x1c'], ['message "A"', 'message "B\\r"']],
    ['a message without a last line end', ['\x0bA\x1c\r'], ['message "A"']],
    ['line ends between frames', ['\r\n\x0bA\r\x1c\r\n\n\x0bB\r\x1c\r'], ['message "A\\r"', 'message "B\\r"']],
    ['an empty frame', ['\x0b\x1c\r'], ['message ""']],
  ])('takes %s', (_name, packets, expected) => {
    expect(framesOf(packets)).toEqual(expected);
  });

  it('says what it is waiting for', () => {
    const deframer = createDeframer({ maxBytes: 20 });
    const look = (text: string): [boolean, boolean, number, number] => {
      deframer.push(bytesOf(text));
      return [deframer.isInsideFrame, deframer.isEndUnsure, deframer.heldBytes, deframer.bytesOutside];
    };
    expect(look('ab')).toEqual([false, false, 0, 2]);
    expect(look('\x0b')).toEqual([true, false, 0, 0]);
    expect(look('MSH')).toEqual([true, false, 3, 0]);
    expect(look('\x1c')).toEqual([true, true, 3, 0]);
    expect(look('\r')).toEqual([false, false, 0, 0]);
    expect(look('\x0bMSH\r\x1c')).toEqual([false, false, 0, 0]);
    expect(look(`\x0b${'A'.repeat(30)}`)).toEqual([true, false, 0, 0]);
  });

  it.each([
    ['a frame that has not ended', '\x0bA|12', ['no_end 4 "A|12"']],
    ['a frame whose 0x0D has not come', '\x0bA|12\x1c', ['message "A|12"']],
    ['bytes outside', 'AB', ['bytes_outside 2 "AB"']],
    ['nothing', '\x0bA\r\x1c', []],
  ])('leaves at the end of a connection: %s', (_name, stream, expected) => {
    const deframer = createDeframer({ maxBytes: 20 });
    deframer.push(bytesOf(stream));
    expect(deframer.end().map(lineOf)).toEqual(expected);
    expect([deframer.isInsideFrame, deframer.heldBytes, deframer.bytesOutside]).toEqual([false, 0, 0]);
  });

  it('keeps 1,024 of the bytes outside', () => {
    const deframer = createDeframer({ maxBytes: 2_000 });
    deframer.push(bytesOf('A'.repeat(1_500)));
    expect(deframer.end()).toMatchObject([{ reason: 'bytes_outside', count: 1_500, cut: { length: 1_024 } }]);
    deframer.push(bytesOf('B'));
    expect(deframer.end().map(lineOf)).toEqual(['bytes_outside 1 "B"']);
  });

  it('keeps no reference to a packet, which a socket may use again', () => {
    const deframer = createDeframer({ maxBytes: 20 });
    const packet = bytesOf('\x0bABC');
    deframer.push(packet);
    packet.fill(0x58);
    expect(deframer.push(bytesOf('\r\x1c\r')).map(lineOf)).toEqual(['message "ABC\\r"']);
  });

  it('gives the same frames however a stream is split, and holds no more than the limit', () => {
    const piece = fc.oneof(
      fc.constantFrom('\x0b', '\x1c', '\r', '\n', '\x1c\r', '\x0bMSH|A\r\x1c\r', '\x0bMSH|B\x1c'),
      fc.string({ maxLength: 30 }),
    );
    const stream = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 20 }), (text, sizes) => {
        const bytes = bytesOf(text.replace(/[^\0-\xff]/g, '?'));
        const whole = createDeframer({ maxBytes: 20 });
        const expected = [...whole.push(bytes), ...whole.end()].map(lineOf);
        const deframer = createDeframer({ maxBytes: 20 });
        const found: string[] = [];
        let place = 0;
        for (let turn = 0; place < bytes.length; turn += 1) {
          const next = place + (sizes[turn % sizes.length] ?? 0) + (turn % sizes.length === 0 ? 1 : 0);
          found.push(...deframer.push(bytes.slice(place, next)).map(lineOf));
          expect(deframer.heldBytes).toBeLessThanOrEqual(20);
          place = next;
        }
        found.push(...deframer.end().map(lineOf));
        expect(found).toEqual(expected);
      }),
      fuzzRuns,
    );
  });

  it('copies a message of 1 MB a bounded number of times, also byte by byte', () => {
    // Copied once a byte this would be 500 GB; the test would not end.
    const deframer = createDeframer({ maxBytes: 1_048_576 });
    deframer.push(bytesOf('\x0b'));
    const byte = bytesOf('A');
    for (let count = 0; count < 1_048_575; count += 1) {
      deframer.push(byte);
    }
    const [frame] = deframer.push(bytesOf('\r\x1c'));
    expect(frame).toMatchObject({ kind: 'message', bytes: { length: 1_048_576 } });
  });
});

describe('acknowledge', () => {
  const now = Date.parse('2026-05-01T10:00:00.250Z');
  /** The header of a message with these fields from MSH-3 on. */
  function headerOf(...fields: string[]): Header {
    const parsed = parseMessage(latin1(['MSH|^~\\&', ...fields].join('|')));
    if (!parsed.ok) {
      throw new Error(parsed.reason);
    }
    return parsed.message.header;
  }
  const gate = (version: string, controlId = 'C-7') =>
    headerOf('GATE^1.2^ISO', 'WARD', 'WL', 'HOSP', '', '', 'ORU^R01', controlId, 'T', version);
  const linesOf = (bytes: Uint8Array): string[] => textOf(bytes).slice(1, -2).split('\r');
  const ascii = (text: string): string => text.replaceAll(/[^\0-\x7f]/gu, '?');
  const error = { code: 204, text: 'Unknown patient', location: { segment: 'PID', sequence: 1, field: 3 } };

  describe('acknowledge', () => {
    it('rejects plainly what has no header', () => {
      expect(textOf(acknowledge({ header: null, code: 'AR', text: 'not HL7', now, controlId: '9' }))).toBe(
        '\x0bMSH|^~\\&|||||20260501100000.250+0000||ACK|9|P|2.5.1\rMSA|AR||not HL7\r\x1c\r',
      );
    });

    it('answers as one frame, from receiver to sender, in the version and processing of the message', () => {
      expect(textOf(acknowledge({ header: gate('2.3'), code: 'AA', now, controlId: '9' }))).toBe(
        '\x0bMSH|^~\\&|WL|HOSP|GATE^1.2^ISO|WARD|20260501100000.250+0000||ACK|9|T|2.3\rMSA|AA|C-7|\r\x1c\r',
      );
    });

    it.each([
      ['2.3', 'ACK', 'ERR|PID^1^3^204&Unknown patient&HL70357'],
      ['2.3.1', 'ACK^R01', 'ERR|PID^1^3^204&Unknown patient&HL70357'],
      ['2.4', 'ACK^R01^ACK', 'ERR|PID^1^3^204&Unknown patient&HL70357'],
      ['2.5', 'ACK^R01^ACK', 'ERR||PID^1^3|204^Unknown patient^HL70357|E'],
      ['2.6', 'ACK^R01^ACK', 'ERR||PID^1^3|204^Unknown patient^HL70357|E'],
      ['x', 'ACK^R01^ACK', 'ERR||PID^1^3|204^Unknown patient^HL70357|E'],
    ])('says an error to version %s as its readers expect', (version, type, expected) => {
      const [first = '', , third] = linesOf(
        acknowledge({ header: gate(version), code: 'AE', error, now, controlId: '9' }),
      );
      expect([first.split('|')[8], third]).toEqual([type, expected]);
    });

    it.each([
      ['2.4', ''],
      ['2.5', 'ERR||PID^1^3|204^Unknown patient^HL70357|W'],
    ])('says a warning to version %s only where it cannot be taken for an error', (version, expected) => {
      const warning = { ...error, severity: 'W' } as const;
      const answer = {
        header: gate(version),
        code: 'AA',
        text: error.text,
        error: warning,
        now,
        controlId: '9',
      } as const;
      expect(linesOf(acknowledge(answer)).slice(1, 3)).toEqual(['MSA|AA|C-7|Unknown patient', expected]);
    });

    it('says an error without a place', () => {
      const answer = {
        header: gate('2.5'),
        code: 'AR',
        error: { code: 207, text: 'a|b' },
        now,
        controlId: '9',
      } as const;
      expect(linesOf(acknowledge(answer))[2]).toBe('ERR|||207^a\\F\\b^HL70357|E');
    });

    it('uses the delimiters of the sender', () => {
      const parsed = parseMessage(latin1('MSH$!*%@$GATE$$$$$$ORU!R01$C|7$P$2.5'));
      const header = parsed.ok ? parsed.message.header : null;
      const [first = '', second] = linesOf(acknowledge({ header, code: 'AA', text: '1$2|3', now, controlId: '9' }));
      expect([first.slice(0, 15), second]).toEqual(['MSH$!*%@$$$GATE', 'MSA$AA$C|7$1%F%2|3']);
    });

    it('is ASCII, whatever the character set of the message', () => {
      const bytes = acknowledge({ header: gate('2.3'), code: 'AA', text: 'caf\u00e9 \u6885', now, controlId: '9' });
      expect(linesOf(bytes)[1]).toBe('MSA|AA|C-7|caf? ?');
    });

    it.each(['R22^7', 'A~B&C', 'a\\F\\b', ' 7 ', '\\X41\\', '^7'])('repeats MSH-10 %j as it was sent', (controlId) => {
      const answer = acknowledge({ header: gate('2.5', controlId), code: 'AA', now, controlId: '9' });
      expect(linesOf(answer)[1]).toBe(`MSA|AA|${controlId}|`);
    });

    it.each(['', '  ', '""'])('has no MSH-10 to repeat where it is %j', (controlId) => {
      expect(gate('2.5', controlId).controlId).toBe('');
    });

    it('comes back as it was written, through our parser and an independent one, whatever the texts hold', () => {
      const text = fc.string({
        unit: fc.oneof(fc.constantFrom(...'|^~\\&\r\n\x0b\x1cAx1 '), fc.string({ maxLength: 1 })),
      });
      const code = fc.constantFrom<AckCode>('AA', 'AE', 'AR', 'CA', 'CE', 'CR');
      fc.assert(
        fc.property(text, text, text, code, (own, said, version, ack) => {
          const id = own.replaceAll(/[|\p{Cc}]/gu, '');
          const header: Header = { ...gate('2.5'), controlId: id, version: version.trim(), sendingApplication: said };
          const bytes = acknowledge({ header, code: ack, text: said, error, now, controlId: own });
          const frames = createDeframer({ maxBytes: 100_000 }).push(bytes);
          expect(frames).toMatchObject([{ kind: 'message' }]);
          const inside = bytes.slice(1, -2);
          expect(readAcknowledgement(inside)).toEqual({
            code: ack,
            controlId: ascii(id),
            text: ascii(said).trim(),
          });
          const oracle = Hl7Message.parse(new TextDecoder().decode(inside));
          expect(oracle.getSegment('MSA')?.getField(1).toString()).toBe(ack);
          expect(oracle.segments.filter(({ name }) => name !== '').map(({ name }) => name)).toEqual([
            'MSH',
            'MSA',
            'ERR',
          ]);
        }),
        fuzzRuns,
      );
    });
  });

  describe('isWanted', () => {
    const codes: AckCode[] = ['AA', 'AE', 'AR', 'CA', 'CE', 'CR'];
    const wanted = (accept: string, application: string): string =>
      codes
        .filter((code) => isWanted({ ...gate('2.5'), acceptAck: accept, applicationAck: application }, code))
        .join(' ');

    it.each([
      ['', '', 'AA AE AR'],
      ['NE', 'NE', ''],
      ['AL', 'NE', 'CA CE CR'],
      ['AL', '', 'CA CE CR'],
      ['NE', 'AL', 'AA AE AR'],
      ['', 'AL', 'AA AE AR'],
      ['AL', 'AL', 'AA AE AR CA CE CR'],
      ['ER', 'ER', 'AE AR CE CR'],
      ['SU', 'SU', 'AA CA'],
      ['ER', 'SU', 'AA CE CR'],
      ['NE', 'what', 'AA AE AR'],
    ])('with MSH-15 %j and MSH-16 %j: %s', (accept, application, expected) => {
      expect(wanted(accept, application)).toBe(expected);
    });

    it('wants the application’s answer to what has no header', () => {
      expect(codes.filter((code) => isWanted(null, code))).toEqual(['AA', 'AE', 'AR']);
    });
  });

  describe('readAcknowledgement', () => {
    it.each(['PID|1', 'MSA|ZZ|1', 'MSA', 'MSA|'])('takes %s for no answer', (line) => {
      expect(readAcknowledgement(latin1(`MSH|^~\\&|\r${line}\r`))).toBeNull();
      expect(readAcknowledgement(latin1(line))).toBeNull();
    });

    it.each([
      ['of a set that is not read', 'MSH|^~\\&|||||||ACK|9|P|2.5||||||UNICODE UTF-16\rMSA|AR|C-7|No\r', 'C-7', 'No'],
      ['with bytes of no set', 'MSH|^~\\&|\xff\xfe\rMSA|AR|C-7|\xe9\r', 'C-7', '\ufffd'],
      ['without MSH', 'MSA|AR|C-7', 'C-7', ''],
      ['with another separator', '\nMSH$^~\\&$\nMSA$AR$C|7$a\\F\\b', 'C|7', 'a$b'],
    ])('reads an answer %s', (_what, text, controlId, said) => {
      expect(readAcknowledgement(latin1(text))).toEqual({ code: 'AR', controlId, text: said });
    });
  });
});

describe('parseMessage', () => {
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
    ...['UNICODE UTF-16', 'CNS 11643-1992', '8859/16', '8859', '88591', 'X'].map((name): [string, string] => [
      head.replace('8859/1', name),
      'charset',
    ]),
    [`${head}PID|1\r${head}PID|2\r`, 'two_messages'],
  ])('refuses %j as %s', (text, reason) => {
    expect(parseMessage(latin1(text))).toMatchObject({ ok: false, reason });
  });

  it('keeps the header of a message that it refuses, for the answer', () => {
    expect(parseMessage(latin1(head.replace('8859/1', 'CNS 11643-1992')))).toMatchObject({
      header: { controlId: 'C-1', version: '2.5' },
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

  /** Returns what becomes of a message with bytes as PID-5, in this set; the birth date says that nothing moved. */
  const nameIn = (charset: string, name: readonly number[], before = head): string | null => {
    const line = latin1(`${before.replace('8859/1', charset)}PID|||12||`);
    const result = parseMessage(Uint8Array.from([...line, ...name, ...latin1('^Ada||19500307\r')]));
    const fields = result.ok ? result.message.segments[1]?.fields : null;
    return fields === null ? null : fields?.[7] === '19500307' ? (fields[5] ?? '').replace('^Ada', '') : 'moved';
  };
  /** Of JIS X 0208, between the switches of ISO 2022. */
  const jis = (...bytes: number[]): number[] => [0x1b, 0x24, 0x42, ...bytes, 0x1b, 0x28, 0x42];

  it.each([
    [['8859/1', '8859-1', 'ISO-8859-1', 'iso 8859-1', 'ISO8859/1'], [0xe9], '\u00e9'],
    [['8859/2'], [0xb1], '\u0105'],
    [['8859/3'], [0xb1], '\u0127'],
    [['8859/4'], [0xb3], '\u0157'],
    [['8859/5'], [0xb1], '\u0411'],
    [['8859/6'], [0xc7], '\u0627'],
    [['8859/7', 'ISO-8859-7'], [0xe1], '\u03b1'],
    [['8859/8'], [0xe0], '\u05d0'],
    [['8859/9'], [0xfd], '\u0131'],
    [['8859/15'], [0xa4], '\u20ac'],
    [['UNICODE UTF-8', 'UTF-8', 'UNICODE', 'ASCII', 'ISO IR6', '', '""'], [0xc3, 0xa9], '\u00e9'],
    [['GB 18030-2000', 'GB18030'], [0xd5, 0xc5], '\u5f20'],
    [['GB 18030-2000'], [0x81, 0x30, 0x84, 0x36], '\u00a5'],
    [['BIG-5', 'Big5'], [0xb1, 0xf6], '\u6885'],
    [['KS X 1001'], [0xb1, 0xe8], '\uae40'],
    [['ISO IR87', '~ISO IR87', 'ASCII~ISO IR87', '~ISO IR14~ISO IR159'], jis(0x3b, 0x33, 0x45, 0x44), '\u5c71\u7530'],
    // Who declares a set of Japan and sends UTF-8 was read so before.
    [['~ISO IR87'], [0xe5, 0xb1, 0xb1], '\u5c71'],
    // What is not of the set never looks like a name.
    [['UNICODE UTF-8', '', 'ASCII'], [0xe9], '\ufffd'],
    [['8859/7'], [0xff], '\ufffd'],
  ])('decodes by each of the names %j in MSH-18 the bytes %j', (names, bytes, expected) => {
    expect(names.map((name) => nameIn(name, bytes))).toEqual(names.map(() => expected));
  });

  it.each(['1', '2', '3', '4', '5', '6', '7', '8', '9', '15'])(
    'reads none of the controls of ISO 8859/%s as the letters that Windows has there',
    (part) => {
      const controls = Array.from({ length: 32 }, (_, index) => 0x80 + index);
      expect(nameIn(`8859/${part}`, controls)).toBe('\ufffd'.repeat(32));
      expect(nameIn(`ISO-8859-${part}`, controls)).toBe('\ufffd'.repeat(32));
    },
  );

  it.each([
    ['a character of GB 18030 without its end', 'GB 18030-2000', [0xd5, 0x20]],
    ['a byte that Big5 does not have', 'BIG-5', [0xb1, 0x20]],
    ['a byte of another set under KS X 1001', 'KS X 1001', [0x81, 0x41]],
    ['shifts of ISO 2022 under KS X 1001', 'KS X 1001', [0x1b, 0x24, 0x29, 0x43, 0x0e, 0x31, 0x68, 0x0f]],
    ['JIS X 0212, which the platform does not have', '~ISO IR87~ISO IR159', [0x1b, 0x24, 0x28, 0x44, 0x30, 0x21]],
    ['JIS X 0208 that is not declared', '', jis(0x45, 0x7c)],
    ['JIS X 0208 beside ISO 8859', '8859/1~ISO IR87', jis(0x45, 0x7c)],
    ['Shift JIS under a set of Japan', 'ISO IR87', [0x89, 0x7c]],
  ])('refuses as charset, because it may hide or make separators: %s', (_name, charset, name) => {
    expect(nameIn(charset, name)).toBeNull();
  });

  it.each([
    ['GB 18030-2000', 'gb18030', 0x81],
    ['BIG-5', 'big5', 0x81],
    ['~ISO IR87', 'iso-2022-jp', 0x21],
  ])('takes no part of a character for a separator: each of %s that holds one', (charset, label, from) => {
    const decoder = new TextDecoder(label);
    const signs = [...latin1('|^~\\&')];
    const leads = Array.from({ length: 0x7e }, (_, index) => from + index);
    const pairs = signs.flatMap((sign) => leads.map((lead) => [lead, sign]));
    const names = pairs.map((pair) => (label === 'iso-2022-jp' ? jis(...pair) : pair));
    const known = names.map((name): [number[], string] => [name, decoder.decode(Uint8Array.from(name))]);
    const wanted = known.filter(([, text]) => [...text].length === 1 && text !== '\ufffd');
    expect(wanted.length).toBeGreaterThan(100);
    expect(wanted.map(([name]) => [name, nameIn(charset, name)])).toEqual(wanted);
    // Also in a header, before the set is named.
    const after = (name: number[]): string => head.replace('WARD', textOf(Uint8Array.from(name)));
    expect(wanted.map(([name]) => [name, nameIn(charset, name, after(name))])).toEqual(wanted);
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

  it('gives one of its results for any bytes, in any character set, and for any damage', () => {
    const set = fc.constantFrom('', '8859-9', 'GB 18030-2000', 'BIG-5', 'KS X 1001', '~ISO IR87');
    const anyBytes = fc
      .tuple(set, fc.uint8Array({ maxLength: 300 }))
      .map(([name, bytes]) => Uint8Array.from([...latin1(head.replace('8859/1', name)), ...bytes]));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), anyBytes, damaged), (bytes) => {
        const result = parseMessage(bytes);
        const reasons = ['message', 'not_hl7', 'delimiters', 'charset', 'two_messages'];
        expect(reasons).toContain(result.ok ? 'message' : result.reason);
        const message = result.ok ? result.message : null;
        expect(message?.segments.map(({ fields }) => fields.length > 0) ?? []).not.toContain(false);
      }),
      fuzzRuns,
    );
  });

  /** Returns how long the processor worked, in seconds: quadratic work takes hours. */
  const processorSeconds = (work: () => void): number => {
    const from = process.cpuUsage();
    work();
    return process.cpuUsage(from).user / 1_000_000;
  };

  it.each(['\r', '|', '^', '~', '\\', '&', '\\Q', 'A', '\r\n', 'PID|', '\\X41\\'])(
    'takes time linear in 1 MB of %j',
    (piece) => {
      const bytes = latin1(head + piece.repeat(1_000_000 / piece.length));
      const took = processorSeconds(() => {
        const message = parsed(bytes);
        for (const segment of message.segments.slice(0, 2)) {
          textAt(message, segment, 1, { repetition: 9, component: 9, subcomponent: 9 });
          repetitionsAt(message, segment, 18);
        }
      });
      expect(took).toBeLessThan(10);
    },
  );

  it.each(['~', '~\u00e9', '|\u00e9', '\x1b$'])('takes time linear in a header with 1 MB of %j', (piece) => {
    const bytes = latin1(head.trim() + piece.repeat(1_000_000 / piece.length));
    expect(processorSeconds(() => expect(parseMessage(bytes)).toHaveProperty('ok'))).toBeLessThan(10);
  });
});

describe('parseTime', () => {
  const read = (text: string, timeZone = 'Europe/Berlin', receivedAt = '2026-05-01T10:00:00Z'): string | null => {
    const at = parseTime(text, { timeZone, receivedAt: Date.parse(receivedAt) });
    return at === null ? null : new Date(at).toISOString();
  };

  it.each([
    '',
    '""',
    '2026',
    '202605',
    '20260501',
    '2026050112',
    '20260230120000',
    '20261301120000',
    '20260501240000',
    '20260501126000',
    '20260501120060',
    '20260501120000.',
    '20260501120000+2',
    '20260501120000+1500',
    '20260501120000+0160',
    '2026-05-01T12:00:00Z',
    '19691231235959+0000',
    ' 20260501120000',
    '20260501120000\n',
  ])('takes %j for no instant', (text) => {
    expect(read(text)).toBeNull();
  });

  it.each([
    ['202605011200', '2026-05-01T10:00:00.000Z'],
    ['20260501120030', '2026-05-01T10:00:30.000Z'],
    ['20260501120030.5', '2026-05-01T10:00:30.500Z'],
    ['20260501120030.1239', '2026-05-01T10:00:30.123Z'],
    ['20260501120030.25-0530', '2026-05-01T17:30:30.250Z'],
    ['202605011200+0000', '2026-05-01T12:00:00.000Z'],
  ])('reads %s in Berlin as %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ['Europe/Berlin', '20261025023000', '2026-10-25T00:31:00Z', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '20261025023000', '2026-10-25T01:29:00Z', '2026-10-25T01:30:00.000Z'],
    ['Europe/Berlin', '20261025023000', '2026-10-25T09:00:00Z', '2026-10-25T01:30:00.000Z'],
    ['Europe/Berlin', '20261025015959', '2026-10-25T00:00:00Z', '2026-10-24T23:59:59.000Z'],
    ['Europe/Berlin', '20261025030000', '2026-10-25T00:00:00Z', '2026-10-25T02:00:00.000Z'],
    ['Australia/Lord_Howe', '20260405014500', '2026-04-04T14:46:00Z', '2026-04-04T14:45:00.000Z'],
    ['Australia/Lord_Howe', '20260405014500', '2026-04-04T15:16:00Z', '2026-04-04T15:15:00.000Z'],
  ])('in the repeated hour of %s reads %s, received at %s, as %s', (timeZone, text, receivedAt, expected) => {
    expect(read(text, timeZone, receivedAt)).toBe(expected);
  });

  it.each([
    ['Europe/Berlin', '20260329020000'],
    ['Europe/Berlin', '20260329025959.999'],
    ['Australia/Lord_Howe', '20261004021500'],
  ])('takes a time that the clocks of %s skip for no instant: %s', (timeZone, text) => {
    expect(read(text, timeZone, '2026-03-29T01:00:00Z')).toBeNull();
    expect(read(`${text}+0100`, timeZone)).not.toBeNull();
  });

  it('reads what the clocks of a zone show back as the same instant, when it is received at once', () => {
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC');
    const day = 86_400_000;
    const at = fc.oneof(
      fc.integer({ min: 2 * day, max: Date.UTC(2090, 0, 1) }),
      fc.integer({ min: Date.UTC(2026, 9, 25) - day, max: Date.UTC(2026, 9, 25) + day }),
      fc.integer({ min: Date.UTC(2026, 2, 29) - day, max: Date.UTC(2026, 2, 29) + day }),
      // On Lord Howe the clocks change by half an hour, also in the middle of an hour of UTC.
      fc.integer({ min: Date.UTC(2026, 3, 4, 13), max: Date.UTC(2026, 3, 4, 17) }),
      fc.integer({ min: Date.UTC(2026, 9, 3, 14), max: Date.UTC(2026, 9, 3, 17) }),
    );
    fc.assert(
      fc.property(zone, at, (timeZone, instant) => {
        const wall = createSiteInstant(timeZone)(instant);
        const digits = `${wall.slice(0, 19).replace(/[-T:]/g, '')}.${wall.slice(20, 23)}`;
        expect(parseTime(digits, { timeZone, receivedAt: instant })).toBe(instant);
        const offset = wall.slice(23).replace(':', '');
        expect(parseTime(digits + offset, { timeZone: 'UTC', receivedAt: 0 })).toBe(instant);
      }),
      fuzzRuns,
    );
  });
});

describe('damage', () => {
  /** Times without a zone are UTC, as the oracle reads them. */
  const site = { timeZone: 'UTC', receivedAt: Date.UTC(2026, 4, 1, 10) };

  const deframer = createDeframer({ maxBytes: maxMessageBytes });
  const framesOf = (stream: Uint8Array): Uint8Array[] =>
    [...deframer.push(stream), ...deframer.end()].flatMap((one) => (one.kind === 'message' ? [one.bytes] : []));

  /** Returns what we take of an observation in the words of the oracle. */
  function foundIn(observation: Observation, settings: SenderSettings): string[] {
    const { at } = observation.takenAt;
    const row = codeRow(observation.code);
    const meaning = meaningBy(settings, observation, row === null ? null : { ...row, mappingId: null });
    const read = readValue(observation, { lookUp: () => meaning, settings });
    if (isAlarmCode(observation.code) || at === null || !('kind' in read) || read.outcome === 'refused') {
      return [];
    }
    const what = {
      value: () => (read.outcome === 'value' ? `${read.value} ${read.quality}` : ''),
      noSignal: () => 'no signal',
      withdraw: () => 'withdrawn',
    }[read.outcome]();
    return [`${read.kind} ${what} ${new Date(at).toISOString()}`];
  }

  /** Returns what we read of a message in the form of the oracle. */
  function readIn(bytes: Uint8Array, settings: SenderSettings = versionOne): FoundPatient[] | null {
    const parsed = parseMessage(bytes, settings.charset);
    return !parsed.ok
      ? null
      : readOru(parsed.message, site, settings)
          .filter(({ patient, observations }) => patient.isReadable && observations.length > 0)
          .map(({ patient, bed, isTraining, observations }) => ({
            mrns: patient.identifiers.filter((one) => numberIs(settings, one) === 'mrn').map(({ id }) => id),
            hasNumber: patient.hasIdentifier,
            familyName: patient.familyName ?? '',
            givenName: patient.givenName ?? '',
            birthDate: patient.birthDate ?? '',
            bed: bed ?? '',
            isTraining,
            values: observations.flatMap((observation) => foundIn(observation, settings)),
          }));
  }

  const without = (bytes: Uint8Array, place: number): Buffer =>
    Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1)]);
  const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
  const framed = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.of(0x0b), bytes, Buffer.of(0x1c, 0x0d)]);

  /**
   * Returns each message that we read otherwise than the oracle, or that only one of both finds, but for known ones.
   */
  function differencesIn(
    stream: Uint8Array,
    { known = new Set(), settings = versionOne }: { known?: ReadonlySet<string>; settings?: SenderSettings } = {},
  ): unknown[] {
    const [ours, theirs] = [framesOf(stream).map(textOf), framesIn(stream).map(textOf)];
    return ours.length !== theirs.length || ours.some((text, index) => text !== theirs[index])
      ? [{ ours, theirs }]
      : ours.flatMap((text) => {
          const [read, found] = known.has(text)
            ? []
            : [readIn(latin1(text), settings), patientsIn(latin1(text), settings)];
          return JSON.stringify(read) === JSON.stringify(found) ? [] : [{ text, settings, read, found }];
        });
  }

  describe('a message that lost a byte', () => {
    it.each([
      ['two patients', twoPatients],
      ['several orders', severalOrders],
    ])('is read as an independent reader reads it: %s', (_name, text) => {
      const frame = framed(latin1(text));
      expect(patientsIn(latin1(text))?.flatMap(({ values }) => values)).not.toEqual([]);
      expect([...frame.keys()].flatMap((place) => differencesIn(without(frame, place)))).toEqual([]);
    });
  });

  describe('a message with any triplets, names and units', () => {
    const triplet = (known: readonly string[], systems: readonly string[]): fc.Arbitrary<string> => {
      const parts = known.map((text) => text.split('^'));
      const [ids, texts] = [0, 1].map((place) => parts.map((part) => part[place] ?? ''));
      const mixed = fc.tuple(fc.constantFrom(...(ids ?? [])), fc.constantFrom(...(texts ?? [])));
      return fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...known) },
        {
          weight: 2,
          arbitrary: fc.tuple(mixed, fc.constantFrom(...systems)).map(([two, system]) => [...two, system].join('^')),
        },
      );
    };
    const code = triplet(
      [
        ...['150456^MDC_PULS_OXIM_SAT_O2^MDC', '149530^MDC_PULS_OXIM_PULS_RATE^MDC', '147842^MDC_ECG_HEART_RATE^MDC'],
        ...['150301^MDC_PRESS_CUFF_SYS^MDC', '150302^MDC_PRESS_CUFF_DIA^MDC', '150452^MDC_PULS_OXIM_PLETH^MDC'],
        ...['150456^MDC_PULS_OXIM_SAT_O2_WAVEFORM^MDC', '150456^Sättigung^MDC', '151578^mdc_tthor_resp_rate^MDC'],
        ...['0002-4bb8^SpO2^MDIL', '0002-4182^HR^MDIL', '0002-4bb0^Perf^MDIL', '59408-5^O2 sat^LN', '8867-4^Rate^LN'],
        ...['8889-8^Pulse^LN', 'HR^Heart rate^L', '^^'],
      ],
      ['MDC', 'MDIL', 'LN', 'L', 'EHC', ''],
    );
    const unit = triplet(
      [
        ...['262688^MDC_DIM_PERCENT^MDC', '^MDC_DIM_PERCENT^MDC', '%^^', '1^^UCUM', '0004-0220^%^MDIL', '^^', '^%^'],
        ...['264864^MDC_DIM_BEAT_PER_MIN^MDC', '264928^MDC_DIM_RESP_PER_MIN^MDC', '/min^^UCUM', 'Bpm^^', 'RPM^^'],
        ...['beats/minute^^', '266016^MDC_DIM_MMHG^MDC', 'MMHG^^', 'kPa^^UCUM', 'KPA^^UCUM', '268192^°C^MDC'],
        ...['262656^MDC_DIM_DIMLESS^MDC', '262720^MDC_DIM_PARTS_PER_10_TO_3^MDC', 'pct^Prozent^L'],
      ],
      ['MDC', 'MDIL', 'UCUM', 'L', ''],
    );
    const twoOf = (one: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      fc
        .tuple(one, fc.option(one, { freq: 2, nil: '' }))
        .map(([first, second]) => (second === '' ? first : `${first}^${second}`));
    const line = fc
      .record({
        type: fc.constantFrom('NM', 'NM', 'NM', 'SN', 'ST', 'NA', 'MA'),
        code: twoOf(code),
        value: fc.constantFrom(
          '97',
          '80',
          '60.5',
          '0.97',
          '127',
          '255',
          '-1',
          '-99.9',
          '-999',
          '32767',
          '384.5',
          '0',
          '?',
          '',
        ),
        unit: twoOf(unit),
        status: fc.constantFrom('F', 'F', 'F', 'C', 'X', 'D'),
      })
      .map(
        ({ type, code: sent, value, unit: sentUnit, status }) =>
          `OBX||${type}|${sent}|0|${value}|${sentUnit}|||||${status}`,
      );

    const lines = fc.array(line, { minLength: 1, maxLength: 6 });

    it('gives no value to another kind, in another unit or to another patient', () => {
      let taken = 0;
      fc.assert(
        fc.property(lines, lines, (first, second) => {
          const message = latin1(
            [
              'MSH|^~\\&|GATE|WARD|||20260501100001||ORU^R01|C-9|P|2.6||||||8859/1',
              ...['PID|||A-100^^^^MR', 'OBR|1', ...first, 'PID|||B-200^^^^MR', 'OBR|2', ...second, ''],
            ].join('\r'),
          );
          const read = readIn(message);
          taken += read?.flatMap(({ values }) => values).length ?? 0;
          expect(read).toEqual(patientsIn(message));
        }),
        fuzzRuns,
      );
      expect(taken).toBeGreaterThan(fuzzRuns.numRuns / 4);
    });
  });

  const folder = process.env.RECORDINGS_DIR ?? resolve(process.cwd(), '../shared/data');
  const path = join(folder, 'hl7-philips-iic', 'open-beds.mllp');
  // lib/hl7/hl7Values.test.ts says why if it is not there.
  const describeIfThere = existsSync(path) ? describe : describe.skip;

  describeIfThere('a capture of a real gateway that lost a byte', () => {
    it('is read as an independent reader reads it, the messages before and after included', () => {
      const capture = readFileSync(path);
      const intact = new Set(framesIn(capture).map(textOf));
      expect([intact.size, differencesIn(capture)]).toEqual([203, []]);
      const starts = [...capture.keys()].filter((place) => capture[place] === 0x0b);
      const places = placesOf(capture.length, randomInt(capture.length));
      const wrong = places.flatMap((place) => {
        const own = starts.findLastIndex((start) => start <= place);
        const from = starts[Math.max(0, own - 1)] ?? 0;
        const neighbours = capture.subarray(from, starts[own + 2]);
        const differences = differencesIn(without(neighbours, place - from), { known: intact });
        return differences.length === 0 ? [] : [{ place, differences }];
      });
      expect(wrong).toEqual([]);
      expect(places.length).toBeGreaterThan(roundsOf(capture.length, 0.02) / 2);
    });
  });

  describe('a message with one to four damages, by any answers about its sender', () => {
    it('is no fault, and brings no patient, bed or value that an independent reader does not find', () => {
      fc.assert(
        fc.property(allDamaged, anySettings, (messages, settings) => {
          const wrong = messages.flatMap((bytes) => differencesIn(framed(bytes), { settings }));
          // To expect costs more than to read a message.
          if (wrong.length > 0) {
            throw new Error(JSON.stringify(wrong, null, 2));
          }
        }),
        { ...fuzzRuns, ...briefly, numRuns: Math.ceil(roundsOf(1_000_000, 0.005) / 3) },
      );
    });

    it('reads otherwise by each answer', () => {
      const read = (settings: Partial<SenderSettings>): string =>
        JSON.stringify(readIn(latin1(leftUnsaid), { ...versionOne, ...settings }));
      const final: Partial<SenderSettings> = { missingStatus: 'F' };
      const mdc = (id: string, text: string) => ({ id, text, system: 'MDC' });
      const [saturation, cuff] = [mdc('150456', 'MDC_PULS_OXIM_SAT_O2'), mdc('150301', 'MDC_PRESS_CUFF_SYS')];
      const [notRate, breaths] = [{ code: mdc('147842', 'HR left'), isMeant: false }, mdc('151562', 'Atmung')];
      const changes: Partial<SenderSettings>[] = [
        ...[final, { ...final, isZeroRateNoSignal: true }, { ...final, coreTemperatures: ['T1'] }],
        { ...final, missingUnits: [{ code: saturation, unit: '%' }] },
        { ...final, missingUnits: [{ code: cuff, sent: 'mm Quecksilber', unit: 'mm[Hg]' }] },
        ...[[], [notRate], [notRate, { code: breaths, isMeant: true }]].map((texts) => ({ ...final, texts })),
        { ...final, timeZone: 'Asia/Kathmandu' },
        { identifiers: [{ type: '', authority: '', is: 'mrn' }] },
        { identifiers: [{ type: 'PI', authority: 'HOSP', is: 'none' }] },
      ];
      expect(new Set([{}, ...changes].map(read)).size).toBe(changes.length + 1);
    });
  });
});
