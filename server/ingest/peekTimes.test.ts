import fc from 'fast-check';
import { peekTimes } from './peekTimes';

const at = Date.parse('2026-03-01T08:00:00.000Z');
const sample = (takenAt: string): object => ({ patientId: 1, kind: 'spo2', value: 97, takenAt });

describe('peekTimes', () => {
  it.each([
    ['a call', JSON.stringify({ sentAt: '2026-03-01T08:00:00Z', samples: [sample('2026-03-01T09:00:00+01:00')] })],
    ['a call with blanks', '{ "sentAt" : "2026-03-01T08:00:00Z",\n"samples": [{"takenAt"\t: "2026-03-01T08:00:00Z"}]}'],
    ['a call that is cut', '{"sentAt":"2026-03-01T08:00:00Z","samples":[{"takenAt":"2026-03-01T08:00:00Z"'],
  ])('reads the times of %s', (_, text) => {
    expect(peekTimes(text)).toEqual({ sentAt: at, takenAt: [at] });
  });

  it('says null of what is no instant, and nothing of what is no text', () => {
    expect(peekTimes('{"samples":[{"takenAt":"yesterday"},{"takenAt":5},{"takenAt":null}]}')).toEqual({
      sentAt: null,
      takenAt: [null],
    });
  });

  it('reads any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, inside) => {
        expect(peekTimes(`${before}"takenAt":"${inside}`).takenAt.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
