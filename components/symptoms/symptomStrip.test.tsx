import { render } from '@testing-library/react';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import type { ShownSummary } from '../../lib/symptoms/summarySchema';
import { secondsAgo, wardNow } from '../../test/inventedWard';
import { markTexts, SymptomMark } from './SymptomMark';
import { drawStrip, rowHeight, type StripColors, type StripContext } from './drawStrip';
import { columnAt, stripSpans } from './stripCells';

describe('the mark of the newest report in a list', () => {
  const hour = 3_600;
  const todayFrom = Date.parse('2026-03-07T00:00:00Z');
  const summary = (change: Partial<ShownSummary>): ShownSummary => ({
    reportedAt: secondsAgo(hour),
    worst: { symptom: 'cough', grade: 2 },
    redFlags: [],
    redFlagsAt: null,
    breathlessness: null,
    change: null,
    unreadable: false,
    ...change,
  });
  const textsOf = (change: Partial<ShownSummary>) => markTexts(summary(change), wardNow, todayFrom, 'Europe/London');

  it.each([
    [{}, '●2', 'Symptoms 14:00: Cough moderate'],
    [{ change: 'worse' as const }, '▲2', 'Symptoms 14:00: Cough moderate, worse'],
    [
      { change: 'new' as const, redFlags: ['seizure' as const] },
      '◆2',
      'Symptoms 14:00: red flag: Seizure, Cough moderate, new',
    ],
    [
      { worst: { symptom: 'cough' as const, grade: 0 as const } },
      '●0',
      'Symptoms 14:00: all that was answered is absent',
    ],
    [{ worst: null }, '●–', 'Symptoms 14:00: none answered'],
    [{ worst: null, breathlessness: 10 }, '●10/10', 'Symptoms 14:00: breathlessness 10 of 10'],
    [{ unreadable: true }, '●2?', 'Symptoms 14:00: Cough moderate, a report cannot be read'],
    [{ unreadable: true, worst: null }, '●?', 'Symptoms 14:00: a report cannot be read'],
    [{ breathlessness: 0 }, '●2', 'Symptoms 14:00: Cough moderate, breathlessness 0 of 10'],
    [
      { redFlags: ['seizure' as const], redFlagsAt: secondsAgo(3 * hour) },
      '◆2',
      'Symptoms 14:00: red flag at 12:00: Seizure, Cough moderate',
    ],
  ])('has a shape for red flags, for what is new or worse, and for all others: %j', (change, glyph, title) => {
    expect(textsOf(change)).toMatchObject({ glyph, title, isToday: true });
  });

  it('has its age, also today', () => {
    const { container } = render(<SymptomMark {...textsOf({ reportedAt: secondsAgo(2 * hour) })} />);
    expect(container.querySelector('[data-step="2"]')).not.toBeNull();
    expect(container.textContent).toBe('●22 hSymptoms 13:00: Cough moderate');
  });

  it('is grey if it is not of the site’s day', () => {
    const texts = textsOf({ reportedAt: secondsAgo(17 * hour) });
    expect(texts.age).toBe('17 h');
    const { container } = render(<SymptomMark {...texts} />);
    expect(container.querySelector('[data-step]')).toBeNull();
    expect(container.textContent).toBe('●217 hSymptoms 06 Mar, 22:00: Cough moderate');
  });
});

describe('the drawing of a strip', () => {
  const colors: StripColors = {
    steps: [0, 1, 2, 3].map((step) => ({ fill: `fill ${step}`, text: `text ${step}` })),
    hatch: 'hatch',
    grid: 'grid',
    ink: 'ink',
    alarm: 'alarm',
  };
  const spaces = (count: number, width: number) =>
    Array.from({ length: count }, (_, column) => ({ left: column * width, width: width - 1 }));

  /** Draws rows of cells and returns every call with the colour at that time. */
  function drawn(rows: readonly string[], spans: ReturnType<typeof spaces>, hasFlagRow = false): string[] {
    const calls: string[] = [];
    const note =
      (name: string) =>
      (...values: unknown[]): void => {
        const of = name === 'stroke' ? context.strokeStyle : /^fill/.test(name) ? context.fillStyle : '';
        calls.push([name, ...(typeof of === 'string' && of !== '' ? [of] : []), ...values.map(String)].join(' '));
      };
    const context: StripContext = {
      fillStyle: '',
      strokeStyle: '',
      lineWidth: 1,
      font: '',
      textAlign: 'start',
      textBaseline: 'alphabetic',
      clearRect: note('clearRect'),
      fillRect: note('fillRect'),
      fillText: note('fillText'),
      beginPath: note('beginPath'),
      closePath: note('closePath'),
      rect: note('rect'),
      moveTo: note('moveTo'),
      lineTo: note('lineTo'),
      fill: note('fill'),
      stroke: note('stroke'),
    };
    const strip: SymptomStripResponse = {
      patientId: 1,
      from: '2026-03-05T12:00:00.000Z',
      to: '2026-03-07T12:00:00.000Z',
      isDaily: true,
      columns: spans.map(() => ({ at: '2026-03-05T00:00:00.000Z', reports: 1, unreadable: 0, redFlags: ['blueLips'] })),
      rows: rows.map((cells) => ({ symptom: 'cough', cells, change: null, isRedFlag: false })),
      reported: [],
      truncated: false,
    };
    drawStrip(
      context,
      { strip, rows: strip.rows, hasFlagRow, alarmColumn: 1, spans, width: 400, font: '600 11px sans' },
      colors,
    );
    return calls.filter((call) => !call.includes('grid'));
  }

  it('is nothing where a symptom was not asked', () => {
    expect(drawn(['..'], spaces(2, 20)).filter((call) => /^(fillRect|fillText|rect|moveTo)/.test(call))).toEqual([]);
  });

  it('is a step with its figure, 0 too, and the figure is left out where it has no room', () => {
    expect(drawn(['0.', '.3'], spaces(2, 20)).filter((call) => /^fill(Rect|Text)/.test(call))).toEqual([
      'fillRect fill 0 0 1 19 25',
      'fillText text 0 0 9.5 13.5',
      `fillRect fill 3 20 ${rowHeight + 1} 19 25`,
      `fillText text 3 3 29.5 ${rowHeight + 13.5}`,
    ]);
    expect(drawn(['03'], spaces(2, 5)).filter((call) => call.startsWith('fillText'))).toEqual([]);
  });

  it('hatches within its cell what was asked and not answered', () => {
    const calls = drawn(['.u'], spaces(2, 8));
    expect(calls).toContain('rect 8.5 1.5 6 24');
    const ends = calls.filter((call) => /^(moveTo|lineTo)/.test(call)).map((call) => call.split(' ').map(Number));
    expect(ends.length).toBeGreaterThan(4);
    for (const [, x = Number.NaN, y = Number.NaN] of ends) {
      expect([x >= 8 && x <= 15, y >= 1 && y <= 26]).toEqual([true, true]);
    }
  });

  it('draws a flag in the alarm colour only where the alert is open', () => {
    const calls = drawn(['..'], spaces(2, 20), true);
    const [, ofInk = '', ofAlarm = ''] = calls.join('; ').split('beginPath; moveTo');
    expect([ofInk.includes('fill ink'), ofAlarm.includes('fill alarm')]).toEqual([true, true]);
    expect([ofInk.startsWith(' 9.5 '), ofAlarm.startsWith(' 29.5 ')]).toEqual([true, true]);
  });

  it('draws the flag of a day that has just begun whole, at the end of the axis', () => {
    const calls = drawn(['.'], [{ left: 399, width: 1 }], true);
    const xs = calls.filter((call) => /^(moveTo|lineTo)/.test(call)).map((call) => Number(call.split(' ')[1]));
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([394, 400]);
  });

  it('draws equal days that touch as one rectangle, and never over a gap or into another row', () => {
    const touching = Array.from({ length: 4 }, (_, column) => ({ left: column * 2.5, width: 2.5 }));
    expect(drawn(['22.2', '3322'], touching).filter((call) => call.startsWith('fillRect'))).toEqual([
      'fillRect fill 2 0 1 5 25',
      'fillRect fill 2 7.5 1 2.5 25',
      `fillRect fill 2 5 ${rowHeight + 1} 5 25`,
      `fillRect fill 3 0 ${rowHeight + 1} 5 25`,
    ]);
    expect(drawn(['22'], spaces(2, 20)).filter((call) => call.startsWith('fillRect'))).toHaveLength(2);
  });

  it('takes one path for all hatched cells and one for each colour of flags, so that a year is drawn at once', () => {
    const rows = Array.from({ length: 26 }, () => 'u?'.repeat(183));
    const calls = drawn(rows, spaces(366, 3), true);
    expect(calls.filter((call) => call === 'stroke hatch')).toHaveLength(1);
    expect(calls.filter((call) => call === 'beginPath')).toHaveLength(3);
  });
});

describe('the columns of a strip', () => {
  const strip = (change: Partial<SymptomStripResponse>): SymptomStripResponse => ({
    patientId: 1,
    from: '2026-03-05T12:00:00.000Z',
    to: '2026-03-07T12:00:00.000Z',
    isDaily: true,
    columns: [],
    rows: [],
    reported: [],
    truncated: false,
    ...change,
  });
  const columns = (...times: string[]) => times.map((at) => ({ at, reports: 1, unreadable: 0, redFlags: [] }));

  it('are days from their beginning to their end, the first and the last as far as they are shown', () => {
    const spans = stripSpans(
      strip({ columns: columns('2026-03-05T00:00:00Z', '2026-03-06T00:00:00Z', '2026-03-07T00:00:00Z') }),
      400,
    );
    expect(spans).toEqual([
      { left: 0, width: 99 },
      { left: 100, width: 199 },
      { left: 300, width: 99 },
    ]);
    expect([columnAt(spans, 0), columnAt(spans, 150), columnAt(spans, 399), columnAt(spans, 400)]).toEqual([
      0,
      1,
      2,
      null,
    ]);
  });

  it('are reports around their time, and the newest of two in one place is the one pointed at', () => {
    const spans = stripSpans(
      strip({ isDaily: false, columns: columns('2026-03-06T12:00:00Z', '2026-03-06T12:05:00Z') }),
      400,
    );
    expect(spans[0]).toEqual({ left: 193, width: 14 });
    expect(columnAt(spans, 200)).toBe(1);
    expect(columnAt(spans, 20)).toBeNull();
  });

  it('are whole for a report of this minute and for the oldest one, at the ends of the axis', () => {
    const ends = columns('2026-03-05T12:00:00Z', '2026-03-07T12:00:00Z');
    expect(stripSpans(strip({ isDaily: false, columns: ends }), 400)).toEqual([
      { left: 0, width: 14 },
      { left: 386, width: 14 },
    ]);
  });
});
