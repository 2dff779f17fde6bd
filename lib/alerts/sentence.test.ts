import { acknowledge } from './actions';
import type { Alert } from './alert';
import { continuousRules } from './continuousRules';
import type { Episode } from './episode';
import { atLeast, atMost } from './limit';
import type { Parameter } from './parameters';
import { priorities, type Priority } from './priority';
import type { HomeRuleId, RuleId } from './ruleNames';
import { headlineOf, isRecovering, sentenceOf } from './sentence';
import { sentenceAsOf } from './sentenceAsOf';
import type { SentenceFacts } from './sentenceParts';
import { spotParameters, spotPriority, type SpotRule, spotRules } from './spotRules';
import { takeEpisode } from './takeEpisode';

describe('sentence', () => {
  const second = 1_000;
  const minute = 60 * second;
  const hour = 60 * minute;
  /** 14:00 on the clocks of the site. */
  const two = Date.parse('2026-05-01T13:00:00Z');
  const timeZone = 'Europe/London';

  const nothingKnown: SentenceFacts = {
    timeZone,
    limits: null,
    samples: [],
    newest: null,
    lowest: null,
    highest: null,
  };
  const known = (more: Partial<SentenceFacts>): SentenceFacts => ({ ...nothingKnown, ...more });
  const sampleOf = (kind: 'spo2' | 'heartRate' | 'weight', value: number, measuredAt: number, isDoubtful = false) => ({
    kind,
    value,
    measuredAt,
    deviceId: 1,
    isDoubtful,
  });
  type Newest = NonNullable<SentenceFacts['newest']>;
  const valueOf = (kind: Newest['kind'], value: number, at = two, freshness: Newest['freshness'] = 'live') => ({
    kind,
    value,
    at,
    freshness,
  });

  const episodeOf = (rule: RuleId, priority: Priority, at: number): Episode => ({
    rule,
    priority,
    startedAt: at,
    count: 1,
    since: at,
    endedAt: null,
    lowest: null,
    highest: null,
    source: null,
    unconfirmedUntil: null,
  });

  function take(alert: Alert | null, parameter: Parameter, episode: Episode, now: number): Alert {
    const expectedLines = takeEpisode(alert, parameter, episode, now, { isHeld: false });
    if (expectedLines === null) {
      throw new Error('no change');
    }
    return expectedLines.alert;
  }
  const raised = (rule: RuleId, parameter: Parameter, at = two, priority: Priority = 'medium'): Alert =>
    take(null, parameter, episodeOf(rule, priority, at), at);
  const ended = (alert: Alert, at: number): Alert =>
    take(alert, alert.parameter, { ...episodeOf('spo2.low', 'medium', alert.since), endedAt: at }, at);

  const spo2 = continuousRules['spo2.low'].limits[1];

  describe('the sentence of an alert', () => {
    const alert = raised('spo2.low', 'spo2', two + 18 * second, 'high');
    const samples = [
      sampleOf('spo2', 86, two + 18 * second),
      sampleOf('spo2', 87, two + 3 * second),
      sampleOf('spo2', 94, two),
    ];
    const violation = { since: two + 3 * second, isAtLeast: false };
    const facts = known({ limits: spo2, samples, newest: valueOf('spo2', 86), lowest: 86, highest: 87, violation });
    const now = two + 4 * minute + 10 * second;

    it('begins with a headline that needs no more', () => {
      expect(headlineOf(alert, facts, now)).toBe('SpO2 86 % < 88 for 4 min');
      expect(sentenceOf(alert, facts, now).startsWith('SpO2 86 % < 88 for 4 min, ')).toBe(true);
      expect(headlineOf(ended(alert, now), facts, now)).toBe('SpO2 low');
    });

    it('says what is wrong, for how long, what the limit is and how it was before', () => {
      expect(sentenceOf(alert, facts, now)).toBe('SpO2 86 % < 88 for 4 min, was 94 at 14:00');
    });

    it.each<[string, Partial<SentenceFacts>, string]>([
      ['a worst value that is worse', { lowest: 79 }, 'SpO2 86 % < 88 for 4 min, lowest 79, was 94 at 14:00'],
      ['no worst value', { lowest: null }, 'SpO2 86 % < 88 for 4 min, was 94 at 14:00'],
      ['no values before', { samples: samples.slice(0, 2) }, 'SpO2 86 % < 88 for 4 min'],
      ['a doubtful value before', { samples: [sampleOf('spo2', 94, two, true)] }, 'SpO2 86 % < 88 for 4 min'],
      [
        'a value before that was hardly within the limit',
        { samples: [sampleOf('spo2', 89, two)] },
        'SpO2 86 % < 88 for 4 min',
      ],
      ['a value of another kind before', { samples: [sampleOf('heartRate', 94, two)] }, 'SpO2 86 % < 88 for 4 min'],
      ['a good value that came later', { samples: [sampleOf('spo2', 94, two + minute)] }, 'SpO2 86 % < 88 for 4 min'],
      [
        'a value that has recovered',
        { newest: valueOf('spo2', 88), lowest: 79 },
        'SpO2 88 %, clears at 90, lowest 79, limit < 88, alert since 14:00',
      ],
      ['no present value', { newest: null }, 'SpO2 low, lowest 86, limit < 88, no value now, alert since 14:00'],
      [
        'a value that its device doubts',
        { newest: { ...valueOf('spo2', 86), isDoubtful: true }, samples: [] },
        'SpO2 86 % < 88 for 4 min, signal questionable',
      ],
      [
        'a single value that no second one has confirmed',
        { newest: { ...valueOf('spo2', 86, two + minute), isSingle: true }, isConfirmed: false, samples: [] },
        'SpO2 86 % < 88 at 14:01, first reading, not confirmed',
      ],
      [
        'a device that replaces the assigned one',
        { newest: { ...valueOf('spo2', 86), source: 'oximeter' }, samples: [] },
        'SpO2 86 % (oximeter) < 88 for 4 min',
      ],
      [
        'another sensor that says something else',
        { newest: { ...valueOf('spo2', 72), source: 'oximeter', other: 97 }, samples: [] },
        'SpO2 72 % (oximeter, other sensor 97) < 88 for 4 min',
      ],
      [
        'an ECG without a rate, beside a live pulse',
        { newest: valueOf('heartRate', 0), pulse: 80, limits: continuousRules['hr.extreme'].limits[1], lowest: 0 },
        'ECG 0 for 4 min, but pulse 80: check the leads',
      ],
      ['an ECG that sees another rate', { ecg: 80, samples: [] }, 'SpO2 86 % (ECG 80) < 88 for 4 min'],
      [
        'an old value',
        { newest: valueOf('spo2', 86, two, 'off') },
        'SpO2 low, lowest 86, limit < 88, no value now, alert since 14:00',
      ],
      [
        'a value that has recovered for certain',
        { newest: valueOf('spo2', 90), lowest: 79 },
        'SpO2 90 % now, lowest 79, limit < 88, alert since 14:00, ends if it stays so',
      ],
      [
        'a value that has recovered by its rounded number',
        { newest: valueOf('spo2', 89.5), lowest: 79 },
        'SpO2 90 % now, lowest 79, limit < 88, alert since 14:00, ends if it stays so',
      ],
      [
        'a value that has recovered and is stale: it is not of now, and no hold runs by it',
        { newest: valueOf('spo2', 90, two + minute, 'stale'), lowest: 79 },
        'SpO2 90 % at 14:01, lowest 79, limit < 88, alert since 14:00',
      ],
      [
        'a silence meanwhile',
        { violation: { ...violation, isAtLeast: true } },
        'SpO2 86 % < 88 for at least 4 min, was 94 at 14:00',
      ],
      ['no start', { violation: null }, 'SpO2 86 % < 88, was 94 at 14:00'],
      ['no limit', { limits: null }, 'SpO2 86 % now, alert since 14:00'],
      ['nothing', nothingKnown, 'SpO2 low, no value now, alert since 14:00'],
      [
        'a limit that was moved',
        { limits: { raise: [atMost(90)], clear: [atLeast(92)] } },
        'SpO2 86 % ≤ 90 for 4 min, was 94 at 14:00',
      ],
    ])('invents nothing with %s', (_, more, sentence) => {
      expect(sentenceOf(alert, { ...facts, ...more }, now)).toBe(sentence);
      expect(isRecovering(alert, { ...facts, ...more }, now)).toBe(sentence.endsWith('ends if it stays so'));
    });

    it('says nothing about a length of no second', () => {
      const desat = {
        ...facts,
        limits: continuousRules['spo2.desat'].limits[1],
        newest: valueOf('spo2', 76),
        samples: [],
        lowest: 76,
        violation: { since: two, isAtLeast: false },
      };
      expect(sentenceOf(raised('spo2.desat', 'spo2'), desat, two)).toBe('SpO2 76 % < 78');
    });

    it.each([
      ['hr.extreme', 'rate', 'heartRate', [40.4, 40], 'HR 40 /min ≤ 40'],
      ['hr.extreme', 'rate', 'heartRate', [40.5, 41], 'HR 41 /min, clears at 45'],
      ['hr.extreme', 'rate', 'pulseRate', [149.5, 150], 'PR 150 /min ≥ 150'],
      ['hr.extreme', 'rate', 'pulseRate', [149.4, 149], 'PR 149 /min, clears at 145'],
      ['spo2.low', 'spo2', 'spo2', [87.4, 87], 'SpO2 87 % < 88'],
      ['spo2.low', 'spo2', 'spo2', [87.5, 88], 'SpO2 88 %, clears at 90'],
      ['spo2.low', 'spo2', 'spo2', [89.5, 90], 'SpO2 90 % now'],
    ] as const)(
      'of %s on %s uses the rounded value of %s that its rule judges: %j',
      (rule, of, kind, [value, rounded], words) => {
        const alert = raised(rule, of, two, 'high');
        const extremes = value < 100 ? { lowest: 38, highest: 90 } : { lowest: 90, highest: 155 };
        const at = (shown: number): string =>
          headlineOf(
            alert,
            known({ ...extremes, limits: continuousRules[rule].limits[1], newest: valueOf(kind, shown) }),
            now,
          );
        expect([at(value), at(rounded)]).toEqual([words, words]);
      },
    );

    it('names both extremes and no length if a rate was too slow before it was too fast', () => {
      const rate = raised('hr.extreme', 'rate', two, 'high');
      const both = known({
        limits: continuousRules['hr.extreme'].limits[1],
        newest: valueOf('heartRate', 155),
        lowest: 35,
        highest: 158,
        violation: { since: two, isAtLeast: false },
      });
      expect(sentenceOf(rate, both, now)).toBe('HR 155 /min ≥ 150, lowest 35, highest 158');
      expect(sentenceOf(rate, { ...both, newest: valueOf('heartRate', 158) }, now)).toBe(
        'HR 158 /min ≥ 150, lowest 35, highest 158',
      );
      expect(sentenceOf(rate, { ...both, lowest: 149 }, now)).toBe('HR 155 /min ≥ 150 for 4 min, highest 158');
      expect(sentenceOf(rate, { ...both, lowest: 149, newest: null }, now)).toBe(
        'Heart rate very high, highest 158, limit ≥ 150, no value now, alert since 14:00',
      );
      expect(sentenceOf(rate, { ...both, newest: null }, now)).toBe(
        'Heart rate extreme, lowest 35, highest 158, no value now, alert since 14:00',
      );
      expect(sentenceOf(rate, { ...both, newest: valueOf('pulseRate', 36) }, now)).toBe(
        'PR 36 /min ≤ 40, lowest 35, highest 158',
      );
      expect(sentenceOf(rate, { ...both, newest: valueOf('heartRate', 42), highest: 60 }, now)).toBe(
        'HR 42 /min, clears at 45, lowest 35, limit ≤ 40, alert since 14:00',
      );
      expect(sentenceOf(rate, { ...both, newest: valueOf('heartRate', 148), lowest: 90 }, now)).toBe(
        'HR 148 /min, clears at 145, highest 158, limit ≥ 150, alert since 14:00',
      );
    });

    it('says that it was withdrawn if corrected values show that it never was', () => {
      const withdrawn = takeEpisode(alert, 'spo2', null, two + 6 * minute, { isHeld: false })?.alert ?? alert;
      expect(sentenceOf(withdrawn, facts, now)).toBe('Withdrawn: values were corrected, SpO2 low, withdrawn at 14:06');
    });

    it('shows the offset in the hour that the clocks show twice', () => {
      const night = Date.parse('2026-10-25T00:30:00Z');
      const old = { ...raised('signal.poor', 'spo2Quality', night) };
      expect(sentenceOf(old, nothingKnown, night)).toBe('SpO2 signal doubtful, alert since 01:30 (UTC+01:00)');
      const later = raised('signal.poor', 'spo2Quality', night + hour);
      expect(sentenceOf(later, nothingKnown, night + hour)).toBe('SpO2 signal doubtful, alert since 01:30 (UTC+00:00)');
    });

    it('says when it ended and how bad it was', () => {
      expect(sentenceOf(ended(alert, two + 6 * minute), { ...facts, lowest: 84 }, now)).toBe(
        'SpO2 low, ended at 14:06, lowest 84, limit < 88',
      );
      expect(sentenceOf(ended(alert, two + 6 * minute), nothingKnown, now)).toBe('SpO2 low, ended at 14:06');
    });

    describe('of an alert whose condition became milder', () => {
      const mild = { rule: 'spo2.mild', conditionPriority: 'low', downgradedAt: two + 5 * minute } as const;
      const limits = continuousRules['spo2.mild'].limits[1];
      const worst = { rule: 'spo2.desat', priority: 'high', lowest: null, highest: null } as const;
      const desat = { ...worst, limits: continuousRules['spo2.desat'].limits[1] };
      const lowered = { ...alert, ...mild };
      const milder = { ...facts, limits, worst: desat, newest: valueOf('spo2', 92), lowest: 77, samples: [] };

      it('names what explains its priority, with the limit of the same rule', () => {
        expect(sentenceOf(lowered, milder, now)).toBe(
          'SpO2 92 % ≤ 93 for 4 min, SpO2 very low before, lowest 77, limit < 78',
        );
        expect(sentenceOf(lowered, { ...milder, newest: valueOf('spo2', 95) }, now)).toBe(
          'SpO2 95 % now, SpO2 very low before, lowest 77, limit < 78, alert since 14:00, ends if it stays so',
        );
        expect(sentenceOf(lowered, { ...milder, newest: null }, now)).toBe(
          'SpO2 very low, lowest 77, limit < 78, no value now, alert since 14:00',
        );
      });

      it('names it also when it is over, and when a milder condition followed', () => {
        const over = { ...ended(alert, two + 6 * minute), ...mild };
        expect(sentenceOf(over, milder, now)).toBe('SpO2 very low, ended at 14:06, lowest 77, limit < 78');
        expect(sentenceOf(over, { ...milder, lowest: 92, worst: { ...desat, lowest: 76 } }, now)).toBe(
          'SpO2 very low, ended at 14:06, lowest 76, limit < 78',
        );
      });

      it('names no worst value that is within that limit, because another device measured it', () => {
        const over = { ...ended(alert, two + 6 * minute), ...mild };
        expect(sentenceOf(over, { ...milder, lowest: 92 }, now)).toBe('SpO2 very low, ended at 14:06, limit < 78');
      });

      it('names no limit if an earlier release did not keep whose it is', () => {
        const over = { ...ended(alert, two + 6 * minute), ...mild };
        expect(sentenceOf(over, { ...milder, worst: null }, now)).toBe('SpO2 slightly low, ended at 14:06');
      });
    });

    it('says since when it is known if its values came too late', () => {
      const late: Alert = {
        ...ended(alert, two + 6 * minute),
        ruleRaisedAt: two + 2 * hour,
        closed: { at: two + 2 * hour, because: 'retrospective' },
      };
      expect(sentenceOf(late, { ...facts, lowest: 84 }, two + 3 * hour)).toBe(
        'SpO2 low, ended at 14:06, lowest 84, limit < 88, known only since 16:00',
      );
    });

    it('says the same of one that was seen', () => {
      const seen = acknowledge(alert, 7, now);
      expect(typeof seen === 'string' ? seen : sentenceOf(seen.alert, facts, now)).toBe(
        'SpO2 86 % < 88 for 4 min, was 94 at 14:00',
      );
    });

    it('says how often it happened', () => {
      const again = take(
        ended(alert, two + 6 * minute),
        'spo2',
        { ...episodeOf('spo2.low', 'high', two + 8 * minute), startedAt: two, count: 2 },
        two + 8 * minute,
      );
      const present = { ...facts, samples: [], violation: { since: two + 8 * minute, isAtLeast: false } };
      expect(sentenceOf(again, present, two + 9 * minute)).toBe('SpO2 86 % < 88 for 1 min, 2 times since 14:00');
    });

    it('names the day of what is not of today', () => {
      const tomorrow = two + 24 * hour;
      expect(sentenceOf(ended(alert, two + 6 * minute), facts, tomorrow)).toBe(
        'SpO2 low, ended at 01 May, 14:06, lowest 86, limit < 88',
      );
    });

    it('keeps to the site’s clock', () => {
      expect(sentenceOf(alert, { ...nothingKnown, timeZone: 'Asia/Tokyo' }, now)).toBe(
        'SpO2 low, no value now, alert since 22:00',
      );
    });

    it('has a sentence for a rule that it does not know', () => {
      const old = { ...alert, rule: 'spo2.trend' };
      expect(sentenceOf(old, facts, now)).toBe('SpO2, alert since 14:00');
      expect(sentenceOf(ended(old, two + 6 * minute), facts, now)).toBe('SpO2, ended at 14:06');
      expect(sentenceOf({ ...alert, rule: 'home.glucose.red' }, facts, now)).toBe('SpO2, alert since 14:00');
      expect(sentenceOf({ ...alert, rule: 'constructor' }, facts, now)).toBe('SpO2, alert since 14:00');
    });
  });

  type Line = [parameter: Parameter, more: Partial<SentenceFacts>, active: string, over: string, unknown: string];
  const limitsOf = (rule: keyof typeof continuousRules, scale: 1 | 2 = 1) => continuousRules[rule].limits[scale];
  const flags = { at: two - 5 * minute, redFlags: ['blueLips', 'seizure'] } as const;
  const worse: NonNullable<SentenceFacts['report']> = {
    at: two - 5 * minute,
    redFlags: [],
    changes: [
      { symptom: 'cough', is: 'worse' },
      { symptom: 'fever', is: 'new' },
    ],
  };
  const first = { isConfirmed: false };
  const ofDevice = { deviceId: 1, isDoubtful: false };
  const late: SentenceFacts['samples'] = [
    { ...ofDevice, kind: 'spo2', value: 72, measuredAt: two - 20 * minute, side: 'low' },
    { ...ofDevice, kind: 'heartRate', value: 160, measuredAt: two - 10 * minute, side: 'high' },
  ];
  const missing = { newest: valueOf('spo2', 96, two - 6 * minute, 'off') };
  const device = { lastSeenAt: null, battery: null, offsetMs: null };

  /**
   * Each rule, raised at 14:00, shown two minutes later and ended at 14:06. A missing rule does not compile.
   */
  const expectedLines: Record<Exclude<RuleId, HomeRuleId>, Line> = {
    'spo2.desat': [
      'spo2',
      { limits: limitsOf('spo2.desat'), newest: valueOf('spo2', 72), lowest: 72 },
      'SpO2 72 % < 78 for 2 min',
      'SpO2 very low, ended at 14:06, lowest 72, limit < 78',
      'SpO2 very low, no value now, alert since 14:00',
    ],
    'spo2.low': [
      'spo2',
      { limits: limitsOf('spo2.low'), newest: valueOf('spo2', 87), lowest: 85 },
      'SpO2 87 % < 88 for 2 min, lowest 85',
      'SpO2 low, ended at 14:06, lowest 85, limit < 88',
      'SpO2 low, no value now, alert since 14:00',
    ],
    'spo2.below': [
      'spo2',
      { limits: limitsOf('spo2.below'), newest: valueOf('spo2', 91), lowest: 91 },
      'SpO2 91 % ≤ 91 for 2 min',
      'SpO2 below target, ended at 14:06, lowest 91, limit ≤ 91',
      'SpO2 below target, no value now, alert since 14:00',
    ],
    'spo2.disagree': [
      'spo2',
      { newest: { ...valueOf('spo2', 90), other: 97 }, lowest: null },
      'SpO2 sources disagree, SpO2 90 % (other sensor 97), alert since 14:00',
      'SpO2 sources disagree, ended at 14:06',
      'SpO2 sources disagree, alert since 14:00',
    ],
    'spo2.over_o2': [
      'spo2',
      { limits: limitsOf('spo2.over_o2', 2), newest: valueOf('spo2', 98), highest: 99 },
      'SpO2 98 % on oxygen ≥ 97 for 2 min, highest 99',
      'SpO2 above target on oxygen, ended at 14:06, highest 99, limit ≥ 97',
      'SpO2 above target on oxygen, no value now, alert since 14:00',
    ],
    'spo2.mild': [
      'spo2',
      { limits: limitsOf('spo2.mild'), newest: valueOf('spo2', 93), lowest: 92 },
      'SpO2 93 % ≤ 93 for 2 min, lowest 92',
      'SpO2 slightly low, ended at 14:06, lowest 92, limit ≤ 93',
      'SpO2 slightly low, no value now, alert since 14:00',
    ],
    'spo2.over_o2_lo': [
      'spo2',
      { limits: limitsOf('spo2.over_o2_lo', 2), newest: valueOf('spo2', 94), highest: 94 },
      'SpO2 94 % on oxygen ≥ 93 for 2 min',
      'SpO2 slightly above target on oxygen, ended at 14:06, highest 94, limit ≥ 93',
      'SpO2 slightly above target on oxygen, no value now, alert since 14:00',
    ],
    'spo2.drop': [
      'spo2',
      { limits: limitsOf('spo2.drop'), newest: valueOf('spo2', 91), medians: { recent: 91.5, day: 95 } },
      'SpO2 down: median 92 over 15 min, 95 over 24 h, 91 % now, alert since 14:00',
      'SpO2 over 15 min below the median of 24 h, ended at 14:06',
      'SpO2 over 15 min below the median of 24 h, alert since 14:00',
    ],
    'hr.extreme': [
      'rate',
      { limits: limitsOf('hr.extreme'), newest: valueOf('heartRate', 0), lowest: 0, highest: 96 },
      'Asystole for 2 min',
      'Heart rate very low, ended at 14:06, lowest 0, limit ≤ 40',
      'Heart rate extreme, no value now, alert since 14:00',
    ],
    'hr.high': [
      'rate',
      { limits: limitsOf('hr.high'), newest: valueOf('pulseRate', 133), highest: 135 },
      'PR 133 /min ≥ 131 for 2 min, highest 135',
      'Heart rate high, ended at 14:06, highest 135, limit ≥ 131',
      'Heart rate high, no value now, alert since 14:00',
    ],
    'hr.low': [
      'rate',
      { limits: limitsOf('hr.low'), newest: valueOf('heartRate', 44), lowest: 43 },
      'HR 44 /min ≤ 45 for 2 min, lowest 43',
      'Heart rate low, ended at 14:06, lowest 43, limit ≤ 45',
      'Heart rate low, no value now, alert since 14:00',
    ],
    'hr.fast': [
      'rate',
      { limits: limitsOf('hr.fast'), newest: valueOf('heartRate', 118), highest: 118 },
      'HR 118 /min ≥ 111 for 2 min',
      'Heart rate fast, ended at 14:06, highest 118, limit ≥ 111',
      'Heart rate fast, no value now, alert since 14:00',
    ],
    'hr.jump': [
      'rate',
      { limits: limitsOf('hr.jump'), newest: valueOf('heartRate', 118), medians: { recent: 117, day: 80 } },
      'Heart rate up: median 117 over 15 min, 80 over 24 h, 118 /min now, alert since 14:00',
      'Heart rate over 15 min away from the median of 24 h, ended at 14:06',
      'Heart rate over 15 min away from the median of 24 h, alert since 14:00',
    ],
    'signal.poor': [
      'spo2Quality',
      { limits: limitsOf('signal.poor'), newest: valueOf('spo2', 90) },
      'SpO2 signal doubtful, alert since 14:00',
      'SpO2 signal doubtful, ended at 14:06',
      'SpO2 signal doubtful, alert since 14:00',
    ],
    'signal.perfusion': [
      'perfusion',
      { limits: limitsOf('signal.perfusion'), newest: valueOf('perfusionIndex', 0.2), lowest: 0.1 },
      'PI 0.2 % < 0.3 for 2 min, lowest 0.1',
      'Perfusion low, ended at 14:06, lowest 0.1, limit < 0.3',
      'Perfusion low, no value now, alert since 14:00',
    ],
    'news2.unresponsive': [
      'news2',
      {
        ...first,
        news2: { complete: false, range: [3, 18], parts: { consciousness: { value: 'U', points: 3 } } },
      },
      'Consciousness U, 3 points in NEWS2, first set, not confirmed, alert since 14:00',
      'Not alert (ACVPU), ended at 14:06',
      'Not alert (ACVPU), alert since 14:00',
    ],
    'news2.extremeRespiratoryRate': [
      'news2',
      {
        ...first,
        limits: { raise: [atMost(8), atLeast(35)], clear: [atLeast(10), atMost(22)] },
        news2: { complete: false, range: [3, 18], parts: { respiratoryRate: { value: 8, points: 3 } } },
      },
      'RR 8 /min ≤ 8, first set, not confirmed, alert since 14:00',
      'Respiratory rate extreme, ended at 14:06, limit ≤ 8 or ≥ 35',
      'Respiratory rate extreme, no value now, alert since 14:00',
    ],
    'news2.extremeSystolic': [
      'news2',
      {
        limits: { raise: [atMost(70)], clear: [atLeast(95)] },
        news2: { complete: false, range: [3, 18], parts: { systolic: { value: 71, points: 3 } } },
      },
      'Systolic 71 mmHg now, Systolic pressure very low, limit ≤ 70, alert since 14:00',
      'Systolic pressure very low, ended at 14:06, limit ≤ 70',
      'Systolic pressure very low, no value now, alert since 14:00',
    ],
    'news2.extremeTemperature': [
      'news2',
      {
        limits: { raise: [atMost(32), atLeast(41)], clear: [atLeast(35.5), atMost(39)] },
        news2: { complete: false, range: [2, 18], parts: { temperature: { value: 41, points: 2 } } },
      },
      'Temp 41.0 °C ≥ 41, alert since 14:00',
      'Temperature extreme, ended at 14:06, limit ≤ 32 or ≥ 41',
      'Temperature extreme, no value now, alert since 14:00',
    ],
    'news2.high': [
      'news2',
      { news2: { complete: true, range: [8, 8], parts: {} }, highest: 9 },
      'NEWS2 8 ≥ 7 for 2 min, highest at least 9',
      'NEWS2 high, ended at 14:06, highest at least 9, limit ≥ 7',
      'NEWS2 high, alert since 14:00, limit ≥ 7',
    ],
    'news2.aggregate': [
      'news2',
      { news2: { complete: false, range: [6, 18], parts: {} }, highest: 7 },
      'NEWS2 at least 6 ≥ 5 for 2 min, highest at least 7',
      'NEWS2 high, ended at 14:06, highest at least 7, limit ≥ 5',
      'NEWS2 high, alert since 14:00, limit ≥ 5',
    ],
    'news2.consciousness': [
      'news2',
      { news2: { complete: false, range: [3, 18], parts: { consciousness: { value: 'U', points: 3 } } } },
      'Consciousness U, 3 points in NEWS2, alert since 14:00',
      'Not alert (ACVPU), ended at 14:06',
      'Not alert (ACVPU), alert since 14:00',
    ],
    'news2.respiratoryRate': [
      'news2',
      { news2: { complete: false, range: [3, 18], parts: { respiratoryRate: { value: 32, points: 3 } } } },
      'RR 32 /min, 3 points in NEWS2, alert since 14:00',
      'RR scores 3 in NEWS2, ended at 14:06',
      'RR scores 3 in NEWS2, alert since 14:00',
    ],
    'news2.systolic': [
      'news2',
      { news2: { complete: false, range: [3, 18], parts: { systolic: { value: 88, points: 3 } } } },
      'Systolic 88 mmHg, 3 points in NEWS2, alert since 14:00',
      'Systolic scores 3 in NEWS2, ended at 14:06',
      'Systolic scores 3 in NEWS2, alert since 14:00',
    ],
    'news2.temperature': [
      'news2',
      { news2: { complete: false, range: [3, 18], parts: { temperature: { value: 34.8, points: 3 } } } },
      'Temp 34.8 °C, 3 points in NEWS2, alert since 14:00',
      'Temp scores 3 in NEWS2, ended at 14:06',
      'Temp scores 3 in NEWS2, alert since 14:00',
    ],
    'symptoms.red_flag': [
      'symptoms',
      { report: flags },
      'Red flag: Blue lips or face; Seizure, reported at 13:55',
      'Red flag: Blue lips or face; Seizure, reported at 13:55, ended at 14:06',
      'Red flag reported',
    ],
    'symptoms.amber': [
      'symptoms',
      { report: worse },
      'Cough worse, new fever, reported at 13:55',
      'Cough worse, new fever, reported at 13:55, ended at 14:06',
      'New or worse symptoms reported',
    ],
    'symptoms.callRequested': [
      'callRequest',
      {},
      'Call requested from home, asked at 14:00',
      'Call requested from home, ended at 14:06',
      'Call requested from home, asked at 14:00',
    ],
    'outOfReach.violation': [
      'outOfReach',
      { samples: late },
      'While out of reach: lowest SpO2 72 % at 13:40 and highest HR 160 /min at 13:50',
      'While out of reach: lowest SpO2 72 % at 13:40 and highest HR 160 /min at 13:50, ended at 14:06',
      'While out of reach: values were corrected',
    ],
    'readings.missed': [
      'readings',
      { newest: valueOf('spo2', 95, two - 6 * hour, 'off') },
      'A reading is missing, last one at 08:00',
      'Readings missing, ended at 14:06',
      'A reading is missing',
    ],
    'readings.silent': [
      'readings',
      { newest: valueOf('spo2', 95, two - 24 * hour, 'off') },
      'No readings, last one at 30 Apr, 14:00',
      'Readings missing, ended at 14:06',
      'No readings',
    ],
    'reporting.short': [
      'reporting',
      missing,
      'No SpO2 data since 13:54, last 96 %',
      'No SpO2 data, ended at 14:06',
      'No data, alert since 14:00',
    ],
    'reporting.medium': [
      'reporting',
      missing,
      'No SpO2 data since 13:54, last 96 %',
      'No SpO2 data, ended at 14:06',
      'No data, alert since 14:00',
    ],
    'reporting.long': [
      'reporting',
      missing,
      'No SpO2 data since 13:54 (continuous monitoring ordered), last 96 %',
      'No SpO2 data, ended at 14:06',
      'No data, alert since 14:00 (continuous monitoring ordered)',
    ],
    'sensor.short': [
      'sensor',
      missing,
      'No SpO2 signal since 13:54, last 96 %',
      'No SpO2 signal, ended at 14:06',
      'No signal, alert since 14:00',
    ],
    'sensor.off': [
      'sensor',
      missing,
      'No SpO2 signal since 13:54, last 96 %',
      'No SpO2 signal, ended at 14:06',
      'No signal, alert since 14:00',
    ],
    'sensor.long': [
      'sensor',
      missing,
      'No SpO2 signal since 13:54 (continuous monitoring ordered), last 96 %',
      'No SpO2 signal, ended at 14:06',
      'No signal, alert since 14:00 (continuous monitoring ordered)',
    ],
    'sensor.poor': [
      'sensor',
      { poor: { times: 6, withinMs: 17 * minute } },
      'Poor signal, 6 times in 17 min: check the probe, alert since 14:00',
      'Poor signal, ended at 14:06',
      'Poor signal: check the probe, alert since 14:00',
    ],
    'sensor.unreliable': [
      'sensor',
      missing,
      'Unreliable signal, valid less than half of the time, alert since 14:00',
      'Unreliable signal, ended at 14:06',
      'Unreliable signal, valid less than half of the time, alert since 14:00',
    ],
    'sensor.unstated': [
      'sensor',
      missing,
      'Device stopped stating the signal quality, alert since 14:00',
      'Device stopped stating the signal quality, ended at 14:06',
      'Device stopped stating the signal quality, alert since 14:00',
    ],
    'gateway.silent': [
      'gateway',
      { device: { ...device, lastSeenAt: two - minute } },
      'Gateway silent since 13:59, nothing comes from its patients',
      'Gateway silent, ended at 14:06',
      'Gateway silent, alert since 14:00, nothing comes from its patients',
    ],
    'gateway.long': [
      'gateway',
      { device: { ...device, lastSeenAt: two - 5 * minute } },
      'Gateway silent since 13:55, nothing comes from its patients',
      'Gateway silent, ended at 14:06',
      'Gateway silent, alert since 14:00, nothing comes from its patients',
    ],
    'battery.low': [
      'battery',
      { device: { ...device, battery: { percent: 18, minutesLeft: null } } },
      'Battery low: 18 %',
      'Battery low, ended at 14:06',
      'Battery low',
    ],
    'battery.empty': [
      'battery',
      { device: { ...device, battery: { percent: 0, minutesLeft: 4 } } },
      'Battery nearly empty: 0 %, 4 min left',
      'Battery nearly empty, ended at 14:06',
      'Battery nearly empty',
    ],
    'hl7.refused': [
      'gateway',
      {},
      'Gateways cannot connect, alert since 14:00, look at the monitors, call the operator',
      'Gateways cannot connect, ended at 14:06',
      'Gateways cannot connect, alert since 14:00, look at the monitors, call the operator',
    ],
    'hl7.strangers': [
      'gateway',
      {},
      'Unknown senders fill the HL7 port, alert since 14:00, call the operator',
      'Unknown senders fill the HL7 port, ended at 14:06',
      'Unknown senders fill the HL7 port, alert since 14:00, call the operator',
    ],
    'standby.renewed': [
      'standby',
      { standby: { by: 'Robin Example', until: two + 20 * minute } },
      'Standby renewed by Robin Example until 14:20',
      'Standby renewed, ended at 14:06',
      'Standby renewed',
    ],
    'standby.moved': [
      'standby',
      {},
      'Standby ended by move, alert since 14:00',
      'Standby ended by move, ended at 14:06',
      'Standby ended by move, alert since 14:00',
    ],
    'limits.none': ['limits', {}, 'No rate limits set', 'No rate limits set, ended at 14:06', 'No rate limits set'],
    'monitor.none': [
      'monitor',
      {},
      'No monitor is assigned after the discharge was taken back, alert since 14:00',
      'No monitor is assigned after the discharge was taken back, ended at 14:06',
      'No monitor is assigned after the discharge was taken back, alert since 14:00',
    ],
    'clock.off': [
      'clock',
      { device: { ...device, offsetMs: -150 * second } },
      'Device clock 3 min ahead',
      'Device clock wrong, ended at 14:06',
      'Device clock wrong',
    ],
    'handoff.unreceived': [
      'handoff',
      {},
      'Handoff not received, alert since 14:00',
      'Handoff not received, ended at 14:06',
      'Handoff not received, alert since 14:00',
    ],
    'checkIn.locked': [
      'checkInLink',
      {},
      'Check-in link locked after too many wrong years of birth, alert since 14:00, call the patient, make a new link',
      'Check-in link locked after too many wrong years of birth, ended at 14:06',
      'Check-in link locked after too many wrong years of birth, alert since 14:00, call the patient, make a new link',
    ],
    'checkIn.misused': [
      'checkInLink',
      {},
      'Check-in link misused: more than 20 check-ins in an hour, alert since 14:00, call the patient, revoke the link',
      'Check-in link misused: more than 20 check-ins in an hour, ended at 14:06',
      'Check-in link misused: more than 20 check-ins in an hour, alert since 14:00, call the patient, revoke the link',
    ],
    'report.s1': [
      'report',
      {},
      'Issue report: monitoring lost or wrong patient data, alert since 14:00, check the patients',
      'Issue report: monitoring lost or wrong patient data, ended at 14:06',
      'Issue report: monitoring lost or wrong patient data, alert since 14:00, check the patients',
    ],
    'rules.failed': [
      'rules',
      {},
      'Rules failed for this patient, alert since 14:00, alerts may be missing',
      'Rules failed for this patient, ended at 14:06',
      'Rules failed for this patient, alert since 14:00, alerts may be missing',
    ],
    'rules.failed_device': [
      'rules',
      {},
      'Rules failed for this device, alert since 14:00, alerts may be missing',
      'Rules failed for this device, ended at 14:06',
      'Rules failed for this device, alert since 14:00, alerts may be missing',
    ],
    'record.unreadable': [
      'record',
      {},
      'Alert could not be read, alert since 14:00, check the patient',
      'Alert could not be read, ended at 14:06',
      'Alert could not be read, alert since 14:00, check the patient',
    ],
    'monitor.undecided': [
      'monitor',
      {},
      'MRN alone is enough for the values of this sender, alert since 14:00, ' +
        'two people decide that at Admin, Interfaces',
      'MRN alone is enough for the values of this sender, ended at 14:06',
      'MRN alone is enough for the values of this sender, alert since 14:00, ' +
        'two people decide that at Admin, Interfaces',
    ],
    'monitor.training': [
      'monitor',
      {},
      'Monitor in training or demo mode, alert since 14:00, ' +
        'what does not fit is in no chart: end that mode if a patient is on the monitor',
      'Monitor in training or demo mode, ended at 14:06',
      'Monitor in training or demo mode, alert since 14:00, ' +
        'what does not fit is in no chart: end that mode if a patient is on the monitor',
    ],
    'monitor.clock': [
      'monitor',
      {},
      'Times of this monitor more than a day off, alert since 14:00, what does not fit is in no chart: set its clock',
      'Times of this monitor more than a day off, ended at 14:06',
      'Times of this monitor more than a day off, alert since 14:00, what does not fit is in no chart: set its clock',
    ],
    'monitor.identity': [
      'monitor',
      {},
      'Patient of this monitor does not match, alert since 14:00, ' +
        'what does not fit is in no chart: check name and number on the monitor',
      'Patient of this monitor does not match, ended at 14:06',
      'Patient of this monitor does not match, alert since 14:00, ' +
        'what does not fit is in no chart: check name and number on the monitor',
    ],
    'monitor.patient': [
      'monitor',
      {},
      'Sends for a patient who is not its own, alert since 14:00, ' +
        'what does not fit is in no chart: assign the device to its patient, or confirm it as a gateway',
      'Sends for a patient who is not its own, ended at 14:06',
      'Sends for a patient who is not its own, alert since 14:00, ' +
        'what does not fit is in no chart: assign the device to its patient, or confirm it as a gateway',
    ],
    'monitor.unconfirmed': [
      'monitor',
      {},
      'Gateway not confirmed, alert since 14:00, ' +
        'what does not fit is in no chart: two persons confirm it at Admin, Devices; else its values will be refused',
      'Gateway not confirmed, ended at 14:06',
      'Gateway not confirmed, alert since 14:00, ' +
        'what does not fit is in no chart: two persons confirm it at Admin, Devices; else its values will be refused',
    ],
    'monitor.authority': [
      'monitor',
      {},
      'MR number of an authority that the site does not list, alert since 14:00, ' +
        'what does not fit is in no chart: an administrator has to compare the list at Admin, Site',
      'MR number of an authority that the site does not list, ended at 14:06',
      'MR number of an authority that the site does not list, alert since 14:00, ' +
        'what does not fit is in no chart: an administrator has to compare the list at Admin, Site',
    ],
    'clock.stepped': [
      'clock',
      { device: { ...device, offsetMs: 40 * second } },
      'Server clock was set forward by 40 s, check the times of entries around it',
      'Server clock was set, ended at 14:06',
      'Server clock was set, check the times of entries around it',
    ],
    'clock.steppedFar': [
      'clock',
      { device: { ...device, offsetMs: -60 * minute } },
      'Server clock was set back by 1 h, check the times of entries around it',
      'Server clock was set, ended at 14:06',
      'Server clock was set, check the times of entries around it',
    ],
    'clock.doubted': [
      'clock',
      {},
      'Server clock may be wrong by more than a day, alert since 14:00, an administrator has to look at it',
      'Server clock may be wrong by more than a day, ended at 14:06',
      'Server clock may be wrong by more than a day, alert since 14:00, an administrator has to look at it',
    ],
    'server.fault': [
      'server',
      {},
      'Server ended by a fault and was started again, alert since 14:00, check that values arrive',
      'Server ended by a fault and was started again, ended at 14:06',
      'Server ended by a fault and was started again, alert since 14:00, check that values arrive',
    ],
    'disk.low': [
      'disk',
      {},
      'Disk of the server nearly full, alert since 14:00, call the operator',
      'Disk of the server nearly full, ended at 14:06',
      'Disk of the server nearly full, alert since 14:00, call the operator',
    ],
  };

  describe('the sentence of each rule', () => {
    const lines = Object.entries(expectedLines) as [keyof typeof expectedLines, Line][];

    it.each(lines)('%s, while it lasts', (rule, [parameter, more, active]) => {
      const violation = { since: two, isAtLeast: false };
      expect(sentenceOf(raised(rule, parameter), known({ violation, ...more }), two + 2 * minute)).toBe(active);
    });

    it.each(lines)('%s, when it is over', (rule, [parameter, more, , over]) => {
      expect(sentenceOf(ended(raised(rule, parameter), two + 6 * minute), known(more), two + hour)).toBe(over);
    });

    it.each(lines)('%s, without facts', (rule, [parameter, , , , unknown]) => {
      expect(sentenceOf(raised(rule, parameter), nothingKnown, two + 2 * minute)).toBe(unknown);
    });

    it.each([
      [90 * second, 'Device clock 2 min behind'],
      [-20 * minute, 'Device clock 20 min ahead'],
      [60 * minute, 'Device clock 1 h 00 behind: is its time zone right?'],
      [-330 * minute - 59 * second, 'Device clock 5 h 30 ahead: is its time zone right?'],
      [15 * minute + 2 * second, 'Device clock 0 h 15 behind: is its time zone right?'],
    ])('of a clock says which way it is wrong, and asks whether that is its zone: %d ms', (offsetMs, sentence) => {
      const off = known({ device: { ...device, offsetMs } });
      expect(sentenceOf(raised('clock.off', 'clock'), off, two)).toBe(sentence);
    });

    it('of a score says whether it is complete, and whether it is still high', () => {
      const score = (complete: boolean, least: number) =>
        known({ news2: { complete, range: [least, complete ? least : 18], parts: {} }, highest: 6 });
      expect(sentenceOf(raised('news2.aggregate', 'news2'), score(true, 6), two)).toBe('NEWS2 6 ≥ 5');
      expect(sentenceOf(raised('news2.aggregate', 'news2'), score(false, 4), two)).toBe(
        'NEWS2 at least 4 now, alert since 14:00, highest at least 6, limit ≥ 5',
      );
    });
  });

  describe('the sentence of a reading at home', () => {
    const limitsOfReading = (rule: string): SentenceFacts['limits'] => {
      const [, read, colour] = rule.split('.');
      const parameter = spotParameters.find((one) => one === read) ?? 'spo2';
      const { limits }: SpotRule = spotRules[parameter];
      const priority = colour === 'red' ? 'high' : colour === 'amber' ? 'medium' : 'low';
      return { raise: limits[1][priority] ?? [], clear: [] };
    };

    it.each<[HomeRuleId, Parameter, Partial<SentenceFacts>, string]>([
      [
        'home.spo2.red',
        'spo2',
        { newest: valueOf('spo2', 91), isConfirmed: false },
        'SpO2 91 % ≤ 92 at 14:00, red, not confirmed yet',
      ],
      [
        'home.spo2.red',
        'spo2',
        { newest: valueOf('spo2', 91), isConfirmed: true },
        'SpO2 91 % ≤ 92 at 14:00, red, confirmed',
      ],
      ['home.spo2.red', 'spo2', { newest: valueOf('spo2', 91) }, 'SpO2 91 % ≤ 92 at 14:00, red'],
      ['home.spo2.red', 'spo2', { isConfirmed: false }, 'SpO2 reading red, not confirmed yet, limit ≤ 92'],
      [
        'home.spo2.amber',
        'spo2',
        { newest: valueOf('spo2', 94), isConfirmed: true },
        'SpO2 94 % ≤ 94 at 14:00, amber, confirmed',
      ],
      [
        'home.rate.red',
        'rate',
        { newest: valueOf('pulseRate', 40), isConfirmed: false },
        'PR 40 /min ≤ 40 at 14:00, red, not confirmed yet',
      ],
      [
        'home.rate.amber',
        'rate',
        { newest: valueOf('pulseRate', 111), isConfirmed: true },
        'PR 111 /min ≥ 111 at 14:00, amber, confirmed',
      ],
      [
        'home.respiratoryRate.red',
        'respiratoryRate',
        { newest: valueOf('respiratoryRate', 26), isConfirmed: true },
        'RR 26 /min ≥ 25 at 14:00, red',
      ],
      [
        'home.respiratoryRate.amber',
        'respiratoryRate',
        { newest: valueOf('respiratoryRate', 21) },
        'RR 21 /min ≥ 21 at 14:00, amber',
      ],
      [
        'home.temperature.amber',
        'temperature',
        { newest: valueOf('temperature', 39.1) },
        'Temp 39.1 °C ≥ 39.1 at 14:00, amber',
      ],
      [
        'home.temperature.low',
        'temperature',
        { newest: valueOf('temperature', 38.4) },
        'Temp 38.4 °C ≥ 38.1 at 14:00, raised',
      ],
      [
        'home.weight.amber',
        'weight',
        { newest: valueOf('weight', 83.4), isConfirmed: true },
        'Weight 83.4 kg at 14:00, up within three days, amber',
      ],
      ['home.weight.amber', 'weight', {}, 'Weight up within three days, amber'],
    ])('%s: %#', (rule, parameter, more, sentence) => {
      expect(sentenceOf(raised(rule, parameter), known({ limits: limitsOfReading(rule), ...more }), two + minute)).toBe(
        sentence,
      );
    });

    it('says of a red reading that a phone kept for hours when it was taken and when it arrived', () => {
      const late = { ...sampleOf('spo2', 91, two - 5 * hour), arrivedAt: two };
      const facts = known({
        limits: { raise: [atMost(92)], clear: [] },
        samples: [late],
        newest: valueOf('spo2', 91, two - 5 * hour),
        isConfirmed: true,
      });
      const alert = raised('home.spo2.red', 'spo2', two - 5 * hour);
      expect(sentenceOf(alert, facts, two)).toBe('SpO2 91 % ≤ 92 taken at 09:00, arrived at 14:00, red, confirmed');
      expect(sentenceOf(alert, { ...facts, newest: valueOf('spo2', 90, two + minute) }, two + minute)).toBe(
        'SpO2 90 % ≤ 92 at 14:01, red, confirmed, taken at 09:00, arrived at 14:00',
      );
      expect(sentenceOf(ended(alert, two + 6 * minute), { ...facts, lowest: 91 }, two + hour)).toBe(
        'SpO2 reading red, ended at 14:06, lowest 91, limit ≤ 92, taken at 09:00, arrived at 14:00',
      );
    });

    it('says how much a weight rose within three days', () => {
      const day = 24 * hour;
      const samples = [83.4, 82, 81, 70].map((value, back) => sampleOf('weight', value, two - back * (day + 1)));
      const facts = known({ newest: valueOf('weight', 83.4), samples });
      expect(sentenceOf(raised('home.weight.amber', 'weight'), facts, two)).toBe(
        'Weight 83.4 kg at 14:00, up 2.4 kg within three days, amber',
      );
    });

    it('names no limit if the value violates none, as below the patient’s own baseline', () => {
      expect(spotPriority('spo2', 88, { scale: 2, baseline: 91 })).toBe('medium');
      const facts = known({
        limits: { raise: [atMost(87)], clear: [] },
        newest: valueOf('spo2', 88),
        isConfirmed: true,
      });
      expect(sentenceOf(raised('home.spo2.amber', 'spo2'), facts, two)).toBe('SpO2 88 % at 14:00, amber, confirmed');
    });

    it('says when it was over and how bad it was', () => {
      const facts = known({
        limits: { raise: [atMost(92)], clear: [] },
        newest: valueOf('spo2', 96, two + 6 * minute),
        lowest: 90,
        isConfirmed: true,
      });
      expect(sentenceOf(ended(raised('home.spo2.red', 'spo2'), two + 6 * minute), facts, two + hour)).toBe(
        'SpO2 reading red, ended at 14:06, lowest 90, limit ≤ 92',
      );
    });

    it.each(spotParameters.flatMap((parameter) => priorities.map((priority) => [parameter, priority] as const)))(
      'has words for %s of the priority %s',
      (parameter, priority) => {
        const color = ({ high: 'red', medium: 'amber', low: 'low' } as const)[priority];
        const rule: HomeRuleId = `home.${parameter}.${color}`;
        const sentence = sentenceOf(
          raised(rule, parameter),
          known({ newest: valueOf(parameter === 'rate' ? 'pulseRate' : parameter, 60) }),
          two,
        );
        expect(sentence).toMatch(priority === 'high' ? /red/ : priority === 'medium' ? /amber/ : /raised/);
        expect(sentence).toMatch(/ 60(\.0)? .*at 14:00/);
      },
    );
  });
});

describe('the sentence of an alert during an outage', () => {
  it('never says now', () => {
    expect(sentenceAsOf('SpO2 91 % now, for 4 min, no value now', '10:42')).toBe(
      'SpO2 91 % at 10:42, for 4 min, no value at 10:42',
    );
  });

  it.each(['Readings by Nowak, known only since 10:40', 'Rechecked nowhere', 'Now 91 %'])(
    'leaves "%s" alone',
    (text) => {
      expect(sentenceAsOf(text, '10:42')).toBe(text);
    },
  );

  it('is as it came while the server responds', () => {
    expect(sentenceAsOf('SpO2 91 % now', null)).toBe('SpO2 91 % now');
  });
});
