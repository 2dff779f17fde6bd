import fc from 'fast-check';
import { HttpError } from '../http/httpError';
import { parseDsn } from './dsn';
import { parseEnvelope, writeEnvelope } from './envelope';

const text = 'https://abc@reports.example/7';
const ours = parseDsn(text);
const id = 'a'.repeat(32);
const event = { event_id: id, exception: { values: [{ type: 'TypeError', value: 'Moreau' }] } };

/** Returns an envelope as a page writes it. */
function envelope(header: unknown, ...items: [header: unknown, payload: unknown][]): Buffer {
  return Buffer.from(
    [header, ...items.flat()].map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('\n'),
  );
}

function refusalOf(bytes: Buffer): [number, string] | null {
  try {
    parseEnvelope(bytes, ours);
    return null;
  } catch (error) {
    if (error instanceof HttpError) {
      return [error.status, error.code];
    }
    throw error;
  }
}

describe('an envelope', () => {
  it.each([
    'https://abc@evil.example/7',
    'https://abc@reports.example.evil.example/7',
    'https://abc@reports.example@evil.example/7',
    'https://abc@evil.example/https://abc@reports.example/7',
    'https://abc@reports.example\\.evil.example/7',
    'https://abc@reports.example./7',
    'https://abc@reports.example:8443/7',
    'https://abc@reports.example/8',
    'https://abd@reports.example/7',
    'http://abc@reports.example/7',
    'https://abc:x@reports.example/7',
    'https://abc@reports.example/7/../8',
    'https://abc@reports.example/7?to=evil.example',
    'https://abc@reports.example/7#@evil.example',
    '//abc@reports.example/7',
    'https://abc@rеports.example/7',
    'https://abc@169.254.169.254/7',
    'https://abc@localhost/7',
    'file:///etc/passwd',
    '',
  ])('that names the receiver %j is refused', (dsn) => {
    expect(refusalOf(envelope({ dsn }, [{ type: 'event' }, event]))).toEqual([403, 'other_receiver']);
  });

  it('that names none, or shows another key, is refused', () => {
    expect(refusalOf(envelope({}, [{ type: 'event' }, event]))).toEqual([403, 'other_receiver']);
    expect(refusalOf(envelope({ trace: { public_key: 'abd' } }, [{ type: 'event' }, event]))).toEqual([
      403,
      'other_receiver',
    ]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no JSON', Buffer.from('hello')],
    ['a list', envelope([text])],
    ['a number for a receiver', envelope({ dsn: 7 })],
    ['an item without a type', envelope({ dsn: text }, [{}, event])],
    ['an item longer than the rest', envelope({ dsn: text }, [{ type: 'event', length: 99_999 }, event])],
    ['an event that is a list', envelope({ dsn: text }, [{ type: 'event' }, [event]])],
    ['an event that is no JSON', envelope({ dsn: text }, [{ type: 'event' }, '{'])],
    ['a negative length', envelope({ dsn: text }, [{ type: 'event', length: -1 }, event])],
  ])('of %s is refused', (_, bytes) => {
    expect(refusalOf(bytes)).toEqual([400, 'malformed_envelope']);
  });

  it.each([
    ['a header of more than 8 KiB', envelope({ dsn: text, more: 'x'.repeat(8_192) })],
    [
      'more than 20 items',
      envelope({ dsn: text }, ...Array.from({ length: 21 }, (): [unknown, unknown] => [{ type: 'session' }, {}])),
    ],
    ['an event of more than 1 MiB', envelope({ dsn: text }, [{ type: 'event' }, { more: 'x'.repeat(1_048_576) }])],
  ])('with %s is too large', (_, bytes) => {
    expect(refusalOf(bytes)).toEqual([413, 'body_too_large']);
  });

  it('keeps only items of known kinds, scrubbed, and writes them again', () => {
    const read = parseEnvelope(
      envelope(
        { dsn: text, event_id: id, sent_at: '2026-05-01T10:00:00.000Z', sdk: { name: 'Moreau' } },
        [{ type: 'session' }, { name: 'Moreau' }],
        [{ type: 'attachment', filename: 'Moreau' }, 'Moreau'],
        [{ type: 'user_report' }, { comments: 'Moreau' }],
        [{ type: 'event', content_type: 'Moreau' }, event],
        [{ type: 'transaction' }, { type: 'transaction', transaction: '/404' }],
        [{ type: 'transaction' }, { type: 'transaction', transaction: '/patients?Moreau' }],
      ),
      ours,
    );
    const written = writeEnvelope(read).toString();
    expect(written).not.toContain('Moreau');
    expect(
      written
        .split('\n')
        .filter((line) => line !== '')
        .map((line): unknown => JSON.parse(line)),
    ).toEqual([
      { event_id: id, sent_at: '2026-05-01T10:00:00.000Z' },
      { type: 'event', length: expect.any(Number) as number },
      { event_id: id, exception: { values: [{ type: 'TypeError', value: 'Message withheld' }] } },
      { type: 'transaction', length: expect.any(Number) as number },
      { type: 'transaction', transaction: '/patients' },
    ]);
  });

  it.each(['[{"type":4}]', '{"segment_id":0}\n[{"type":4}]', '{"segment_id":0,"name":"Moreau"}\nx', ''])(
    'drops a recording that did not come through our worker: %j',
    (recording) => {
      const given = envelope({ dsn: text }, [{ type: 'replay_recording', length: recording.length }, recording]);
      expect(parseEnvelope(given, ours).items).toEqual([]);
    },
  );

  it('carries a recording through byte by byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const recording = Buffer.concat([Buffer.from('{"segment_id":7}\nx'), bytes]);
        const given = Buffer.concat([
          envelope({ dsn: text }, [{ type: 'replay_recording', length: recording.length }, '']),
          recording,
        ]);
        expect(parseEnvelope(given, ours).items).toEqual([
          { type: 'replay_recording', payload: recording, event: null },
        ]);
      }),
    );
  });

  it('of any bytes is read or refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.boolean(), (bytes, headed) => {
        const given = headed ? Buffer.concat([envelope({ dsn: text }), Buffer.from('\n'), bytes]) : Buffer.from(bytes);
        const refusal = refusalOf(given);
        expect(refusal === null || [400, 403, 413].includes(refusal[0])).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
