import { lastReadAs, readAs, sentText, shownWords, takenRange } from './readAs';
import type { SentValue } from './schema';

const sent = (value: number, id = '%', text = ''): SentValue => ({ value, unit: { id, text, system: '' } });
const spo2 = { kind: 'spo2', isUnitless: false } as const;

describe('what the numbers of a code would be', () => {
  it.each([
    [sent(97), '97 %'],
    [sent(0), '0 %'],
    [sent(101), 'No value: outside 0 to 100 %'],
    [sent(97, 'mm[Hg]'), 'Refused: not a unit of it'],
    [sent(97, ''), 'Refused: not a unit of it'],
  ])('%j: %s', (value, words) => {
    expect(readAs(spo2, value)).toBe(words);
  });

  it('is in the unit of the vital sign', () => {
    expect(readAs({ kind: 'temperature', isUnitless: false }, sent(98.6, '[degF]'))).toBe('37.0 °C');
    expect(readAs({ ...spo2, isUnitless: true }, sent(97, ''))).toBe('97 %');
  });

  it('is one sentence for all of them', () => {
    expect(lastReadAs(spo2, [])).toBe('It has sent no number since the server started.');
    expect(lastReadAs(spo2, [sent(97)])).toBe('Its last values would be 97 %.');
    expect(lastReadAs(spo2, [sent(97), sent(92), sent(140)])).toBe(
      'Its last values would be 92 to 97 %. 1 of 3 would not be taken.',
    );
    expect(lastReadAs(spo2, [sent(140), sent(97, 'kg')])).toBe('None of its last 2 values would be taken.');
  });
});

it('says what was sent, with its unit', () => {
  expect([sent(97), sent(36.9, '268192', 'Cel'), sent(1, '')].map(sentText)).toEqual([
    '97 %',
    '36.9 Cel',
    '1 without a unit',
  ]);
});

it('says what the vital sign shows now, and in which range it is taken', () => {
  expect(shownWords('spo2', undefined)).toBe('No patient here has SpO2 now.');
  expect(shownWords('spo2', { count: 1, min: 97, middle: 97, max: 97 })).toBe('One patient here has SpO2 97 % now.');
  expect(shownWords('spo2', { count: 24, min: 88, middle: 96, max: 99 })).toBe(
    '24 patients here have SpO2 88 to 99 % now, 96 % in the middle.',
  );
  expect(takenRange('temperature')).toBe('10.0 to 46.0 °C');
});
