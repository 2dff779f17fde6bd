import { heldWords } from './heldWords';
import type { HeldValues } from './schema';

const held: HeldValues = {
  ...{ unit: 'North', bed: '7', change: 'begin', release: null },
  stay: { from: '2026-05-01T14:02:10Z', until: null },
  ...{ first: '2026-05-01T14:02:30Z', last: '2026-05-01T14:06:00Z' },
};
const by = { id: 1, name: 'Ann Lee' };
const released = { id: 1, by, releasedAt: '2026-05-01T14:04:00Z', at: '2026-05-01T14:02:10Z' };
const wordsAt = (time: string, more: Partial<HeldValues> = {}): string =>
  heldWords({ ...held, ...more }, Date.parse(`2026-05-01T${time}Z`), 'UTC');

describe('heldWords', () => {
  it('says that values are held while the bed changes, and between which times afterwards', () => {
    expect(wordsAt('14:07:10')).toBe(
      'Values from the monitor of bed 7 are held since 14:02: the bed has just changed.',
    );
    expect(wordsAt('14:07:11')).toBe(
      'Values from the monitor of bed 7 from 14:02 to 14:06 are held: the bed had just changed.',
    );
    expect(wordsAt('14:03:00', { change: 'end' })).toMatch('from 14:02 to 14:06 are held');
  });

  it.each([
    ['reading' as const, 'Those that were held are being read.'],
    [
      'key_missing' as const,
      'Those that were held wait: the key of the messages cannot be read. Ask who runs the server.',
    ],
    [
      { values: 1_234, leftOut: 0, unread: 0, first: '2026-05-01T14:02:30Z', last: '2026-05-01T14:04:00Z' },
      '1,234 held values from 14:02 to 14:04 are in the chart.',
    ],
    [
      { values: 1, leftOut: 2, unread: 3, first: '2026-05-01T14:02:30Z', last: '2026-05-01T14:02:30Z' },
      '1 held value of 14:02 is in the chart. Left out: 2. Messages that could not be read: 3.',
    ],
    [{ values: 0, leftOut: 0, unread: 0, first: null, last: null }, 'None of those that were held is in the chart.'],
  ])('says what became of those that were held: %j', (read, words) => {
    expect(wordsAt('14:05:00', { release: { ...released, read } })).toBe(
      `Values from the monitor of bed 7 count from 14:02 on, released by Ann Lee. ${words}`,
    );
  });

  it('says until when they count that were before the end of a stay', () => {
    const release = { ...released, read: 'reading' as const };
    expect(wordsAt('14:05:00', { change: 'end', release })).toMatch('bed 7 count until 14:02, released');
  });
});
