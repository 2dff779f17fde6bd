import { dayOf } from '../time/dayOf';
import { changeOf, type GradedReport } from './gradedReport';
import { redFlagsOf } from './redFlagsOf';
import { cellCodes, cellOf, gradeOf, worseCell } from './severity';
import { summaryOf } from './summaryOf';
import { stripFrom, symptomStrip } from './symptomStrip';
import { type RedFlag, redFlags, type Symptom, type SymptomAnswer, symptomAnswers, symptoms } from './symptoms';
import { symptomsToday } from './symptomsToday';

describe('changeOf', () => {
  /** Reports of a cough, the newest first; undefined: it was not asked. */
  const reports = (...answers: (SymptomAnswer | undefined)[]): GradedReport[] =>
    answers.map((cough, index) => ({
      reportedAt: 1_000 - index,
      answers: cough === undefined ? {} : { cough },
      redFlags: [],
      sinceYesterday: null,
    }));

  it.each([
    [[], null],
    [[undefined], null],
    [['unanswered'], null],
    [['absent', 'severe'], null],
    [['mild'], 'new'],
    [['mild', 'absent'], 'new'],
    [['mild', 'unanswered', 'absent'], 'new'],
    [['severe', undefined, 'mild'], 'worse'],
    [['mild', 'mild'], null],
    [['mild', 'severe'], null],
    [[undefined, 'moderate', 'mild'], 'worse'],
  ] as const)('%j: %s', (answers, change) => {
    expect(changeOf(reports(...answers), 'cough')).toBe(change);
  });
});

describe('redFlagsOf', () => {
  const names = Object.keys(symptoms) as Symptom[];

  it.each([
    ['dyspnoea', 'severe', 'severeBreathlessness'],
    ['dyspnoea', 'moderate', null],
    ['chestPain', 'severe', 'severeChestPain'],
    ['chestPain', 'moderate', null],
    ['confusion', 'mild', 'newConfusion'],
    ['confusion', 'absent', null],
    ['confusion', 'unanswered', null],
    ['syncope', 'mild', 'collapse'],
    ['syncope', 'absent', null],
    ['haemoptysis', 'mild', 'coughingBlood'],
    ['haemoptysis', 'absent', null],
  ] as const)('%s %s: %s', (symptom, answer, flag) => {
    expect(redFlagsOf({ [symptom]: answer }, [])).toEqual(flag === null ? [] : [flag]);
  });

  it('is raised by no other answer', () => {
    const raising = names.filter((name) =>
      symptomAnswers.some((answer) => redFlagsOf({ [name]: answer }, []).length > 0),
    );
    expect(raising).toEqual(['dyspnoea', 'haemoptysis', 'chestPain', 'syncope', 'confusion']);
  });

  it('keeps every flag that was ticked, once and in the order of the table, whatever was answered', () => {
    const all = Object.keys(redFlags) as RedFlag[];
    expect(redFlagsOf({}, all.toReversed())).toEqual(all);
    expect(redFlagsOf({ confusion: 'absent' }, ['newConfusion', 'newConfusion'])).toEqual(['newConfusion']);
  });
});

describe('a cell', () => {
  it('never says absent of what was not asked or not answered', () => {
    expect(cellOf(undefined)).toBe('.');
    expect(cellOf('unanswered')).toBe('u');
    expect([gradeOf(undefined), gradeOf('unanswered')]).toEqual([null, null]);
  });

  it('is the grade of an answer, absent included', () => {
    expect(symptomAnswers.map(cellOf)).toEqual(['0', '1', '2', '3', 'u']);
    expect(gradeOf('absent')).toBe(0);
  });

  it('of two is the worse one, in either order', () => {
    for (const [index, one] of cellCodes.entries()) {
      for (const other of cellCodes.slice(index)) {
        expect([worseCell(one, other), worseCell(other, one)]).toEqual([other, other]);
      }
    }
  });
});

describe('the summary of the newest report', () => {
  const report = (change: Partial<GradedReport>): GradedReport => ({
    reportedAt: 1_000,
    answers: {},
    redFlags: [],
    sinceYesterday: null,
    ...change,
  });

  it('is none without a report', () => {
    expect(summaryOf([])).toBeNull();
  });

  it('says that a report of the day cannot be read, beside what the others say', () => {
    const damaged = report({ isUnreadable: true });
    expect(summaryOf([damaged])).toMatchObject({ reportedAt: 1_000, worst: null, unreadable: true });
    const before = report({ answers: { cough: 'mild' } });
    expect(summaryOf([damaged, before])).toMatchObject({ worst: { symptom: 'cough', grade: 1 }, unreadable: true });
    const later = report({ reportedAt: 2_000 + 24 * 3_600_000, answers: { cough: 'mild' } });
    expect(summaryOf([later, damaged])?.unreadable).toBe(false);
  });

  it.each([
    ['nothing answered', report({ answers: { cough: 'unanswered' } }), null],
    ['all absent', report({ answers: { fever: 'absent', cough: 'absent' } }), { symptom: 'cough', grade: 0 }],
    [
      'the worst of several',
      report({ answers: { cough: 'mild', fever: 'severe', wheeze: 'absent' } }),
      { symptom: 'fever', grade: 3 },
    ],
  ])('has the worst answer, and absent only if it was said: %s', (_name, newest, worst) => {
    expect(summaryOf([newest])?.worst).toEqual(worst);
  });

  it('says worse before new, and of what the newest report answers only', () => {
    const before = report({ answers: { cough: 'mild', fever: 'absent' } });
    const change = (newest: Partial<GradedReport>) => summaryOf([report(newest), before])?.change;
    expect(change({ answers: { cough: 'moderate', fever: 'mild' } })).toBe('worse');
    expect(change({ answers: { fever: 'mild' } })).toBe('new');
    expect(change({ answers: { cough: 'mild' } })).toBeNull();
    expect(change({ answers: {}, sinceYesterday: 'worse' })).toBe('worse');
    expect(change({ answers: { wheeze: 'absent' } })).toBeNull();
  });

  it('keeps the red flags of a day, whatever is reported later, and no older ones', () => {
    const day = 24 * 3_600_000;
    const flagged = report({ redFlags: ['blueLips'] });
    const later = (ms: number) =>
      summaryOf([report({ reportedAt: 1_000 + ms, answers: { cough: 'absent' } }), flagged]);
    expect(later(day - 1)).toMatchObject({ worst: { grade: 0 }, redFlags: ['blueLips'], redFlagsAt: 1_000 });
    expect(later(day)).toMatchObject({ redFlags: [], redFlagsAt: null });
  });

  it('has a score of breathlessness, which alone hides no answer', () => {
    const scored = report({ reportedAt: 5_000, breathlessness: 10 });
    expect(summaryOf([scored])).toMatchObject({ reportedAt: 5_000, worst: null, breathlessness: 10 });
    expect(summaryOf([scored, report({ answers: { cough: 'severe' } })])).toMatchObject({
      reportedAt: 1_000,
      worst: { symptom: 'cough', grade: 3 },
      breathlessness: 10,
    });
  });
});

describe('symptomStrip', () => {
  const hour = 3_600_000;
  const zone = 'Europe/London';
  const report = (
    time: string,
    answers: Partial<Record<Symptom, SymptomAnswer>>,
    ticked: RedFlag[] = [],
  ): GradedReport => ({
    reportedAt: Date.parse(time),
    answers,
    redFlags: redFlagsOf(answers, ticked),
    sinceYesterday: null,
  });
  const to = Date.parse('2026-03-07T15:00:00Z');

  describe('the strip of a window shorter than a day', () => {
    const window = { from: to - 12 * hour, to };

    it('has each report at its time, and what was not asked is no answer', () => {
      const strip = symptomStrip(
        [
          report('2026-03-07T14:00:00Z', { cough: 'mild', fever: 'unanswered' }),
          report('2026-03-07T08:00:00Z', { fever: 'absent' }),
        ],
        window,
        zone,
      );
      expect(strip.isDaily).toBe(false);
      expect(strip.columns.map(({ at, reports }) => [at, reports])).toEqual([
        [Date.parse('2026-03-07T08:00:00Z'), 1],
        [Date.parse('2026-03-07T14:00:00Z'), 1],
      ]);
      expect(strip.rows.map(({ symptom, cells }) => [symptom, cells])).toEqual([
        ['cough', '.1'],
        ['fever', '0u'],
      ]);
    });

    it('has no row if nothing was asked', () => {
      expect(symptomStrip([report('2026-03-06T14:00:00Z', { cough: 'mild' })], window, zone)).toEqual({
        isDaily: false,
        columns: [],
        rows: [],
      });
    });

    it('compares with reports before the window', () => {
      const before = report('2026-03-06T14:00:00Z', { cough: 'mild', fever: 'mild' });
      const [cough, fever] = symptomStrip(
        [report('2026-03-07T14:00:00Z', { cough: 'moderate', fever: 'mild' }), before],
        window,
        zone,
      ).rows;
      expect([cough?.change, fever?.change]).toEqual(['worse', null]);
    });
  });

  describe('the strip of a day or more', () => {
    const window = { from: to - 48 * hour, to };

    it('has the worst of each day of the site, the whole first day included, and a day without a report', () => {
      const strip = symptomStrip(
        [
          report('2026-03-07T14:00:00Z', { cough: 'absent' }),
          report('2026-03-07T08:00:00Z', { cough: 'unanswered' }),
          report('2026-03-05T09:00:00Z', { cough: 'severe' }),
          report('2026-03-05T08:00:00Z', { cough: 'mild' }),
        ],
        window,
        zone,
      );
      expect(strip.isDaily).toBe(true);
      expect(strip.columns.map(({ at, reports }) => [dayOf(at, zone), reports])).toEqual([
        ['2026-03-05', 2],
        ['2026-03-06', 0],
        ['2026-03-07', 2],
      ]);
      expect(strip.rows[0]?.cells).toBe('3.0');
    });

    it.each(['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Asuncion'])(
      'has one column for each day of a year in %s, and every report is in that of its day',
      (timeZone) => {
        const year = { from: to - 365 * 24 * hour, to };
        const reports = Array.from({ length: 1_095 }, (_, index) =>
          report(new Date(to - index * 8 * hour).toISOString(), { cough: 'mild' }),
        );
        const { columns } = symptomStrip(reports, year, timeZone);
        const days = columns.map(({ at }) => dayOf(at, timeZone));
        expect(new Set(days).size).toBe(days.length);
        expect([days[0], days.at(-1)]).toEqual([dayOf(year.from, timeZone), dayOf(to, timeZone)]);
        const counts = new Map<string, number>();
        for (const { reportedAt } of reports.filter((each) => each.reportedAt >= stripFrom(year, timeZone))) {
          const day = dayOf(reportedAt, timeZone);
          counts.set(day, (counts.get(day) ?? 0) + 1);
        }
        expect(columns.map(({ reports: count }) => count)).toEqual(days.map((day) => counts.get(day) ?? 0));
      },
    );

    it('puts red flags first, then what is new or worse, then by severity', () => {
      const strip = symptomStrip(
        [
          report('2026-03-07T14:00:00Z', {
            cough: 'severe',
            wheeze: 'mild',
            fatigue: 'moderate',
            confusion: 'mild',
            headache: 'absent',
          }),
          report('2026-03-06T14:00:00Z', { cough: 'severe', fatigue: 'moderate', wheeze: 'absent' }),
        ],
        window,
        zone,
      );
      expect(strip.rows.map(({ symptom }) => symptom)).toEqual(['confusion', 'wheeze', 'cough', 'fatigue', 'headache']);
      expect(strip.columns.at(-1)?.redFlags).toEqual(['newConfusion']);
    });
  });
});

describe('the symptoms of today', () => {
  const report = (answers: GradedReport['answers'], redFlags: RedFlag[] = []): GradedReport => ({
    reportedAt: 1_000,
    answers,
    redFlags,
    sinceYesterday: null,
  });

  it('count patients and not reports, with all patients as the denominator', () => {
    expect(symptomsToday([[report({ cough: 'mild' }), report({ cough: 'absent' })], [], [report({})]])).toEqual({
      total: 3,
      reported: 2,
      unreadable: 0,
      redFlags: [],
      symptoms: [{ symptom: 'cough', severe: 0, moderate: 0, mild: 1, absent: 0, unanswered: 0, unreadable: 0 }],
    });
  });

  it('count a report that cannot be read as unknown, which is not absent, and never as none', () => {
    const damaged: GradedReport = { ...report({}), isUnreadable: true };
    const today = symptomsToday([
      [damaged, report({ cough: 'absent' })],
      [damaged, report({ cough: 'mild' })],
      [damaged],
    ]);
    expect(today).toMatchObject({
      reported: 3,
      unreadable: 3,
      symptoms: [{ symptom: 'cough', mild: 1, absent: 0, unreadable: 2 }],
    });
  });

  it('count a red flag once a patient, also if a later report is without it', () => {
    const today = symptomsToday([[report({}), report({}, ['blueLips'])], [report({}, ['blueLips', 'seizure'])]]);
    expect(today.redFlags).toEqual([
      { flag: 'blueLips', patients: 2 },
      { flag: 'seizure', patients: 1 },
    ]);
  });

  it('have the most severe symptom first, and neither absent nor no answer is a missing one', () => {
    const { symptoms } = symptomsToday([
      [report({ wheeze: 'severe', cough: 'moderate', fever: 'absent' })],
      [report({ cough: 'moderate', fever: 'unanswered' })],
    ]);
    expect(symptoms.map(({ symptom, absent, unanswered }) => [symptom, absent, unanswered])).toEqual([
      ['wheeze', 0, 0],
      ['cough', 0, 0],
      ['fever', 1, 1],
    ]);
  });
});
