import fc from 'fast-check';
import { inventedValue, secondsAgo, wardNow } from '../../test/inventedWard';
import { toInstant } from '../time/schema';
import { disagree, isDisputed, isWorse, otherDeviceNumber } from './disagreement';
import { type Freshness, freshnessOf, isAgeKnown, offAfterMs } from './freshness';
import { isSpotChecked } from './isSpotChecked';
import { consciousnessLevels, isVitalKind, kindOfCode, kinds, type VitalKind, vitalKinds } from './kinds';
import { newestAsOf } from './newestAsOf';
import { isPresent, presentUntil } from './presence';
import { formatVital, roundVital } from './roundVital';
import { ingestBody, ingestSample, type LatestValue, latestValues, vitalSeries, vitalsQuery } from './schema';
import { shownRate } from './shownRate';
import { shownValue } from './shownValue';
import { ValidityHistory } from './validity';

describe('freshnessOf', () => {
  const second = 1_000;
  const hour = 3_600_000;

  // E = 1 s: the floors of 10, 30 and 60 s decide. E = 10 s: 1.5 E, then the floors. E = 1 h: 1.5 E, 2 E and 4 E.
  it.each<[age: number, every: number, freshness: Freshness]>([
    [-2_001, second, 'off'],
    [-2_000, second, 'live'],
    [-1, second, 'live'],
    [0, second, 'live'],
    [10_000, second, 'live'],
    [10_001, second, 'ageing'],
    [30_000, second, 'ageing'],
    [30_001, second, 'stale'],
    [60_000, second, 'stale'],
    [60_001, second, 'off'],
    [15_000, 10 * second, 'live'],
    [15_001, 10 * second, 'ageing'],
    [30_000, 10 * second, 'ageing'],
    [30_001, 10 * second, 'stale'],
    [60_000, 10 * second, 'stale'],
    [60_001, 10 * second, 'off'],
    [1.5 * hour, hour, 'live'],
    [1.5 * hour + 1, hour, 'ageing'],
    [2 * hour, hour, 'ageing'],
    [2 * hour + 1, hour, 'stale'],
    [4 * hour, hour, 'stale'],
    [4 * hour + 1, hour, 'off'],
  ])('calls an age of %d ms, with a value expected every %d ms, %s', (age, every, freshness) => {
    expect(freshnessOf(age, every)).toBe(freshness);
  });

  it('withdraws a value whose age is unknown', () => {
    expect(freshnessOf(Number.NaN, second)).toBe('off');
    expect(freshnessOf(Number.POSITIVE_INFINITY, second)).toBe('off');
  });

  it('never grows fresher with age', () => {
    const order: Freshness[] = ['live', 'ageing', 'stale', 'off'];
    const age = fc.integer({ min: -2_000, max: 1_000 * hour });
    fc.assert(
      fc.property(age, age, fc.integer({ min: 1, max: 48 * hour }), (one, other, every) => {
        const younger = order.indexOf(freshnessOf(Math.min(one, other), every));
        const older = order.indexOf(freshnessOf(Math.max(one, other), every));
        expect(older).toBeGreaterThanOrEqual(younger);
      }),
    );
  });

  it('withdraws whatever lies more than 2 s in the future, however rarely a value is due', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2_001, max: 1_000 * hour }),
        fc.integer({ min: 1, max: 48 * hour }),
        (ms, every) => {
          expect([isAgeKnown(-ms), freshnessOf(-ms, every)]).toEqual([false, 'off']);
        },
      ),
    );
  });

  it('never shows as live what is older than 10 s and later than one and a half intervals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 48 * hour }), fc.integer({ min: 1, max: 100 * hour }), (every, extra) => {
        const age = Math.floor(Math.max(10_000, 1.5 * every)) + extra;
        expect(freshnessOf(age, every)).not.toBe('live');
      }),
    );
  });

  it('withdraws a value right after the age that is named as its last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 48 * hour }), (every) => {
        const last = offAfterMs(every);
        expect([freshnessOf(last, every), freshnessOf(last + 1, every)]).toEqual(['stale', 'off']);
      }),
    );
  });
});

describe('isSpotChecked', () => {
  it.each([
    ['home', undefined, true],
    ['home', 1_000, true],
    ['continuous', undefined, false],
    ['continuous', 60_000, false],
    ['continuous', 599_999, false],
    ['continuous', 600_000, true],
  ] as const)('for %s every %s ms: %s', (profile, everyMs, spot) => {
    expect(isSpotChecked(profile, everyMs)).toBe(spot);
  });
});

describe('the table of kinds', () => {
  it.each(['', 'SpO2', 'spo2 ', 'constructor', '__proto__', 'toString'])('does not know %j', (text) => {
    expect(isVitalKind(text)).toBe(false);
  });

  it('refuses a code that no kind has', () => {
    expect(() => kindOfCode(0)).toThrow('No vital kind has the code 0');
    expect(() => kindOfCode(12)).toThrow('No vital kind has the code 12');
  });

  it('keeps the codes that rows on disk already carry', () => {
    expect(vitalKinds.map((kind) => [kind, kinds[kind].code])).toEqual([
      ['spo2', 1],
      ['heartRate', 2],
      ['pulseRate', 3],
      ['respiratoryRate', 4],
      ['temperature', 5],
      ['systolic', 6],
      ['diastolic', 7],
      ['perfusionIndex', 8],
      ['oxygenFlow', 9],
      ['consciousness', 10],
      ['weight', 11],
    ]);
  });

  it.each(vitalKinds)('finds %s by its name and by its code', (kind) => {
    expect(isVitalKind(kind)).toBe(true);
    expect(kindOfCode(kinds[kind].code)).toBe(kind);
  });

  it.each(vitalKinds)('gives %s a range, an interval and a signal limit that can be met', (kind) => {
    const { plausible, expectedEveryMs, signalFrom } = kinds[kind];
    expect(plausible.min).toBeLessThan(plausible.max);
    expect(expectedEveryMs).toBeGreaterThan(0);
    expect(signalFrom ?? plausible.min).toBeGreaterThanOrEqual(plausible.min);
    expect(signalFrom ?? plausible.min).toBeLessThan(plausible.max);
  });

  it('gives no two kinds the same LOINC code, MDC code or label', () => {
    const facts = vitalKinds.map((kind) => kinds[kind]);
    const mdc = facts.flatMap((kind) => (kind.mdc === null ? [] : [kind.mdc]));
    expect(new Set(facts.map((kind) => kind.loinc)).size).toBe(facts.length);
    expect(new Set(mdc).size).toBe(mdc.length);
    expect(new Set(facts.map((kind) => kind.label)).size).toBe(facts.length);
  });

  it('takes an SpO2 of 0 and a pulse below 20 as no signal, and every ECG heart rate as a value', () => {
    expect(kinds.spo2.signalFrom).toBe(1);
    expect(kinds.pulseRate.signalFrom).toBe(20);
    expect(kinds.heartRate.signalFrom).toBeNull();
  });

  it('takes as continuous what a monitor measures by itself, second by second', () => {
    const continuous = vitalKinds.filter((kind) => kinds[kind].continuous);
    expect(continuous).toEqual(['spo2', 'heartRate', 'pulseRate', 'respiratoryRate', 'perfusionIndex']);
  });

  it('has a letter for every plausible level of consciousness', () => {
    expect(consciousnessLevels).toHaveLength(kinds.consciousness.plausible.max - kinds.consciousness.plausible.min + 1);
  });
});

describe('newestAsOf', () => {
  const at = (asOf: string) => inventedValue({ asOf });

  it.each([
    ['no patient', []],
    ['patients without a value', [{ latest: {} }]],
    ['an instant that is none', [{ latest: { spo2: at('yesterday') } }]],
  ])('is unknown for %s', (_, patients) => {
    expect(newestAsOf(patients)).toBeNull();
  });

  it('is that of the newest value of any kind and any patient', () => {
    const patients = [
      { latest: { spo2: at('2026-03-07T15:00:01Z'), heartRate: at('2026-03-07T15:00:03Z') } },
      { latest: { spo2: at('2026-03-07T15:00:02Z') } },
    ];
    expect(newestAsOf(patients)).toBe(Date.parse('2026-03-07T15:00:03Z'));
  });
});

describe('a source is present', () => {
  const at = 1_000_000;

  it.each([
    ['a second', 1_000, 10_000],
    ['6 s', 6_000, 10_000],
    ['10 s', 10_000, 15_000],
    ['a minute', 60_000, 90_000],
    ['15 min', 900_000, 1_350_000],
  ])('at a pace of %s up to 1.5 times that after its last valid value, and at least 10 s', (_, everyMs, lastsMs) => {
    const source = { validAt: at, invalidSince: null, everyMs };
    expect(isPresent(source, at)).toBe(true);
    expect(isPresent(source, at + lastsMs)).toBe(true);
    expect(isPresent(source, at + lastsMs + 1)).toBe(false);
  });

  it.each([
    ['a second', 1_000, 1_000, 10_000],
    ['a minute', 60_000, 5_000, 15_000],
    ['a minute', 60_000, 60_000, 70_000],
    ['15 min', 900_000, 60_000, 70_000],
  ])('at a pace of %s not for more than 10 s of invalid values alone', (_, everyMs, invalidAfterMs, lastsMs) => {
    const source = { validAt: at, invalidSince: at + invalidAfterMs, everyMs };
    expect(isPresent(source, at + lastsMs)).toBe(true);
    expect(isPresent(source, at + lastsMs + 1)).toBe(false);
  });

  it('never without a valid value', () => {
    expect(isPresent({ validAt: null, invalidSince: null, everyMs: 1_000 }, at)).toBe(false);
    expect(isPresent({ validAt: null, invalidSince: at, everyMs: 1_000 }, at)).toBe(false);
  });

  it('for one stretch of time, which ends at the time that is named', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), fc.option(fc.nat(2_000_000)), fc.nat(900_000), (later, invalid, everyMs) => {
        const source = { validAt: at, invalidSince: invalid === null ? null : at + invalid, everyMs };
        expect(isPresent(source, at + later)).toBe(at + later <= (presentUntil(source) ?? 0));
      }),
    );
  });
});

describe('roundVital', () => {
  const numericKinds = vitalKinds.filter((kind) => kind !== 'consciousness');
  const kindAndValue = fc.constantFrom(...numericKinds).chain((kind) => {
    const { min, max } = kinds[kind].plausible;
    return fc.tuple(fc.constant<VitalKind>(kind), fc.double({ min, max, noNaN: true }));
  });

  describe('roundVital', () => {
    it.each<[VitalKind, number, number]>([
      ['spo2', 0, 0],
      ['spo2', 87.49, 87],
      ['spo2', 87.5, 88],
      ['spo2', 88.5, 89],
      ['spo2', 100, 100],
      ['heartRate', 0.4, 0],
      ['heartRate', 39.5, 40],
      ['temperature', 38.04, 38],
      ['temperature', 38.05, 38.1],
      ['temperature', 38.15, 38.2],
      ['temperature', 35.95, 36],
      ['perfusionIndex', 0.25, 0.3],
      ['weight', 80.05, 80.1],
    ])('rounds %s %d half up to %d', (kind, value, rounded) => {
      expect(roundVital(kind, value)).toBe(rounded);
    });

    it('moves no value by more than half a step, and a rounded value not at all', () => {
      fc.assert(
        fc.property(kindAndValue, ([kind, value]) => {
          const rounded = roundVital(kind, value);
          expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.5 / 10 ** kinds[kind].precision + 1e-8);
          expect(roundVital(kind, rounded)).toBe(rounded);
        }),
      );
    });

    it('keeps the order of values', () => {
      fc.assert(
        fc.property(kindAndValue, fc.double({ min: 0, max: 50, noNaN: true }), ([kind, value], more) => {
          expect(roundVital(kind, value + more)).toBeGreaterThanOrEqual(roundVital(kind, value));
        }),
      );
    });
  });

  describe('formatVital', () => {
    it.each<[VitalKind, number, string]>([
      ['heartRate', 0, '0'],
      ['spo2', 97.6, '98'],
      ['temperature', 37, '37.0'],
      ['oxygenFlow', 0.05, '0.1'],
    ])('writes %s %d as %s', (kind, value, text) => {
      expect(formatVital(kind, value)).toBe(text);
    });

    it.each(consciousnessLevels.map((letter, value) => [value, letter] as const))(
      'writes level %d of consciousness as %s',
      (value, letter) => {
        expect(formatVital('consciousness', value)).toBe(letter);
      },
    );

    it('writes an unknown level of consciousness as no value', () => {
      expect(formatVital('consciousness', 5)).toBe('--');
      expect(formatVital('consciousness', -1)).toBe('--');
    });

    it('writes what was rounded, so that the shown value is the evaluated value', () => {
      fc.assert(
        fc.property(kindAndValue, ([kind, value]) => {
          expect(Number(formatVital(kind, value))).toBe(roundVital(kind, value));
        }),
      );
    });
  });
});

describe('schema', () => {
  const sample = { mrn: 'A-1', kind: 'spo2', value: 97, takenAt: '2026-05-01T10:00:00Z' };

  describe('a sample of the ingest call', () => {
    it.each([
      ['no kind', { kind: undefined }],
      ['an unknown kind', { kind: 'SpO2' }],
      ['the name of a method for a kind', { kind: 'constructor' }],
      ['no value', { value: undefined }],
      ['null for a value', { value: null }],
      ['a number written as text', { value: '97' }],
      ['NaN', { value: Number.NaN }],
      ['what 1e999 becomes', { value: JSON.parse('1e999') as unknown }],
      ['a letter that is no level of consciousness', { kind: 'consciousness', value: 'X' }],
      ['a small letter for a level', { kind: 'consciousness', value: 'a' }],
      ['no time', { takenAt: undefined }],
      ['epoch milliseconds', { takenAt: 1_777_629_600_000 }],
      ['a time of 41 characters', { takenAt: `2026-05-01T10:00:00${'0'.repeat(21)}Z` }],
      ['a quality that is not listed', { quality: 'bad' }],
      ['an empty MRN', { mrn: '' }],
      ['an MRN of 65 characters', { mrn: 'x'.repeat(65) }],
      ['patient 0', { patientId: 0 }],
      ['half a patient', { patientId: 1.5 }],
      ['a patient’s id as text', { patientId: '1' }],
    ])('is refused with %s', (_, change) => {
      expect(ingestSample.safeParse({ ...sample, ...change }).success).toBe(false);
    });

    it.each(vitalKinds)('may be of the kind %s', (kind) => {
      expect(ingestSample.parse({ ...sample, kind, value: 1 }).kind).toBe(kind);
    });

    it('keeps a value of 0, which may be an asystole', () => {
      expect(ingestSample.parse({ ...sample, kind: 'heartRate', value: 0 }).value).toBe(0);
    });

    it('takes the letters of ACVPU', () => {
      expect(
        ['A', 'C', 'V', 'P', 'U'].map((value) => ingestSample.parse({ ...sample, kind: 'consciousness', value }).value),
      ).toEqual(['A', 'C', 'V', 'P', 'U']);
    });

    it('returns a sample or a fault for any input, and never throws', () => {
      fc.assert(
        fc.property(
          fc.oneof(fc.anything(), fc.record({ kind: fc.anything(), value: fc.anything(), takenAt: fc.anything() })),
          (input) => {
            expect(typeof ingestSample.safeParse(input).success).toBe('boolean');
          },
        ),
      );
    });
  });

  describe('the body of the ingest call', () => {
    it.each([
      ['no samples', {}],
      ['one sample that is not in a list', { samples: sample }],
      ['a clock without an offset', { sentAt: '2026-05-01T10:00:00', samples: [] }],
      ['a list', [sample]],
      ['null', null],
    ])('is refused with %s', (_, body) => {
      expect(ingestBody.safeParse(body).success).toBe(false);
    });

    it('accepts bad samples, which are evaluated one by one, so that they never cost the good ones', () => {
      expect(ingestBody.parse({ samples: [sample, null, 7, {}] }).samples).toEqual([sample, null, 7, {}]);
    });
  });

  describe('the query of a chart', () => {
    it.each([
      ['an unknown kind', { kind: 'spo2,hr' }],
      ['an empty kind', { kind: '' }],
      ['a comma too many', { kind: 'spo2,' }],
      ['kinds of 201 characters', { kind: 'spo2,'.repeat(41).slice(0, 201) }],
      ['one point', { points: '1' }],
      ['2,001 points', { points: '2001' }],
      ['points that are no number', { points: 'many' }],
      ['a beginning without an offset', { from: '2026-05-01T10:00:00' }],
      ['an end that does not exist', { to: '2026-02-30T10:00:00Z' }],
      ['an unknown field', { limit: '5' }],
    ])('is refused with %s', (_, query) => {
      expect(vitalsQuery.safeParse(query).success).toBe(false);
    });

    it('names the unknown kinds in its refusal', () => {
      expect(vitalsQuery.safeParse({ kind: 'spo2,hr,pulse' }).error?.issues[0]).toMatchObject({
        path: ['kind'],
        message: 'does not know: hr, pulse',
      });
    });

    it('means SpO2 and heart rate in 1,000 points by default', () => {
      expect(vitalsQuery.parse({})).toEqual({ kind: ['spo2', 'heartRate'], points: 1_000 });
    });

    it('takes the fewest and the most points, and each kind once', () => {
      expect(vitalsQuery.parse({ kind: 'pulseRate,spo2,pulseRate', points: '2' })).toEqual({
        kind: ['pulseRate', 'spo2'],
        points: 2,
      });
      expect(vitalsQuery.parse({ points: '2000' }).points).toBe(2_000);
    });
  });

  describe('one kind’s course', () => {
    const takenAt = '2026-05-01T10:00:00.000Z';
    const raw = { takenAt, value: 0, quality: 'good' };
    const bucket = { takenAt, min: 80, max: 99, last: 97, count: 60, questionable: 0 };
    const buckets = { kind: 'spo2', unit: '%', bucketMs: 60_000, points: [bucket], noSignal: [{ takenAt, count: 3 }] };

    it('contains samples if its buckets have no width, else extremes', () => {
      expect(vitalSeries.parse({ kind: 'spo2', unit: '%', bucketMs: 0, points: [raw] }).points).toEqual([raw]);
      expect(vitalSeries.parse(buckets)).toEqual(buckets);
    });

    it('never mixes the two', () => {
      expect(vitalSeries.safeParse({ ...buckets, points: [raw] }).success).toBe(false);
      expect(vitalSeries.safeParse({ ...buckets, bucketMs: 0 }).success).toBe(false);
    });
  });

  describe('the latest values', () => {
    it('may lack any kind, and contain no unknown kind', () => {
      expect(latestValues.parse({})).toEqual({});
      expect(latestValues.safeParse({ mood: {} }).success).toBe(false);
    });
  });
});

describe('shownRate', () => {
  const now = Date.parse('2026-03-07T15:00:00Z');

  function aged(seconds: number, change: Partial<LatestValue> = {}): LatestValue {
    const asOf = new Date(now - seconds * 1000).toISOString();
    return {
      value: 80,
      unit: '/min',
      takenAt: asOf,
      receivedAt: asOf,
      asOf,
      quality: 'good',
      source: 'monitor',
      expectedEveryMs: 1_000,
      lastValid: null,
      ...change,
    };
  }

  it.each([
    ['the heart rate before the pulse rate', { heartRate: aged(1), pulseRate: aged(1) }, 'heartRate'],
    ['a heart rate of 0, which is a value', { heartRate: aged(1, { value: 0 }), pulseRate: aged(1) }, 'heartRate'],
    ['a stale heart rate before a live pulse rate', { heartRate: aged(60), pulseRate: aged(1) }, 'heartRate'],
    ['the pulse rate where the heart rate is off', { heartRate: aged(61), pulseRate: aged(1) }, 'pulseRate'],
    [
      'the pulse rate where the heart rate has no signal',
      { heartRate: aged(1, { quality: 'invalid' }), pulseRate: aged(1) },
      'pulseRate',
    ],
    ['the heart rate where both are off', { heartRate: aged(600), pulseRate: aged(600) }, 'heartRate'],
    ['the pulse rate where it is the only one, also when off', { pulseRate: aged(600) }, 'pulseRate'],
  ] as const)('shows %s', (_name, latest, kind) => {
    expect(shownRate(latest, now)).toEqual({ kind, latest: (latest as Record<string, LatestValue>)[kind] });
  });

  it('names the heart rate if there is neither', () => {
    expect(shownRate({}, now)).toEqual({ kind: 'heartRate', latest: undefined });
  });
});

describe('a value in a chip', () => {
  const live = { now: wardNow, serverLost: null, timeZone: 'UTC' };
  const show = (change: Partial<LatestValue>, context: Partial<Parameters<typeof shownValue>[2]> = {}) => {
    const { number, note, state } = shownValue('spo2', inventedValue(change), { ...live, ...context });
    return [number, note, state];
  };

  it.each([
    [2, ['97', '2 s', 'live']],
    [30, ['97', 'ageing, 30 s', 'ageing']],
    [31, ['97', 'stale, 31 s', 'stale']],
    [60, ['97', 'stale, 1 min', 'stale']],
    [61, ['--', 'last 97, 14:58', 'off']],
  ])('is never shown without its age, and withdrawn after %d s if that is too old', (age, shown) => {
    expect(show({ asOf: secondsAgo(age) })).toEqual(shown);
  });

  it('is withdrawn without a signal, with the last measured value and its time', () => {
    const lastValid = { value: 77, takenAt: secondsAgo(600), asOf: secondsAgo(600) };
    expect(show({ value: 0, quality: 'invalid', lastValid })).toEqual(['--', 'last 77, 14:50', 'no-signal']);
    expect(show({ value: 0, quality: 'invalid' })).toEqual(['--', 'no signal', 'no-signal']);
  });

  it('names the day of a last value that is not of today', () => {
    expect(show({ asOf: secondsAgo(86_400) })).toEqual(['--', 'last 97, 06 Mar, 15:00', 'off']);
  });

  it('is withdrawn without a time if it lies in the future', () => {
    expect(show({ asOf: secondsAgo(-60) })).toEqual(['--', 'time unknown, last 97', 'off']);
  });

  it('says that it is not live, uncertain, not stored or of another device', () => {
    expect(show({}, { serverLost: wardNow - 20_000 })[1]).toBe('not live, 2 s');
    expect(show({ quality: 'questionable' })[1]).toBe('uncertain, 2 s');
    expect(show({ notStored: true })[1]).toBe('not stored, 2 s');
    expect(show({ isSubstitute: true, source: 'oximeter' })[1]).toBe('oximeter, 2 s');
    expect(show({ ageUnknown: true })[1]).toBe('age unknown');
  });

  it('says what another device says, if that disagrees, first where a note is cut', () => {
    const other = { value: 74, asOf: secondsAgo(1), expectedEveryMs: 1_000, source: 'second' };
    expect(show({ other })[1]).toBe('2 s, other source 74');
    expect(show({ other, notStored: true }, { isNarrow: true })[1]).toBe('other 74, not stored, 2 s');
    expect(show({ other: { ...other, value: 95 } })[1]).toBe('2 s');
  });

  it('is no value if none has come', () => {
    expect(shownValue('spo2', undefined, live)).toEqual({
      state: 'none',
      number: '--',
      isQuestionable: false,
      note: 'no value yet',
    });
  });
});

describe('disagreement', () => {
  describe('two devices of a patient', () => {
    it.each([
      ['spo2', 98, 95, false],
      ['spo2', 98, 94, true],
      ['spo2', 94, 98, true],
      ['heartRate', 80, 89, false],
      ['heartRate', 80, 90, true],
      ['pulseRate', 80, 70, true],
      ['respiratoryRate', 16, 20, false],
      ['respiratoryRate', 16, 21, true],
      ['temperature', 36, 41, false],
    ] as const)('disagree about %s from a distance on: %s and %s, %s', (kind, one, other, expected) => {
      expect(disagree(kind, one, other)).toBe(expected);
    });

    it.each([
      ['the lower SpO2', 'spo2', 74, 98, true],
      ['the higher SpO2', 'spo2', 98, 74, false],
      ['the same SpO2', 'spo2', 98, 98, false],
      ['a rate of 3 points beside one of 1', 'heartRate', 40, 110, true],
      ['a rate of 3 points beside one of 2', 'heartRate', 39, 112, true],
      ['a slow rate beside a fast one of as many points', 'heartRate', 35, 150, true],
      ['a fast rate beside a slow one of as many points', 'heartRate', 150, 35, false],
      ['a fast rate beside a slow one of fewer points', 'pulseRate', 112, 45, true],
      ['the faster of two fast rates', 'pulseRate', 150, 131, true],
      ['the slower of two slow rates', 'pulseRate', 20, 39, true],
      ['another normal rate', 'pulseRate', 60, 80, false],
      ['a fast breathing', 'respiratoryRate', 28, 16, true],
      ['a slow breathing beside a fast one of fewer points', 'respiratoryRate', 8, 24, true],
      ['a temperature', 'temperature', 41, 36, false],
    ] as const)('%s is the worse one or not: %s %s beside %s, %s', (_, kind, value, than, expected) => {
      expect(isWorse(kind, value, than)).toBe(expected);
    });
  });

  it('disputes no value that is not there, or that no other device measures', () => {
    const other = { value: 74, asOf: '2026-01-05T10:00:00.000Z', expectedEveryMs: 1_000 };
    expect(isDisputed('spo2', undefined)).toBe(false);
    expect(isDisputed('spo2', { value: 98 })).toBe(false);
    expect(isDisputed('spo2', { value: 98, other })).toBe(true);
  });

  describe('the number of another device', () => {
    const now = Date.parse('2026-01-05T10:00:00Z');
    const beside = (value: number, other: number, ageMs = 0, more: object = {}) =>
      otherDeviceNumber(
        'spo2',
        { value, other: { value: other, asOf: toInstant(now - ageMs), expectedEveryMs: 1_000, ...more } },
        now,
      );

    it('is its value, if that disagrees', () => {
      expect(beside(98, 74)).toBe('74');
      expect(beside(98, 96)).toBeNull();
      expect(otherDeviceNumber('spo2', { value: 98 }, now)).toBeNull();
    });

    it('is none when its value is stale or from the future', () => {
      expect(beside(98, 74, 30_000)).toBe('74');
      expect(beside(98, 74, 30_001)).toBeNull();
      expect(beside(98, 74, -2_001)).toBeNull();
      expect(beside(98, 74, 30_001, { expectedEveryMs: 60_000 })).toBe('74');
    });

    it('has a question mark if it is uncertain', () => {
      expect(beside(98, 74, 0, { isUncertain: true })).toBe('74?');
    });
  });
});

describe('a probe', () => {
  const start = Date.parse('2026-03-07T12:00:00Z');
  /** Sends a sample a second, valid in the first `valid` of every `of` seconds; returns the verdict of each second. */
  function verdicts(seconds: number, valid: number, of: number, was = false, everyMs = 1_000): boolean[] {
    const history = new ValidityHistory();
    let verdict = was;
    return Array.from({ length: seconds }, (_, second) => {
      const at = start + second * 1_000;
      history.take(at, second % of < valid);
      verdict = history.isUnreliable(verdict, everyMs, at);
      return verdict;
    });
  }

  it.each([
    ['comes and goes, 40 % valid', 4, 10, true],
    ['is valid half of the time', 5, 10, false],
    ['is off all the time', 0, 10, false],
    ['is on all the time', 10, 10, false],
    ['changes four times in 5 min', 40, 150, false],
  ])('that %s is unreliable: %s', (_, valid, of, expected) => {
    expect(verdicts(301, valid, of).at(-1)).toBe(expected);
    expect(verdicts(300, valid, of)).not.toContain(true);
  });

  it('that is slower than one value in 10 s is not judged', () => {
    expect(verdicts(301, 4, 10, false, 10_000).at(-1)).toBe(true);
    expect(verdicts(301, 4, 10, false, 10_001).at(-1)).toBe(false);
  });

  it('is reliable again when 80 % of 2 min are valid, and not before', () => {
    expect(verdicts(300, 7, 10, true).at(-1)).toBe(true);
    expect(verdicts(300, 8, 10, true).at(-1)).toBe(false);
  });

  it('about which nothing is known for 2 min is what it was', () => {
    expect(verdicts(110, 10, 10, true).at(-1)).toBe(true);
    expect(new ValidityHistory().isUnreliable(true, 1_000, start)).toBe(true);
  });

  it('that sends nothing for 2 min is silent, not unreliable', () => {
    const history = new ValidityHistory();
    for (let second = 0; second < 200; second += 1) {
      history.take(start + second * 1_000, second % 10 < 4);
    }
    expect(history.isUnreliable(true, 1_000, start + 400_000)).toBe(false);
    expect(history.isUnreliable(false, 1_000, start + 800_000)).toBe(false);
  });
});
