import { Hl7Message } from '@medplum/core';
import fc from 'fast-check';
import { latin1 } from '../../test/damagedMessage';
import { fuzzRuns } from '../../test/fuzzRuns';
import { acknowledge, isWanted, readAcknowledgement, type AckCode } from './acknowledge';
import { createDeframer } from './Deframer';
import type { Header } from './header';
import { parseMessage } from './parseMessage';

const now = Date.parse('2026-05-01T10:00:00.250Z');
const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
/** The header of a message with these fields from MSH-3 on. */
function headerOf(...fields: string[]): Header {
  const parsed = parseMessage(latin1(['MSH|^~\\&', ...fields].join('|')));
  if (!parsed.ok) {
    throw new Error(parsed.reason);
  }
  return parsed.message.header;
}
const gate = (version: string, charset = '') =>
  headerOf('GATE^1.2^ISO', 'WARD', 'WL', 'HOSP', '', '', 'ORU^R01', 'C-7', 'T', version, '', '', '', '', '', charset);
const linesOf = (bytes: Uint8Array): string[] => textOf(bytes).slice(1, -2).split('\r');
const error = { code: 204, text: 'Unknown patient', location: { segment: 'PID', sequence: 1, field: 3 } };

describe('acknowledge', () => {
  it('rejects plainly what has no header', () => {
    expect(textOf(acknowledge({ header: null, code: 'AR', text: 'not HL7', now, controlId: '9' }))).toBe(
      '\x0bMSH|^~\\&|||||20260501100000.250+0000||ACK|9|P|2.5.1||||||\rMSA|AR||not HL7\r\x1c\r',
    );
  });

  it('answers as one frame, from receiver to sender, in the version and processing of the message', () => {
    expect(textOf(acknowledge({ header: gate('2.3', '8859/1'), code: 'AA', now, controlId: '9' }))).toBe(
      '\x0bMSH|^~\\&|WL|HOSP|GATE^1.2^ISO|WARD|20260501100000.250+0000||ACK|9|T|2.3||||||8859/1\rMSA|AA|C-7|\r\x1c\r',
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

  it('says an error without a place', () => {
    const answer = { header: gate('2.5'), code: 'AR', error: { code: 207, text: 'a|b' }, now, controlId: '9' } as const;
    expect(linesOf(acknowledge(answer))[2]).toBe('ERR|||207^a\\F\\b^HL70357|E');
  });

  it('uses the delimiters of the sender', () => {
    const parsed = parseMessage(latin1('MSH$!*%@$GATE$$$$$$ORU!R01$C|7$P$2.5'));
    const header = parsed.ok ? parsed.message.header : null;
    const [first = '', second] = linesOf(acknowledge({ header, code: 'AA', text: '1$2|3', now, controlId: '9' }));
    expect([first.slice(0, 15), second]).toEqual(['MSH$!*%@$$$GATE', 'MSA$AA$C|7$1%F%2|3']);
  });

  it.each([
    ['8859/1', 'caf\u00e9 \u0105', 'caf\u00e9 ?'],
    ['ISO IR87', 'caf\u00e9', 'caf?'],
    ['UNICODE UTF-8', 'caf\u00e9', 'caf\u00c3\u00a9'],
  ])('writes in the character set %s', (charset, text, bytes) => {
    const header: Header = { ...gate('2.3'), charset };
    expect(linesOf(acknowledge({ header, code: 'AA', text, now, controlId: '9' }))[1]).toBe(`MSA|AA|C-7|${bytes}`);
  });

  it('comes back as it was written, through our parser and an independent one, whatever the texts hold', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom(...'|^~\\&\r\n\x0b\x1cAx1 '), fc.string({ maxLength: 1 })),
    });
    const code = fc.constantFrom<AckCode>('AA', 'AE', 'AR', 'CA', 'CE', 'CR');
    fc.assert(
      fc.property(text, text, text, code, (id, said, version, ack) => {
        const header: Header = { ...gate('2.5'), controlId: id, version: version.trim(), sendingApplication: said };
        const bytes = acknowledge({ header, code: ack, text: said, error, now, controlId: id });
        const frames = createDeframer({ maxBytes: 100_000 }).push(bytes);
        expect(frames).toMatchObject([{ kind: 'message' }]);
        const inside = bytes.slice(1, -2);
        const parsed = parseMessage(inside);
        expect(parsed.ok ? readAcknowledgement(parsed.message) : null).toEqual({
          code: ack,
          controlId: id.trim(),
          text: said.trim(),
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
  it.each(['PID|1', 'MSA|ZZ|1', 'MSA'])('takes %s for no answer', (line) => {
    const parsed = parseMessage(latin1(`MSH|^~\\&|\r${line}\r`));
    expect(parsed.ok && readAcknowledgement(parsed.message)).toBeNull();
  });
});
