import fc from 'fast-check';
import { fuzzRuns } from '../../test/fuzzRuns';
import { createDeframer, type Frame } from './Deframer';

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
/** A frame as one line: "message MSH|" or "no_end 4 MSH|". */
const lineOf = (frame: Frame): string => {
  if (frame.kind === 'message') {
    return `message ${JSON.stringify(textOf(frame.bytes))}`;
  }
  return 'cut' in frame
    ? `${frame.reason} ${frame.count} ${JSON.stringify(textOf(frame.cut))}`
    : `${frame.reason} ${frame.count}`;
};
const framesOf = (texts: readonly string[], maxBytes = 20): string[] => {
  const deframer = createDeframer({ maxBytes });
  return texts.flatMap((text) => deframer.push(bytesOf(text))).map(lineOf);
};

describe('createDeframer', () => {
  it.each([
    ['bytes before a frame', 'GET /\x0bA\r\x1c\r', ['bytes_outside 5', 'message "A\\r"']],
    ['a message whose 0x0B was lost, as soon as it ends', 'A\r\x1c\r', ['bytes_outside 3']],
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
    ['an endless stream without frames, once a limit', 'A'.repeat(45), ['bytes_outside 20', 'bytes_outside 20']],
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
    const look = (text: string): [boolean, number, number] => {
      deframer.push(bytesOf(text));
      return [deframer.isInsideFrame, deframer.heldBytes, deframer.bytesOutside];
    };
    expect(look('ab')).toEqual([false, 0, 2]);
    expect(look('\x0b')).toEqual([true, 0, 0]);
    expect(look('MSH')).toEqual([true, 3, 0]);
    expect(look('\x1c')).toEqual([true, 3, 0]);
    expect(look('\r')).toEqual([false, 0, 0]);
    expect(look(`\x0b${'A'.repeat(30)}`)).toEqual([true, 0, 0]);
  });

  it.each([
    ['a frame that has not ended', '\x0bA|12', ['no_end 4 "A|12"']],
    ['a frame whose 0x0D has not come', '\x0bA|12\x1c', ['message "A|12"']],
    ['bytes outside', 'AB', ['bytes_outside 2']],
    ['nothing', '\x0bA\r\x1c', []],
  ])('leaves at the end of a connection: %s', (_name, stream, expected) => {
    const deframer = createDeframer({ maxBytes: 20 });
    deframer.push(bytesOf(stream));
    expect(deframer.end().map(lineOf)).toEqual(expected);
    expect([deframer.isInsideFrame, deframer.heldBytes, deframer.bytesOutside]).toEqual([false, 0, 0]);
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
