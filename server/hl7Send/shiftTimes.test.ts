import fc from 'fast-check';
import { damaged, latin1, twoPatients } from '../../test/damagedMessage';
import { fuzzRuns } from '../../test/fuzzRuns';
import { shiftTimes, timeOf } from './shiftTimes';

const site = { timeZone: 'Europe/Berlin', receivedAt: Date.parse('2026-05-01T10:00:00Z') };
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const shifted = (line: string, ms: number): string =>
  textOf(shiftTimes(latin1(`MSH|^~\\&|A|B\r${line}\r`), ms, site)).split('\r')[1] ?? '';

describe('shiftTimes', () => {
  it.each([
    ['PID|||A||Abel||19500101', 'PID|||A||Abel||19500101'],
    ['OBR|1||||||20260501', 'OBR|1||||||20260501'],
    ['OBR|1||||||20260501100000', 'OBR|1||||||20260501110000'],
    ['OBR|1||||||202605011000', 'OBR|1||||||202605011100'],
    ['OBR|1||||||20260501233000.5', 'OBR|1||||||20260502003000.5'],
    ['OBR|1||||||20260501100000.1234-0500', 'OBR|1||||||20260501110000.1230-0500'],
    ['OBX|1|NM|1||20260501100000||||||F|||20260501100000^S', 'OBX|1|NM|1||20260501100000||||||F|||20260501110000^S'],
    // The clocks go forward between the two.
    ['OBR|1||||||20260329013000', 'OBR|1||||||20260329033000'],
  ])('makes of %s, an hour later, %s', (before, after) => {
    expect(shifted(before, 3_600_000)).toBe(after);
  });

  it('moves the time of the message as well, and changes nothing else', () => {
    expect(textOf(shiftTimes(latin1(twoPatients), 60_000, site))).toBe(
      twoPatients.replaceAll('202605011000', '202605011001').replaceAll('202605010955', '202605010956'),
    );
  });

  it('changes nothing for a shift of 0, and never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(damaged, fc.integer({ min: -1e12, max: 1e12 }), (bytes, ms) => {
        // More than three digits behind the second are not kept.
        const isFiner = /\d{8}(?:\d{2}){2,3}\.\d{4,}/.test(textOf(bytes));
        fc.pre(!isFiner);
        expect(textOf(shiftTimes(bytes, 0, site))).toBe(textOf(bytes));
        expect(shiftTimes(bytes, ms, site)).toBeInstanceOf(Uint8Array);
      }),
      fuzzRuns,
    );
  });
});

describe('timeOf', () => {
  it.each([
    ['MSH|^~\\&|||||20260501100009\rOBR|1||||||20260501100000', '2026-05-01T08:00:00Z'],
    ['MSH|^~\\&|||||20260501100009\rOBR|1', '2026-05-01T08:00:09Z'],
    ['MSH|^~\\&|\rOBR|1||||||20260501', null],
    ['GET / HTTP/1.1', null],
  ])('reads of %j when it is from', (text, expected) => {
    expect(timeOf(latin1(text), site)).toBe(expected === null ? null : Date.parse(expected));
  });
});
