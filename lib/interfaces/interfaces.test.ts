import { lastReadAs, readAs, sentText, shownWords, takenRange } from '../mappings/readAs';
import type { SentValue } from '../mappings/schema';
import { nothingSeen } from '../hl7/seenStructure';
import { unanswered, versionOne } from '../hl7/senderSettings';
import { clockWords, rateWords, tookWords } from './senderWords';
import { answerWords, seenWords } from './settingsWords';

describe('senderWords', () => {
  it.each([
    [0, 5, '0 a minute'],
    [0.2, 5, '0.2 a minute'],
    [1, 5, '1 a minute'],
    [9.8, 5, '9.8 a minute'],
    [1_234.4, 5, '1234 a minute'],
    [1, 1, '1 in 1 min'],
    [42 / 4, 4, '42 in 4 min'],
  ])('says of %p messages a minute in %i minutes "%s"', (perMinute, minutes, words) => {
    expect(rateWords({ perMinute, minutes })).toBe(words);
  });

  it('says no rate while none is known', () => {
    expect(rateWords(null)).toBe('Rate not known yet');
  });

  it.each([
    [1, '1 ms'],
    [990, '990 ms'],
    [1_300, '1.3 s'],
    [12_000, '12 s'],
  ])('says of %i ms "%s"', (ms, words) => {
    expect(tookWords(ms)).toBe(words);
  });

  describe('the clocks of monitors', () => {
    it('are not called right while nothing is known of them', () => {
      expect(clockWords(null)).toBe('Not known yet');
    });

    it.each([
      [0, 0, 'Right'],
      [-200, 300, 'Right'],
      [2_000, 2_400, '2 s behind'],
      [-180_000, -180_000, '3 min ahead'],
      [-180_000, 2_000, '2 s behind to 3 min ahead'],
      [2_000, 180_000, '2 s to 3 min behind'],
      [-180_000, -2_000, '2 s to 3 min ahead'],
      [-180_000, 100, '0 s to 3 min ahead'],
      [-100, 180_000, '0 s to 3 min behind'],
      [-180_000, -100, '0 s to 3 min ahead'],
      [-2_000, 2_000, '2 s behind to 2 s ahead'],
      [100, 180_000, '0 s to 3 min behind'],
    ])('that are %i to %i ms behind are "%s"', (least, most, words) => {
      expect(clockWords({ least, most })).toBe(words);
    });
  });
});

describe('settingsWords', () => {
  it('have words for what holds before and after', () => {
    expect(Object.values(answerWords(unanswered)).filter((words) => words === '')).toEqual([]);
    expect(answerWords(versionOne)).toMatchObject({
      identifiers: 'MR of the site’s authorities is the MRN',
      beside: 'Family name and birth date, if they are sent: the MRN alone is enough',
      quarantine: 'AA if some of it is, AE if all is',
    });
    const code = { id: '150456', text: '', system: 'MDC' };
    expect(
      answerWords({
        ...unanswered,
        timeZone: 'Asia/Tokyo',
        charset: 'BIG-5',
        isZeroRateNoSignal: true,
        missingStatus: 'F',
        identifiers: [
          { type: '', authority: '', is: 'mrn' },
          { type: 'VN', authority: 'HOSP', is: 'none' },
        ],
        sentinels: [{ code, values: [127, 511] }],
        texts: [
          { code: { ...code, text: 'Sat' }, isMeant: true },
          { code: { id: '1', text: 'CO', system: 'L' }, isMeant: true },
          { code: { ...code, text: 'SpO2 CO' }, isMeant: false },
        ],
        missingUnits: [
          { code, unit: '%' },
          { code, sent: 'pct', unit: '%' },
        ],
        coreTemperatures: ['', 'T1'],
      }),
    ).toMatchObject({
      identifiers: 'Without a type is the MRN; VN of HOSP counts as absent',
      ...{ timeZone: 'Asia/Tokyo', charset: 'BIG-5', missingStatus: 'Treat as final' },
      isZeroRateNoSignal: 'No signal: a real asystole raises no alert',
      sentinels: '127, 511 under 150456 MDC',
      texts:
        '150456 comes with the text “Sat”: it means SpO2; 1 comes with the text “CO”: it means its number; ' +
        '150456 comes with the text “SpO2 CO”: it is no value',
      missingUnits: '150456 MDC is in %; 150456 MDC in “pct” is in %',
      coreTemperatures: 'Without OBX-4 is the core temperature; T1 is the core temperature',
    });
  });

  it('say what messages look like, and that there was none', () => {
    expect(seenWords(nothingSeen())).toEqual(['No message since the server started']);
    expect(
      seenWords({
        ...{ messages: 3, notUtf8: 1, withoutStatus: 2, beds: [{ shape: 'a^^9', count: 3 }] },
        ...{ texts: [], temperatures: [] },
        identifiers: [
          { type: '', authority: '', field: 3, count: 2 },
          { type: 'PI', authority: 'HOSP', field: 2, count: 1 },
        ],
        codes: [
          { id: '150456', text: '', system: 'MDC', unit: '%', isKnown: true, count: 3 },
          { id: 'X', text: 'Y', system: 'L', unit: '', isKnown: false, count: 1 },
        ],
        zones: [{ zone: '', count: 3 }],
        charsets: [],
        people: { all: 3, familyNames: 2, givenNames: 1, birthDates: 0 },
      }),
    ).toEqual([
      'Messages: 3, 2 without OBX-11',
      'Numbers: Without a type in PID-3 (2), PI of HOSP in PID-2 (1)',
      'Patients: family name in 2, given name in 1, birth date in 0 of 3',
      'Beds like: a^^9 (3)',
      'Zone of MSH-7: empty (3)',
      'MSH-18: none, 1 not UTF-8',
      'Codes: 150456 MDC, % (3), X Y L, not known, no unit (1)',
    ]);
  });
});

describe('readAs', () => {
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
});
