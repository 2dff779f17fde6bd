import fc from 'fast-check';
import type { z } from 'zod';
import { inventedPatient, inventedValue, wardNow } from '../../test/inventedWard';
import { maxPatientsAtOnce } from '../paths';
import type { LatestValue } from '../vitals/schema';
import { arrangementOf, countMoves, keepArrangement } from './arrangement';
import { groupByReporting, type ReportingGroups, reportingStateOf, reportingStates } from './groupByReporting';
import { areInOtherScripts, initialsAgree, isSuffix, nameKeys, namesAgree, textMatcher } from './names';
import type { News2ExemptFor } from './news2ExemptFor';
import { parseIds } from './parseIds';
import { isChild, noNews2Because, patientNews2 } from './patientNews2';
import { pauseWords } from './pauseWords';
import {
  newPatient,
  type Patient,
  type PatientAlert,
  patientPatch,
  patientsQuery,
  patientsResponse,
  patientsSearch,
} from './schema';
import { staleBeds, type MonitoredPatient } from './staleBeds';
import { type MarkedKind, valueMark } from './valueMark';

describe('a kept arrangement', () => {
  function patient(id: number, version = 1): Patient {
    return {
      id,
      mrn: `A-${id}`,
      givenName: 'Sam',
      familyName: 'Sample',
      dateOfBirth: '1950-03-07',
      sex: 'unknown',
      location: null,
      profile: 'continuous',
      spo2Scale: 1,
      news2ExemptFor: null,
      isTrial: false,
      state: 'active',
      version,
      standby: null,
      comfortCare: null,
      symptoms: null,
      deviceAlarms: [],
      alerts: [],
      latest: {},
    };
  }
  const groups = (change: Partial<ReportingGroups>): ReportingGroups => ({
    noSignal: [],
    silent: [],
    never: [],
    reporting: [],
    ...change,
  });
  const kept = arrangementOf(groups({ silent: [patient(9)], reporting: [patient(1), patient(2), patient(3)] }));
  const ids = ({ silent, reporting }: ReportingGroups) => [silent.map(({ id }) => id), reporting.map(({ id }) => id)];

  it.each([
    [
      'another order',
      groups({ silent: [patient(9)], reporting: [patient(3), patient(1), patient(2)] }),
      [[9], [1, 2, 3]],
      0,
      3,
    ],
    [
      'another group',
      groups({ silent: [patient(2), patient(9)], reporting: [patient(1), patient(3)] }),
      [[9], [1, 2, 3]],
      1,
      2,
    ],
    [
      'somebody new',
      groups({ silent: [patient(9)], reporting: [patient(7), patient(1), patient(2), patient(3)] }),
      [[9], [1, 2, 3, 7]],
      1,
      3,
    ],
    ['somebody gone', groups({ silent: [patient(9)], reporting: [patient(1), patient(2)] }), [[9], [1, 2]], 0, 0],
    [
      'no change',
      groups({ silent: [patient(9)], reporting: [patient(1), patient(2), patient(3)] }),
      [[9], [1, 2, 3]],
      0,
      0,
    ],
  ])('stays as it was with %s', (_, now, shown, toOtherGroup, inGroup) => {
    expect(ids(keepArrangement(now, kept))).toEqual(shown);
    expect(countMoves(now, kept)).toEqual({ toOtherGroup, inGroup });
  });

  it('shows every patient with the newest values', () => {
    const newer = groups({ silent: [patient(2, 8)] });
    expect(keepArrangement(newer, kept).reporting).toEqual([patient(2, 8)]);
  });
});

describe('groupByReporting', () => {
  const now = Date.parse('2026-03-07T15:00:00Z');
  const secondsAgo = (seconds: number): string => new Date(now - seconds * 1_000).toISOString();

  function sample(change: Partial<LatestValue> = {}): LatestValue {
    const at = secondsAgo(2);
    return {
      value: 97,
      unit: '%',
      takenAt: at,
      receivedAt: at,
      asOf: at,
      quality: 'good',
      source: 'monitor',
      expectedEveryMs: 1_000,
      lastValid: null,
      ...change,
    };
  }

  function patient(
    id: number,
    spo2: LatestValue | undefined,
    familyName = 'Sample',
    latest: Patient['latest'] = {},
  ): Patient {
    return {
      id,
      mrn: `A-${id}`,
      givenName: 'Sam',
      familyName,
      dateOfBirth: '1950-03-07',
      sex: 'unknown',
      location: null,
      profile: 'continuous',
      spo2Scale: 1,
      news2ExemptFor: null,
      isTrial: false,
      state: 'active',
      version: 1,
      standby: null,
      comfortCare: null,
      symptoms: null,
      deviceAlarms: [],
      alerts: [],
      latest: { ...latest, ...(spo2 === undefined ? {} : { spo2 }) },
    };
  }
  const lastValidAt = (seconds: number): LatestValue['lastValid'] => ({
    value: 93,
    takenAt: secondsAgo(seconds),
    asOf: secondsAgo(seconds),
  });
  const idsOf = (patients: readonly Patient[]): number[] => patients.map(({ id }) => id);

  describe('the state of a patient’s SpO2', () => {
    it('is "never" without a sample', () => {
      expect(reportingStateOf(undefined, now)).toBe('never');
    });

    it.each([
      ['good', 0, 'reporting'],
      ['good', 60, 'reporting'],
      ['good', 60.001, 'silent'],
      ['good', -2, 'reporting'],
      // A value from the future has no known age, so it is withdrawn.
      ['good', -5, 'silent'],
      ['questionable', 60, 'reporting'],
      ['questionable', 60.001, 'silent'],
      ['invalid', 0, 'noSignal'],
      ['invalid', 60, 'noSignal'],
      ['invalid', 60.001, 'silent'],
    ] as const)('with a %s sample of %d s ago is %s', (quality, seconds, state) => {
      expect(reportingStateOf(sample({ quality, asOf: secondsAgo(seconds) }), now)).toBe(state);
    });

    it.each([
      [4 * 300, 'reporting'],
      [4 * 300 + 0.001, 'silent'],
    ] as const)('accepts a value that is due every 5 min for %d s: %s', (seconds, state) => {
      expect(reportingStateOf(sample({ expectedEveryMs: 300_000, asOf: secondsAgo(seconds) }), now)).toBe(state);
    });

    it('counts the age of a value from its measurement, not from its arrival', () => {
      expect(reportingStateOf(sample({ asOf: secondsAgo(3_600), receivedAt: secondsAgo(1) }), now)).toBe('silent');
    });
  });

  describe('the groups', () => {
    it('show every patient once', () => {
      const spo2 = fc.option(
        fc.record({
          value: fc.integer({ min: 0, max: 100 }),
          age: fc.integer({ min: -10, max: 200 }),
          valid: fc.boolean(),
        }),
      );
      fc.assert(
        fc.property(fc.array(spo2), (made) => {
          const patients = made.map((one, id) =>
            patient(
              id,
              one === null
                ? undefined
                : sample({ value: one.value, asOf: secondsAgo(one.age), quality: one.valid ? 'good' : 'invalid' }),
            ),
          );
          const groups = groupByReporting(patients, now);
          const ids = reportingStates.flatMap((state) => idsOf(groups[state]));
          expect(ids.sort((a, b) => a - b)).toEqual(idsOf(patients));
        }),
      );
    });

    it('put the lowest shown value first, 0 included, and equals by name', () => {
      const { reporting } = groupByReporting(
        [
          patient(1, sample({ value: 97 })),
          patient(2, sample({ value: 92.4 }), 'Zimmer'),
          patient(3, sample({ value: 91.6 }), 'Abara'),
          patient(4, sample({ value: 0 })),
          patient(5, sample({ value: 91.4 })),
        ],
        now,
      );
      expect(idsOf(reporting)).toEqual([4, 5, 3, 2, 1]);
    });

    it('keep equals of one name in the order of their rows, whatever order the response has', () => {
      const twins = [patient(2, sample()), patient(1, sample())];
      expect(idsOf(groupByReporting(twins, now).reporting)).toEqual([1, 2]);
    });

    it('put the patient who has been silent longest first', () => {
      const { silent } = groupByReporting(
        [patient(1, sample({ asOf: secondsAgo(90) })), patient(2, sample({ asOf: secondsAgo(900) }))],
        now,
      );
      expect(idsOf(silent)).toEqual([2, 1]);
    });

    it('put first, of those without a signal, patients who never had one, then by how long they have had none', () => {
      const { noSignal } = groupByReporting(
        [
          patient(1, sample({ quality: 'invalid', lastValid: lastValidAt(30) })),
          patient(2, sample({ quality: 'invalid', lastValid: lastValidAt(300) })),
          patient(3, sample({ quality: 'invalid' })),
        ],
        now,
      );
      expect(idsOf(noSignal)).toEqual([3, 2, 1]);
    });

    it('keep a low SpO2 in sight when the heart rate is lost, and do not count a heart rate as SpO2', () => {
      const lost = sample({ asOf: secondsAgo(600) });
      const groups = groupByReporting(
        [
          patient(1, sample({ value: 82 }), 'Sample', { heartRate: lost }),
          patient(2, undefined, 'Sample', { heartRate: sample() }),
        ],
        now,
      );
      expect([idsOf(groups.reporting), idsOf(groups.never)]).toEqual([[1], [2]]);
    });

    it('do not change the list they are made from', () => {
      const given = Object.freeze([patient(1, sample({ value: 97 })), patient(2, sample({ value: 90 }))]);
      expect(idsOf(groupByReporting(given, now).reporting)).toEqual([2, 1]);
    });
  });
});

describe('the beds that are stale', () => {
  const now = Date.parse('2026-03-07T15:00:00Z');
  const bed = (
    secondsOld: number,
    change: Partial<MonitoredPatient> = {},
    isAssigned = true,
    expectedEveryMs = 1_000,
  ): MonitoredPatient => {
    const at = new Date(now - secondsOld * 1_000).toISOString();
    const times = { takenAt: at, receivedAt: at, asOf: at };
    const sent = { value: 97, unit: '%', quality: 'good', source: 'monitor', expectedEveryMs } as const;
    const spo2 = { ...sent, ...times, lastValid: null, ...(isAssigned ? { isAssigned: true as const } : {}) };
    return { latest: { spo2 }, state: 'active', profile: 'continuous', standby: null, ...change };
  };

  it.each<[string, MonitoredPatient, { stale: number; of: number }]>([
    ['a value of 30 s', bed(30), { stale: 0, of: 1 }],
    ['an older one', bed(30.001), { stale: 1, of: 1 }],
    ['one that is withdrawn', bed(3_600), { stale: 1, of: 1 }],
    ['one from the future, whose age is not known', bed(-3), { stale: 1, of: 1 }],
    ['one of no assigned monitor', bed(3_600, {}, false), { stale: 1, of: 1 }],
    ['the same within a shift', bed(12 * 3_600 - 1, {}, false), { stale: 1, of: 1 }],
    ['the same after a shift', bed(12 * 3_600, {}, false), { stale: 0, of: 0 }],
    ['the same of an assigned one', bed(12 * 3_600), { stale: 1, of: 1 }],
    ['one that is measured once a minute', bed(3_600, {}, false, 60_000), { stale: 0, of: 0 }],
    ['one that is measured a little more often', bed(3_600, {}, false, 59_999), { stale: 1, of: 1 }],
    ['none', bed(0, { latest: {} }), { stale: 0, of: 0 }],
    ['standby', bed(3_600, { standby: { until: '2026-03-07T15:30:00Z' } }), { stale: 0, of: 0 }],
    ['a patient at home', bed(3_600, { profile: 'home' }), { stale: 0, of: 0 }],
    ['one who has left', bed(3_600, { state: 'discharged' }), { stale: 0, of: 0 }],
  ])('are counted among those with a monitor: %s', (_, patient, counted) => {
    expect(staleBeds([patient], now)).toEqual(counted);
    expect(staleBeds([bed(1), patient], now)).toEqual({ stale: counted.stale, of: counted.of + 1 });
  });
});

describe('names', () => {
  /** Each name as we have it, as it is sent for the same person, and as it may be sent for another one. */
  type People = readonly (readonly [name: string, same: string, others: string])[];

  const people: Readonly<Record<string, People>> = {
    'English, German, Nordic, Spanish, French and Dutch': [
      ['Müller', 'MUELLER|MULLER|Mu\u0308ller|müller', 'MILLER|MOLLER|MULER|MUELER|MUILLER|MULLERS'],
      ['Mueller', 'MUELLER|Müller', 'MULLER'],
      ['Groß', 'GROSS|groß|GROẞ', 'GROS|GROB'],
      ['Jürgens-Bär', 'JUERGENS BAER|JURGENS-BAR|JURGENSBAR', 'JUERGENS|BAER|JURGENS'],
      ["O'Connor", 'OCONNOR|O CONNOR|O’CONNOR|O`Connor|O´Connor|OʼConnor', 'CONNOR|OCONNER|O?CONNOR|O'],
      ['Kaʻahumanu', 'KAAHUMANU|Ka‘ahumanu', 'KAHUMANU|AHUMANU'],
      ['St. John', 'ST JOHN|St.John|STJOHN', 'SAINT JOHN|JOHN'],
      ['Smith Jr.', 'SMITH|SMITH JR|Smith, Junior', 'SMITH SR|SMITH III|JR|SMITHE'],
      ['Moss III', 'MOSS|MOSS 3RD|Moss Ⅲ', 'MOSS II|MOSS JR|MOSSIII'],
      ['van der Berg', 'VANDERBERG|Vander Berg|VAN-DERBERG', 'BERG|VAN BERG|VON DER BERG|DER BERG'],
      ['Ørsted', 'ORSTED|OERSTED', 'ERSTED|ORSTEDT|ARSTED'],
      ['Åkesson', 'AKESSON|AAKESSON|A\u030akesson', 'AEKESSON|OKESSON'],
      ['Æbelø', 'AEBELO|AEBELOE', 'ABELO|EBELO'],
      ['Guðmundsdóttir', 'GUDMUNDSDOTTIR', 'GUTHMUNDSDOTTIR|GUDMUNDSSON'],
      ['Þórsson', 'THORSSON', 'TORSSON|PORSSON'],
      ['Muñoz', 'MUNOZ|MUN\u0303OZ', 'MUNZ|MUNOS'],
      ['Lefèvre', 'LEFEVRE', 'LEFEBVRE'],
      ['Œuvrard', 'OEUVRARD', 'OUVRARD'],
      ['Featherstonehaugh-Lee', 'FEATHERSTONEHAUG|FEATHERSTONEHAUGH L', 'FEATHERSTONEHAU|FEATHERSTONEHAUGH K'],
      ['Rae', 'ＲＡＥ|Rä', 'RA|RÅ|RAY'],
    ],
    Polish: [
      ['Wałęsa', 'WALESA|WALĘSA|WAŁESA', 'WAESA|WALENSA|WALES'],
      ['Łukasiewicz', 'LUKASIEWICZ', 'UKASIEWICZ'],
      ['Dąbrowska-Śliwa', 'DABROWSKA SLIWA|DABROWSKASLIWA', 'DABROWSKI SLIWA|DABROWSKA'],
      ['Gżegżółka', 'GZEGZOLKA|GŻEGŻOŁKA', 'GZEGZOKA'],
      ['Brzęczyszczykiewicz', 'BRZECZYSZCZYKIEWICZ|BRZECZYSZCZYKIEW', 'BRZECZYSZCZYKIE|BRZECZYSZCZYKIEWA'],
      ['Świętosławski', 'SWIETOSLAWSKI', 'SWIETOSLAWSKA|SWIETOSAWSKI'],
    ],
    Turkish: [
      ['Işık', 'ISIK|IŞIK|isik', 'ISK|ASIK'],
      ['İnönü', 'INONU|INOENUE|İNÖNÜ|i\u0307nönü', 'INON|NONU'],
      ['Öztürk', 'OZTURK|OEZTUERK', 'ZTRK|OZTURKS'],
      ['Çağlar', 'CAGLAR', 'CALAR|CHAGLAR'],
      ['Yıldırım', 'YILDIRIM|Yildirim', 'YLDRM'],
    ],
    Vietnamese: [
      ['Đặng', 'DANG|ĐẶNG|Đa\u0323\u0306ng', 'ANG|DONG'],
      ['Nguyễn', 'NGUYEN|NGUYỄN', 'NGUYET|NGYEN'],
      ['Vũ', 'VU', 'VUE'],
      ['Đỗ', 'DO|Đô\u0303', 'DOE'],
      ['Lê', 'LE', 'LEE|LEI'],
      ['Dương', 'DUONG', 'DUNG|DUOENG'],
    ],
    'Czech, Hungarian and Portuguese': [
      ['Dvořák', 'DVORAK|Dvořak|Dvor\u030cák', 'DVORACEK|DVORK|DWORAK'],
      ['Šťastná', 'STASTNA|ŠTASTNÁ', 'STASTNY|STASNA'],
      ['Ďuriš-Řezník', 'DURIS REZNIK|DURISREZNIK', 'URIS REZNIK|DURIS|REZNIK'],
      ['Kőszegi', 'KOSZEGI|Ko\u030bszegi', 'KOESZEGI|KSZEGI'],
      ['Szűcs', 'SZUCS|SZŰCS', 'SZUECS|SZCS'],
      ['Gyöngyösi', 'GYONGYOSI|GYOENGYOESI', 'GYNGYSI|GYONGYOESI'],
      ['Conceição', 'CONCEICAO|CONCEIÇÃO', 'CONCEIAO|CONCEICAOS'],
      ['d’Ávila', "D'AVILA|DAVILA|D AVILA", 'AVILA|DAVILLA'],
    ],
    'other scripts': [
      ['Королёв', 'КОРОЛЕВ', 'KOROLEV|КОРОЛ'],
      ['Зайка', 'ЗАЙКА', 'ЗАИКА|ZAYKA'],
      ['Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ', 'PAPADOPOULOS|ΠΑΠΑΔΟΠΟΥΛΟΥ'],
      ['أحمد', 'احمد|أَحْمَد|احـمد', 'حمد|AHMAD|محمد'],
      ['रोहन', 'रोहन', 'रहन|राहन|रोहिन'],
      ['かだ', 'かだ', 'かた|カダ'],
      ['田中', '田中', '中田|TANAKA|??|□□'],
      ['김', '김', '기|KIM'],
      ['Moss', 'MOSS', 'Мoss|Μoss'],
    ],
  };

  describe('textMatcher', () => {
    it.each([
      ['Sample Sam MRN7', 'ample', 'the middle of a word'],
      ['Sample Sam MRN7', 'sam x', 'a word that is nowhere'],
      ['Sample Sam MRN7', 'samsample', 'two words without a blank'],
      ['Sample Sam MRN7', '7', 'the end of an MRN'],
      ['Sample Sam MRN7', '.*', 'a pattern'],
      ['Sample Sam MRN7', '%', 'a wildcard of SQL'],
    ])('does not find "%s" by "%s": %s', (searched, text) => {
      expect(textMatcher(text)(searched)).toBe(false);
    });

    it.each([
      ['Sample Sam MRN7', '', 'nothing'],
      ['Sample Sam MRN7', '   ', 'blanks'],
      ['Sample Sam MRN7', 'sam', 'the beginning of either name'],
      ['Sample Sam MRN7', 'SAM SAMP', 'the beginnings in any order and case'],
      ['Sample Sam MRN7', 'mrn7', 'the MRN'],
      ['Sample Sam MRN7', 'Sample, Sam', 'the way lists write a name'],
      ['Núñez Zoë MRN8', 'nunez zoe', 'letters without their accents'],
      ['Nunez Zoe MRN8', 'NÚÑEZ', 'letters with accents that the name lacks'],
      ['Nu\u0301n\u0303ez', 'n\u00fa\u00f1', 'either form of Unicode'],
      ["O'Sample Sam", 'sample', 'the part after an apostrophe'],
      ['O’Sample Sam', "o'sam", 'another apostrophe'],
      ['Sample-Example Sam', 'example', 'the second half of a double name'],
      ['Иванова Анна', 'ива', 'other scripts'],
    ])('finds "%s" by "%s": %s', (searched, text) => {
      expect(textMatcher(text)(searched)).toBe(true);
    });

    it('finds a name by the beginning of each of its words', () => {
      const word = fc.stringMatching(/^[a-zA-Zà-ÿ0-9]{1,12}$/);
      fc.assert(
        fc.property(
          fc.array(word, { minLength: 1, maxLength: 4 }),
          fc.integer({ min: 1, max: 12 }),
          (words, length) => {
            const beginnings = words.map((part) => part.slice(0, length)).reverse();
            expect(textMatcher(beginnings.join(' '))(words.join(' '))).toBe(true);
          },
        ),
      );
    });

    /** Each patient, what is typed for them, and what is typed for others. */
    const searches: Readonly<Record<string, readonly (readonly [text: string, finds: string, findsNot: string])[]>> = {
      'English, German, Nordic and Dutch': [
        [
          "O'Connor Sean 71006",
          "oconnor|o'connor|o’conn|connor|sean oconnor|O'Connor, Sean|o connor",
          'conor|oconnorsam',
        ],
        ['Kaʻahumanu Kalani 71009', "ka'ahumanu|kaahumanu|ahumanu|ka ahu|kalani ka’a", 'kahumanu|humanu'],
        [
          'Groß Jörg 0071004',
          'gross|groß|gros|jorg|joerg gross|71004|0071004|0710|٧١٠٠٤|７１００４',
          '1004|jork|0071005',
        ],
        ['Ørsted Søren 71003', 'orsted|oersted|ørsted|soren|soeren oe|søren ors', 'arsted|rsted|sorn'],
        [
          'van der Berg Anna-Maria 8',
          'van der berg|vanderberg|vander|berg|anna maria|annamaria|mar|0008|008',
          'erg|maria anna x|80',
        ],
        ['Vanderberg Jan 9', 'van der berg|jan van der berg|van derberg', 'berg|van den berg|der berg'],
        ['Guðmundsdóttir Björk 71008', 'gudmundsdottir|bjork|bjoerk gud|guðmunds', 'dottir|guthmund'],
        ['Müller-Lüdenscheidt Åse 5', 'mueller|mull|luden|mueller-luden|MÜLLERL|aase|ase', 'miller|mueler|see'],
        ['Smith Jr. Al A-10', 'smith jr|al smith|a10|a-10|A 10', 'jones|smithal|10a'],
      ],
      Polish: [
        ['Wałęsa Łukasz 71002', 'walesa|wałęsa|lukasz|łuk|lukasz walesa|WALĘ', 'waesa|ukasz|alesa'],
        [
          'Dąbrowska-Śliwa Żaneta 3',
          'dabrowska|sliwa|dabrowska sliwa|dabrowskasliwa|zaneta sliwa|żan',
          'sliwka|browska',
        ],
        ['Gżegżółka Józef 4', 'gzegzolka|jozef|GŻEG|jozef gzeg|gżegżó', 'zolka|jozsef'],
      ],
      Turkish: [
        ['Işık Ayşe 71005', 'isik|işık|ISIK|ayse|ayşe isik|IŞIK|ış', 'sik|aise'],
        ['Öztürk İnci 6', 'ozturk|oeztuerk|öz|inci|INCI ozturk|İNCİ', 'zturk|ncı'],
        ['Çağlar Gökçe 7', 'caglar|çağ|gokce|goekce', 'chaglar|agla'],
      ],
      Vietnamese: [
        ['Đặng Hương 71001', 'dang|đặng|ĐẶNG|huong|dang huong|huong dan', 'ang|uong'],
        ['Nguyễn Thị Ánh 8', 'nguyen|nguyễn|nguyen thi anh|thi anh|thianh|ánh', 'guyen|nguyet'],
        ['Đỗ Văn Vũ 9', 'do|đỗ|van vu|vu do|vanvu', 'vue|doe'],
      ],
      'Czech, Hungarian and Portuguese': [
        ['Dvořák Jiří 72001', 'dvorak|dvoř|DVOŘÁK|jiri|jiri dvo|72001', 'vorak|jirka'],
        ['Kőszegi Ágnes 72002', 'koszegi|kősz|KŐSZEGI|agnes|agnes kosz', 'koeszegi|oszegi'],
        ['Conceição d’Ávila João 72003', "conceicao|conceição|davila|d'avila|avila|joao|joão con", 'nceicao|joana'],
      ],
      'other scripts': [
        ['Королёв Йосиф 10', 'королев|КОРОЛЁ|йос', 'korolev|иосиф'],
        ['Παπαδόπουλος Άρης 11', 'παπαδοπουλος|ΠΑΠ|αρης', 'papad'],
        ['أحمد علي 12', 'احمد|أحم|علي أحمد|١٢', 'حمد'],
        ['田中 愛 13', '田|田中 愛|田中愛', '中'],
      ],
    };

    it.each(Object.entries(searches))('finds a patient by what is typed for them alone: %s', (_, list) => {
      const wrong = list.flatMap(([text, finds, findsNot]) => [
        ...finds.split('|').flatMap((typed) => (textMatcher(typed)(text) ? [] : [`${typed} finds not ${text}`])),
        ...findsNot.split('|').flatMap((typed) => (textMatcher(typed)(text) ? [`${typed} finds ${text}`] : [])),
      ]);
      expect(wrong).toEqual([]);
    });

    it.each(['-', "'", '.', '\u0301', '\u05b0', ',', '\u200c'])('finds no one by %j', (typed) => {
      expect(['Moss Ada 7', 'O’Connor', '-', '\u05d0\u05b0'].filter(textMatcher(typed))).toEqual([]);
    });
  });

  it.each([
    ['Bo', 'Ada', false],
    ['', 'Ada', false],
    ['?', 'Ada', false],
    ['Ада', 'Ada', false],
    ['?da', 'Ada', false],
    ['A', 'Ada', true],
    ['adele', 'Ada', true],
    ['A.', 'Ádám', true],
    ['Oerjan', 'Ørjan', true],
    ['A', 'Æsa', true],
    ['ａ', 'Ada', true],
  ])('says of the given names %j and %j whether they may begin alike: %s', (sent, name, expected) => {
    expect(initialsAgree(sent, name)).toBe(expected);
  });

  it.each([
    ['Müller', 'Moss', false],
    ['', 'Moss', false],
    ['?', 'Moss', false],
    ['123', 'Moss', false],
    ['Mосс', 'Moss', false], // of Latin and Cyrillic letters
    ['Мосс', 'Mосс', false],
    ['Moss', 'Moss 田中', false],
    ['Ｍｏｓｓ', 'Moss', false],
    ['Мосс', 'Moss', true],
    ['ヤマダ', '山田', true],
    ['محمد', 'Mohamed', true],
    ['김', 'Kim', true],
  ])('says of %j and %j whether they are in different scripts: %s', (one, other, expected) => {
    expect([areInOtherScripts(one, other), areInOtherScripts(other, one)]).toEqual([expected, expected]);
  });

  describe('namesAgree', () => {
    it.each(Object.entries(people))('knows a person by another spelling, and no one else: %s', (_, list) => {
      const wrong = list.flatMap(([name, same, others]) => [
        ...same.split('|').flatMap((sent) => (namesAgree(sent, name) ? [] : [`${sent} is not ${name}`])),
        ...others.split('|').flatMap((sent) => (namesAgree(sent, name) ? [`${sent} is ${name}`] : [])),
      ]);
      expect(wrong).toEqual([]);
    });

    it('knows no one by a name without letters, or with a lost one', () => {
      const none = [
        '',
        ' ',
        '-',
        "'",
        '.',
        '…',
        '?',
        '???',
        '\u0301',
        '\u05b0',
        '1',
        'M?LLER',
        'M\ufffdLLER',
        '\u200c',
        'ü'.repeat(401),
      ];
      expect(none.filter((sent) => [...none, 'Moss', '田中'].some((name) => namesAgree(sent, name)))).toEqual([]);
      expect(none.filter((name) => namesAgree('Moss', name))).toEqual([]);
    });

    it('takes no one’s beginning for a name but a long one’s', () => {
      expect(namesAgree('Featherstonehaugh-Lee', 'Featherstonehaug')).toBe(false);
      expect(namesAgree('АлександропольскаяИ', 'АлександропольскаяИванова')).toBe(false);
    });

    it('holds two names of ASCII letters apart unless they are the same but for capitals', () => {
      const name = fc.stringMatching(/^[A-Za-z]{1,4}$/).filter((text) => !isSuffix(text));
      fc.assert(
        fc.property(name, name, (one, other) => {
          expect(namesAgree(one, other)).toBe(one.toLowerCase() === other.toLowerCase());
        }),
        { numRuns: 2_000 },
      );
    });

    /** The table once more, by single characters: what each may be written as. */
    const rows: Readonly<Record<string, readonly string[]>> = {
      ...{ ä: ['a', 'ae'], ö: ['o', 'oe'], ü: ['u', 'ue'], å: ['a', 'aa'], ø: ['o', 'oe'] },
      ...{ æ: ['ae'], œ: ['oe'], þ: ['th'], ß: ['ss'], đ: ['d'], ð: ['d'], ł: ['l'], ı: ['i'] },
      ...{ ' ': [''], '-': [''], "'": [''], '’': [''], ʻ: [''], '.': [''] },
      ...Object.fromEntries(
        ['aáâăặą', 'cçčć', 'eéêęễ', 'gğ', 'ií', 'nñ', 'oóőỗ', 'rř', 'sşśš', 'uúũ', 'yý', 'zżž'].flatMap(
          ([base = '', ...accented]) => accented.map((letter): [string, readonly string[]] => [letter, [base]]),
        ),
      ),
    };
    const spelled = (name: string): Set<string> =>
      new Set(
        [
          ...name
            .normalize('NFC')
            .toLowerCase()
            .replace(/[ ,]+(?:jr\.?|iii)$/, ''),
        ].reduce<string[]>(
          (all, letter) => all.flatMap((one) => (rows[letter] ?? [letter]).map((as) => one + as)),
          [''],
        ),
      );
    /** Returns the rows by which two names are one; null: none. */
    const reasonOf = (sent: string, name: string): string | null => {
      const [one, other] = [[...spelled(sent)], spelled(name)];
      const isCut = one.some((text) => text.length >= 16 && [...other].some((full) => full.startsWith(text)));
      const used = [...new Set(`${sent}${name}`.normalize('NFC').toLowerCase())].filter((letter) => letter in rows);
      const why = /(?:jr\.?|iii)$/i.test(sent) === /(?:jr\.?|iii)$/i.test(name) ? used : [...used, 'suffix'];
      return one.some((text) => other.has(text)) ? ['capitals', ...why].join(' ') : isCut ? 'cut' : null;
    };

    it('joins of 5,000 names of many countries only those that a row of the table makes one', () => {
      const common = [
        'Smith Jones Brown Wilson Taylor Moss Rae Ray Lee Le Ra O’Brien O’Connor McDonald Mac-Donald Smythe St.-John',
        'Müller Mueller Muller Möller Moeller Moller Miller Schäfer Schaefer Schafer Groß Gross Gros Bär Baer Bar',
        'Åkesson Aakesson Akesson Sjöberg Sjoberg Møller Ørsted Orsted Oersted Sørensen Sorensen Æbelø Aebelo Þórsson',
        'Guðmundsson Gudmundsson Jónsson Jonsson Wałęsa Walesa Łukasz Lukasz Żak Zak Dvořák Dvorak Dvorský Kőszegi',
        'García Garcia Muñoz Munoz Núñez Nunez López Lopez Işık Isik Isk Yıldırım Yildirim Öztürk Ozturk Oztürk',
        'Đặng Dang Nguyễn Nguyen Đỗ Do Doe Vũ Vu Vue Lê Đorđević Dordevic Djordjevic Kovač Kovac Kováč Kaʻahumanu',
        'Featherstonehaugh Papadimitrakopoulos Papadimitrakopoulou Wickramasinghe Venkatanarasimharajuvaripeta',
      ].flatMap((line) => line.split(' '));
      let seed = 40;
      const pick = <Item>(list: readonly Item[]): Item => {
        seed = (seed * 48_271) % 2_147_483_647;
        const item = list[seed % list.length];
        return item ?? pick(list);
      };
      const parts =
        'ba be bo da dø ga ha he ja ka ko la le ma mä mo na ni nö ra rå ro sa se ska son ti tu va vi wé ya zú'.split(
          ' ',
        );
      const forms = [
        (name: string) => name.toUpperCase(),
        (name: string) => name.normalize('NFD').replace(/\p{M}/gu, ''),
        (name: string) => name.slice(0, 18),
        (name: string) => `${name} ${pick(['Jr.', 'III'])}`,
        (name: string) => `${pick(['van der ', 'Vander', 'de ', 'von '])}${name}`,
        (name: string) => `${name}${pick(['-', ' ', ''])}${pick(common)}`,
        (name: string) => name.replace(/^(..)./, '$1'),
        (name: string) => name.replace(/e/, ''),
        () => Array.from({ length: pick([2, 3, 4]) }, () => pick(parts)).join(''),
      ];
      const names = new Set(common);
      while (names.size < 5_000) {
        names.add(pick(forms)(pick(common)));
      }
      const alike = new Map<string, Set<string>>();
      for (const name of names) {
        for (const start of nameKeys(name).keys.map((key) => key.slice(0, 16))) {
          alike.set(start, (alike.get(start) ?? new Set()).add(name));
        }
      }
      const pairs = new Map<string, string | null>();
      for (const group of alike.values()) {
        for (const sent of group) {
          for (const name of group) {
            if (sent !== name && namesAgree(sent, name)) {
              pairs.set(`${sent} = ${name}`, reasonOf(sent, name));
            }
          }
        }
      }
      expect([...pairs].filter(([, reason]) => reason === null)).toEqual([]);
      expect(pairs.size).toBeGreaterThan(1_000);
    });
  });
});

describe('parseIds', () => {
  it.each([
    ['a word', 'abc', ['abc']],
    ['zero', '0', ['0']],
    ['a negative number', '-1', ['-1']],
    ['a fraction', '1.5', ['1.5']],
    ['a leading zero', '01', ['01']],
    ['an exponent', '1e3', ['1e3']],
    ['hexadecimal', '0x10', ['0x10']],
    ['more digits than a number holds exactly', '1234567890123456', ['1234567890123456']],
    ['digits of another script', '١', ['١']],
    ['markup, cut short', '<script>alert(1)</script>', ['<script>alert(1)</sc']],
  ])('rejects %s and names it', (_name, text, malformed) => {
    expect(parseIds(text)).toEqual({ ids: [], overLimit: [], malformed });
  });

  it.each([
    ['nothing', undefined, []],
    ['an empty text', '', []],
    ['only commas', ',,', []],
    ['one id', '4', [4]],
    ['several, in the order asked for', '4,2,7', [4, 2, 7]],
    ['a repeated id once', '4,2,4', [4, 2]],
    ['blanks around an id', ' 4 , 2', [4, 2]],
    ['a repeated parameter', ['4', '2,7'], [4, 2, 7]],
    ['the largest id', '999999999999999', [999_999_999_999_999]],
  ])('reads %s', (_name, text, ids) => {
    expect(parseIds(text)).toEqual({ ids, overLimit: [], malformed: [] });
  });

  it('shows the good ids beside the bad', () => {
    expect(parseIds('4,x,2')).toEqual({ ids: [4, 2], overLimit: [], malformed: ['x'] });
  });

  it('keeps the first eight and names the rest', () => {
    expect(parseIds('1,2,3,4,5,6,7,8,9,10')).toEqual({
      ids: [1, 2, 3, 4, 5, 6, 7, 8],
      overLimit: [9, 10],
      malformed: [],
    });
  });

  it('never gives more than eight ids, nor one twice, whatever the address says', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.nat().map(String)), { maxLength: 30 }), (parts) => {
        const { ids } = parseIds(parts);
        expect(ids.length).toBeLessThanOrEqual(maxPatientsAtOnce);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
      }),
    );
  });
});

describe('patientNews2', () => {
  const now = Date.parse('2026-05-01T10:00:00Z');
  const of = (dateOfBirth: string, spo2Scale: 1 | 2 = 1, news2ExemptFor: News2ExemptFor | null = null) =>
    patientNews2({ latest: {}, spo2Scale, dateOfBirth, news2ExemptFor }, now, 'UTC');

  describe('NEWS2 of a patient', () => {
    it.each([
      ['2010-05-02', null],
      ['2010-05-01', 'unknown'],
      ['1950-12-31', 'unknown'],
    ])('who was born on %s is %s', (dateOfBirth, band) => {
      expect(of(dateOfBirth)?.band ?? null).toBe(band);
    });

    it('is on the scale that the patient has', () => {
      expect(of('1950-12-31', 2)?.scale).toBe(2);
    });

    it.each(['pregnancy', 'spinal_injury', 'other'] as const)('is none if it does not apply: %s', (because) => {
      expect(of('1990-12-31', 1, because)).toBeNull();
      expect(noNews2Because({ dateOfBirth: '1990-12-31', news2ExemptFor: because }, now, 'UTC')).toBe(because);
      expect(noNews2Because({ dateOfBirth: '2015-12-31', news2ExemptFor: because }, now, 'UTC')).toBe('under_16');
    });
  });

  it.each([
    ['Asia/Tokyo', '2026-04-30T14:59:59Z', true],
    ['Asia/Tokyo', '2026-04-30T15:00:00Z', false],
    ['America/New_York', '2026-05-01T03:59:59Z', true],
    ['America/New_York', '2026-05-01T04:00:00Z', false],
  ])('ends childhood in %s with the first hour of the 16th birthday: %s, %s', (timeZone, at, expected) => {
    expect(isChild('2010-05-01', Date.parse(at), timeZone)).toBe(expected);
  });
});

describe('pauseWords', () => {
  const now = Date.parse('2026-03-07T15:00:00Z');
  const inSeconds = (seconds: number): { until: string } => ({ until: new Date(now + seconds * 1_000).toISOString() });

  it.each([
    ['nothing without a pause', null, null, null],
    ['nothing of what is over', inSeconds(0), inSeconds(-1), null],
    ['never less than is left', inSeconds(61), null, 'Standby, 2 min left'],
    ['hours where minutes say little', null, inSeconds(82_801), 'Comfort care, 24 h left'],
    ['both', inSeconds(60), inSeconds(3_600), 'Standby, 1 min left; Comfort care, 60 min left'],
  ])('say %s', (_, standby, comfortCare, words) => {
    expect(pauseWords({ standby, comfortCare }, now)).toBe(words);
  });

  it('say until when, in the site’s time, while the server does not answer', () => {
    const pauses = { standby: inSeconds(60), comfortCare: inSeconds(82_800) };
    expect(pauseWords(pauses, now, 'Europe/Berlin')).toBe('Standby until 16:01; Comfort care until 08 Mar, 15:00');
  });
});

describe('schema', () => {
  const ada = { mrn: 'A-1', givenName: 'Ada', familyName: 'Ample', dateOfBirth: '1950-12-31' };

  /** The fields that a schema rejects. */
  function faults(schema: z.ZodType, input: unknown): string[] {
    const parsed = schema.safeParse(input);
    return parsed.success ? [] : [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))];
  }

  describe('a new patient', () => {
    it.each([
      ['no MRN', { mrn: undefined }, 'mrn'],
      ['an MRN that turns its direction', { mrn: 'A-\u202e1' }, 'mrn'],
      ['an MRN with an invisible joiner', { mrn: 'A-\u200d1' }, 'mrn'],
      ['an MRN with a half character', { mrn: 'A-\ud800' }, 'mrn'],
      ['a name that turns its direction', { givenName: '\u2067Ada' }, 'givenName'],
      ['a mark of direction in a name', { familyName: 'Ample\u200f' }, 'familyName'],
      ['no name', { familyName: '', givenName: '' }, 'familyName'],
      ['a birth before 1900', { dateOfBirth: '1899-12-31' }, 'dateOfBirth'],
      ['an empty MRN', { mrn: '' }, 'mrn'],
      ['an MRN of spaces', { mrn: '   ' }, 'mrn'],
      ['an MRN of 65 characters', { mrn: 'x'.repeat(65) }, 'mrn'],
      ['an MRN that is a number', { mrn: 1 }, 'mrn'],
      ['a line break in a name', { givenName: 'Ada\nAmple' }, 'givenName'],
      ['a NUL in a name', { familyName: 'Am\0ple' }, 'familyName'],
      ['a line separator in a name', { familyName: 'Am\u2028ple' }, 'familyName'],
      ['a name of 101 characters', { givenName: 'a'.repeat(101) }, 'givenName'],
      ['a day that does not exist', { dateOfBirth: '2026-02-30' }, 'dateOfBirth'],
      ['a time as the date of birth', { dateOfBirth: '1950-12-31T00:00:00Z' }, 'dateOfBirth'],
      ['a sex that is not listed', { sex: 'f' }, 'sex'],
      ['an SpO2 scale of 3', { spo2Scale: 3 }, 'spo2Scale'],
      ['an SpO2 scale that is a text', { spo2Scale: '1' }, 'spo2Scale'],
      ['a profile that is not listed', { profile: 'ward' }, 'profile'],
      ['a unit without a bed', { location: { unit: 'North' } }, 'location.bed'],
      ['an empty bed', { location: { unit: 'North', bed: ' ' } }, 'location.bed'],
    ])('is refused with %s', (_, change, field) => {
      expect(faults(newPatient, { ...ada, ...change })).toEqual([field]);
    });

    it.each(['id', 'siteId', 'version', 'state', 'createdBy', 'constructor'])(
      'is refused with the field %s, which is not the caller’s to set',
      (field) => {
        expect(newPatient.safeParse({ ...ada, [field]: 1 }).success).toBe(false);
      },
    );

    it('is refused with an own field __proto__, and changes no prototype', () => {
      const hostile: unknown = JSON.parse(
        `{"mrn":"A-1","givenName":"Ada","familyName":"Ample","dateOfBirth":"1950-12-31","__proto__":{"isAdmin":true}}`,
      );
      expect(newPatient.safeParse(hostile).success).toBe(false);
      expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
    });

    it('needs four fields; the rest has a default', () => {
      expect(newPatient.parse(ada)).toEqual({
        ...ada,
        sex: 'unknown',
        location: null,
        profile: 'continuous',
        spo2Scale: 1,
        isTrial: false,
      });
    });

    it.each([
      ['spaces around it', '  Ada ', 'Ada'],
      ['a letter written as two', 'Zoe\u0308', 'Zo\u00eb'],
      ['another script', 'Ольга', 'Ольга'],
      ['a joiner', 'علی\u200cرضا', 'علی\u200cرضا'],
      ['nothing, for somebody with one name', ' ', ''],
      ['an apostrophe', 'O’Brien', 'O’Brien'],
      ['a hundred characters', 'a'.repeat(100), 'a'.repeat(100)],
    ])('takes a name with %s', (_, typed, kept) => {
      expect(newPatient.parse({ ...ada, givenName: typed }).givenName).toBe(kept);
    });

    it('keeps a name unchanged when it is parsed a second time', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (typed) => {
          const first = newPatient.safeParse({ ...ada, givenName: typed });
          fc.pre(first.success);
          expect(newPatient.parse({ ...ada, givenName: first.data.givenName }).givenName).toBe(first.data.givenName);
        }),
      );
    });
  });

  describe('a change of a patient', () => {
    it.each([
      ['no version', { givenName: 'Ada' }, 'version'],
      ['version 0', { version: 0 }, 'version'],
      ['half a version', { version: 1.5 }, 'version'],
      ['an empty name', { version: 1, familyName: '' }, 'familyName'],
      ['no MRN any more', { version: 1, mrn: null }, 'mrn'],
      ['a state that is not listed', { version: 1, state: 'dead' }, 'state'],
    ])('is refused with %s', (_, patch, field) => {
      expect(faults(patientPatch, patch)).toEqual([field]);
    });

    it('distinguishes a location that is removed from one that is not changed', () => {
      expect(patientPatch.parse({ version: 1, location: null })).toEqual({ version: 1, location: null });
      expect(patientPatch.parse({ version: 1 })).toEqual({ version: 1 });
    });
  });

  describe('the query of the list', () => {
    it.each([
      ['page 0', { page: '0' }, 'page'],
      ['a negative page', { page: '-1' }, 'page'],
      ['half a page', { page: '1.5' }, 'page'],
      ['a page that is no number', { page: 'one' }, 'page'],
      ['an empty page', { page: '' }, 'page'],
      ['an endless page', { page: 'Infinity' }, 'page'],
      ['a page past the last that can be', { page: '1000001' }, 'page'],
      ['two pages', { page: ['1', '2'] }, 'page'],
      ['a page size of 0', { pageSize: '0' }, 'pageSize'],
      ['a page size of 501', { pageSize: '501' }, 'pageSize'],
      ['an unknown order', { sort: 'createdAt' }, 'sort'],
      ['a doubled minus', { sort: '--mrn' }, 'sort'],
      ['SQL for an order', { sort: 'mrn; DROP TABLE patients' }, 'sort'],
      ['an unknown state', { state: 'all' }, 'state'],
      ['an empty unit', { unit: '' }, 'unit'],
      ['the name of a unit', { unit: 'North' }, 'unit'],
      ['the name of a bed', { bed: 'M1' }, 'bed'],
    ])('is refused with %s', (_, query, field) => {
      expect(faults(patientsQuery, query)).toEqual([field]);
    });

    it('never takes a text that may contain a name', () => {
      expect(patientsQuery.safeParse({ text: 'Ample' }).success).toBe(false);
      expect(patientsSearch.parse({ text: 'Ample' }).text).toBe('Ample');
    });

    it('means the first 25 active patients by family name by default', () => {
      expect(patientsQuery.parse({})).toEqual({
        state: 'active',
        mine: false,
        attention: false,
        sort: 'familyName',
        page: 1,
        pageSize: 25,
      });
      expect(patientsSearch.parse({ text: '' })).toEqual({
        text: '',
        state: 'active',
        mine: false,
        attention: false,
        sort: 'familyName',
        page: 1,
        pageSize: 25,
      });
    });

    it('takes the largest page and a reversed order', () => {
      expect(patientsQuery.parse({ page: '1000000', pageSize: '500', sort: '-spo2' })).toMatchObject({
        page: 1_000_000,
        pageSize: 500,
        sort: '-spo2',
      });
    });

    it('returns a query or a fault for any input, and never throws', () => {
      fc.assert(
        fc.property(
          fc.dictionary(fc.constantFrom('state', 'unit', 'sort', 'after', 'page', 'pageSize', 'x'), fc.anything()),
          (query) => {
            expect(typeof patientsQuery.safeParse(query).success).toBe('boolean');
          },
        ),
      );
    });
  });

  describe('the response of the list', () => {
    it('is a whole page, or says that nothing changed', () => {
      const page = { items: [], total: 0, version: 'v1', units: [], beds: [] };
      expect(patientsResponse.parse(page)).toEqual(page);
      expect(patientsResponse.parse({ unchanged: true, version: 'v1' })).toEqual({ unchanged: true, version: 'v1' });
      expect(patientsResponse.safeParse({ unchanged: false, version: 'v1' }).success).toBe(false);
      expect(patientsResponse.safeParse({ items: [], version: 'v1' }).success).toBe(false);
    });
  });
});

describe('the mark of a value', () => {
  const markOf = (kind: MarkedKind, change: Partial<Patient>) =>
    valueMark(inventedPatient(1, change), kind, wardNow, 'Europe/London');
  const alert: PatientAlert = {
    id: 1,
    parameter: 'spo2',
    priority: 'medium',
    side: 'low',
    condition: 'active',
    acknowledged: false,
    owner: null,
    raisedAt: '2026-03-07T14:59:00.000Z',
    confirmBy: null,
  };
  const spo2 = (value: number) => ({ spo2: inventedValue({ value }) });

  it.each([96, 94, 92])('is none for an SpO2 of %d %%, which has less than three points', (value) => {
    expect(markOf('spo2', { latest: spo2(value) })).toBeNull();
  });

  it('is none for a value that is withdrawn or uncertain', () => {
    expect(markOf('spo2', { latest: {} })).toBeNull();
    const old = inventedValue({ value: 80, asOf: new Date(wardNow - 120_000).toISOString() });
    expect(markOf('spo2', { latest: { spo2: old } })).toBeNull();
    expect(markOf('spo2', { latest: { spo2: inventedValue({ value: 80, quality: 'questionable' }) } })).toBeNull();
  });

  it('is none for a patient to whom NEWS2 does not apply', () => {
    expect(markOf('spo2', { latest: spo2(80), news2ExemptFor: 'pregnancy' })).toBeNull();
    expect(markOf('spo2', { latest: spo2(80), dateOfBirth: '2015-01-01' })).toBeNull();
  });

  it('is bold where three points have raised no alert yet', () => {
    expect(markOf('spo2', { latest: spo2(91) })).toMatchObject({ look: 'bold', side: 'low' });
    const rate = (value: number) => ({ pulseRate: inventedValue({ value, unit: '/min' }) });
    expect(markOf('pulseRate', { latest: rate(40) })).toMatchObject({ look: 'bold', side: 'low' });
    expect(markOf('pulseRate', { latest: rate(131) })).toMatchObject({ look: 'bold', side: 'high' });
  });

  it('follows the scale of the patient', () => {
    expect(markOf('spo2', { latest: spo2(88), spo2Scale: 2 })).toBeNull();
    expect(markOf('spo2', { latest: spo2(83), spo2Scale: 2 })).toMatchObject({ look: 'bold', side: 'low' });
    const onOxygen = { ...spo2(98), oxygenFlow: inventedValue({ value: 2, unit: 'L/min' }) };
    expect(markOf('spo2', { latest: onOxygen, spo2Scale: 2 })).toMatchObject({ look: 'bold', side: 'high' });
  });

  it('is that of the rate that is shown, not of the other one', () => {
    const latest = {
      heartRate: inventedValue({ value: 80, unit: '/min' }),
      pulseRate: inventedValue({ value: 135, unit: '/min' }),
    };
    expect(markOf('heartRate', { latest })).toBeNull();
    expect(markOf('pulseRate', { latest })).toMatchObject({ look: 'bold' });
  });

  it('is that of the alert where there is one, whatever the value is by now', () => {
    expect(markOf('spo2', { latest: spo2(80), alerts: [alert] })).toMatchObject({ look: 'filled', priority: 'medium' });
    expect(markOf('spo2', { latest: {}, alerts: [alert] })).toMatchObject({ look: 'filled' });
    expect(markOf('heartRate', { alerts: [{ ...alert, parameter: 'rate' }] })).toMatchObject({ look: 'filled' });
  });
});
