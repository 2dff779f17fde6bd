import { dayOf } from '../time/dayOf';
import type { GradedReport } from './gradedReport';
import { redFlagsOf } from './redFlagsOf';
import { stripFrom, symptomStrip } from './symptomStrip';
import type { RedFlag, Symptom, SymptomAnswer } from './symptoms';

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
