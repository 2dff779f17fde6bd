import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useServerLost } from '../../hooks/useServerLost';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import { noteResponse, thisMoment } from '../../lib/browser/serverClock';
import type { ListedReport, SymptomReport } from '../../lib/symptoms/schema';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import type { ShownSummary } from '../../lib/symptoms/summarySchema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedStrip } from '../../test/inventedStrip';
import { inventedPatient, inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { SymptomBreakdown } from './SymptomBreakdown';
import { markTexts, SymptomMark } from './SymptomMark';
import { SymptomsDrawer } from './SymptomsDrawer';
import { drawStrip, rowHeight, type StripColors, type StripContext } from './drawStrip';
import { columnAt, stripSpans } from './stripCells';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/useServerLost');
jest.mock('../../hooks/useNow', () => ({ useNow: (initial: number) => initial }));

describe('SymptomBreakdown', () => {
  const timeZone = 'Europe/London';
  const strip = inventedStrip({
    columns: [
      { at: secondsAgo(1_800), reports: 1, unreadable: 0, redFlags: ['blueLips'] },
      { at: secondsAgo(60), reports: 1, unreadable: 0, redFlags: [] },
    ],
    rows: [
      { symptom: 'cough', cells: '12', change: 'worse', isRedFlag: false },
      { symptom: 'fever', cells: 'u.', change: null, isRedFlag: false },
    ],
  });
  const report: SymptomReport = {
    id: 5,
    patientId: 1,
    reportedAt: secondsAgo(60),
    recordedAt: secondsAgo(50),
    source: 'staff',
    recordedBy: { id: 7, name: 'Ines Moreau' },
    answers: { cough: 'moderate', fever: 'unanswered' },
    breathlessness: 0,
    mmrc: null,
    redFlags: [],
    sinceYesterday: 'worse',
    readings: {},
    inError: null,
    advice: null,
  };

  const onRange = jest.fn();
  const onChanged = jest.fn();

  function show(
    data: SymptomStripResponse | undefined,
    change: object = {},
    patient = inventedPatient(1),
    canMark = false,
  ) {
    jest.mocked(useServerLost).mockReturnValue(null);
    setReads({ listSymptomReports: answered({ items: [report, { ...report, id: 6, patientId: 2 }], total: 1 }) });
    return render(
      <SymptomBreakdown
        symptoms={{ ...answered(inventedStrip()), data, ...change }}
        patient={patient}
        patientName="Sample1, Sam"
        now={wardNow}
        timeZone={timeZone}
        onRange={onRange}
        canMark={canMark}
        onChanged={onChanged}
      />,
    );
  }

  describe('the symptoms below the charts', () => {
    it('say that no report is not the same as no symptoms', () => {
      show(inventedStrip());
      expect(screen.getByText('No symptom report in this time. That does not mean no symptoms.')).toBeTruthy();
      expect(screen.queryByText(/Last report/)).toBeNull();
    });

    it('list the reports also where none says anything of symptoms', () => {
      show(inventedStrip());
      expect(screen.getByText('Reports')).toBeTruthy();
    });

    it('say how old the last report is, and lead to the charts that show it', async () => {
      const day = 86_400;
      const reported = (ageS: number) =>
        inventedPatient(1, {
          symptoms: {
            reportedAt: secondsAgo(ageS),
            worst: null,
            redFlags: [],
            redFlagsAt: null,
            breathlessness: null,
            change: null,
            unreadable: false,
          },
        });
      const { unmount } = show(inventedStrip(), {}, reported(2 * day));
      expect(screen.getByText(/^Last report: 2 d ago, 05 Mar, 15:00/)).toBeTruthy();
      await userEvent.click(screen.getByRole('button', { name: 'Show 7 days' }));
      expect(onRange.mock.lastCall).toMatchObject([{ key: '7d' }]);
      unmount();
      show(inventedStrip(), {}, reported(20 * day));
      expect(screen.getByText(/^Last report: 20 d ago, 15 Feb, 15:00/)).toBeTruthy();
      expect(screen.queryByRole('button')).toBeNull();
    });

    it('stay, and say how old they are, when a refresh fails', () => {
      show(strip, { error: clientFailure('unreachable') });
      expect(screen.getByText('Old data: as it was at 15:00:00.')).toBeTruthy();
      expect(screen.getByRole('slider')).toBeTruthy();
    });

    it('say in words what each time says; not asked is not absent', async () => {
      show(strip);
      const slider = screen.getByRole('slider', { name: 'Symptoms of Sample1, Sam: time' });
      expect(slider.getAttribute('aria-valuetext')).toBe('07 Mar, 14:59: 1 report. Cough moderate');
      act(() => slider.focus());
      fireEvent.keyDown(slider, { key: 'ArrowLeft' });
      expect(slider.getAttribute('aria-valuetext')).toBe(
        '07 Mar, 14:30: 1 report. Red flag: Blue lips or face. Cough mild, Fever no answer',
      );
      fireEvent.keyDown(slider, { key: 'ArrowLeft' });
      expect(slider.getAttribute('aria-valuenow')).toBe('0');
      await userEvent.click(screen.getByText('Table of symptoms'));
      const cells = within(screen.getByRole('table'))
        .getAllByRole('row')
        .map((row) => Array.from(row.children, (cell) => cell.textContent));
      expect(cells.slice(1)).toEqual([
        ['07 Mar, 14:59', '1', 'none', 'Cough moderate'],
        ['07 Mar, 14:30', '1', 'Blue lips or face', 'Cough mild, Fever no answer'],
      ]);
    });

    it('mark what is worse beside its name, and keep a long list short until a user wants all', async () => {
      const rows = (
        ['cough', 'fever', 'wheeze', 'nausea', 'headache', 'fatigue', 'oedema', 'syncope', 'diarrhoea'] as const
      ).map((symptom) => ({ symptom, cells: '00', change: null, isRedFlag: false }));
      show({ ...strip, rows: [{ symptom: 'chestPain', cells: '12', change: 'worse', isRedFlag: false }, ...rows] });
      expect(screen.getByText('▲worse')).toBeTruthy();
      expect(screen.queryByText('Diarrhoea')).toBeNull();
      await userEvent.click(screen.getByRole('button', { name: 'Show all 10 symptoms' }));
      expect(screen.getByText('Diarrhoea')).toBeTruthy();
    });

    it('list each report with who wrote it down, and never another patient’s', async () => {
      show(strip);
      await userEvent.click(screen.getByText('Reports'));
      const [item, ...others] = within(screen.getByRole('list', { name: /^Reports/ })).getAllByRole('listitem');
      expect(item?.textContent).toBe(
        '07 Mar, 14:59, recorded by Ines MoreauCough moderate, Fever no answer. Breathlessness 0 of 10. ' +
          'Worse than yesterday',
      );
      expect(others).toEqual([]);
    });

    it('say that a patient or a relative sent a report, and strike out one that was entered in error', async () => {
      show(strip);
      const by = { id: 8, name: 'Lee Sato' };
      setReads({
        listSymptomReports: answered({
          items: [
            { ...report, source: 'patient', recordedBy: null, readings: { spo2: 94 } },
            {
              ...report,
              id: 9,
              source: 'proxy',
              recordedBy: null,
              inError: { at: secondsAgo(10), by, reason: 'Twice' },
            },
          ],
          total: 2,
        }),
      });
      await userEvent.click(screen.getByText('Reports'));
      const [own, struck] = within(screen.getByRole('list', { name: /^Reports/ })).getAllByRole('listitem');
      expect(own?.textContent).toMatch(/sent by the patient.*SpO2 94 %$/);
      expect(own?.querySelector('s')).toBeNull();
      expect(struck?.textContent).toContain('sent by a relative');
      expect(struck?.textContent).toContain('Entered in error: Twice (Lee Sato, 07 Mar, 14:59)');
      expect(struck?.querySelector('s')?.textContent).toContain('Cough moderate');
    });

    describe('mark a report as entered in error', () => {
      const sent = { ...report, source: 'patient' as const, recordedBy: null, readings: { spo2: 84 } };
      const by = { id: 8, name: 'Lee Sato' };
      const listed = (items: ListedReport[]) =>
        setReads({ listSymptomReports: answered({ items, total: items.length }) });
      const button = () => screen.queryByRole('button', { name: 'Mark as entered in error: report of 07 Mar, 14:59' });
      const openList = () => userEvent.click(screen.getByText('Reports'));

      it('only for users who may, and only once', async () => {
        show(strip);
        await openList();
        expect(button()).toBeNull();
        cleanup();
        show(strip, {}, inventedPatient(1), true);
        listed([{ ...sent, inError: { at: secondsAgo(10), by, reason: 'Twice' } }]);
        await openList();
        expect(button()).toBeNull();
      });

      it('with a reason, after saying that its readings go and a red flag stays', async () => {
        const mark = callMock<'markSymptomsInError'>().mockResolvedValue(sent);
        setCalls({ markSymptomsInError: mark });
        show(strip, {}, inventedPatient(1), true);
        listed([{ ...sent, redFlags: ['blueLips'] }]);
        await openList();
        await userEvent.click(button() ?? document.body);
        const drawer = await screen.findByRole('dialog', { name: /^Entered in error: / });
        expect(drawer.textContent).toContain('MRN');
        expect(drawer.textContent).toContain('SpO2 84 %');
        expect(drawer.textContent).toContain('Its readings are withdrawn too');
        expect(drawer.textContent).toContain('Its red flag stays open until a person resolves the alert');
        const save = within(drawer).getByRole('button', { name: 'Mark as entered in error' });
        await userEvent.click(save);
        expect(mark).not.toHaveBeenCalled();
        await writeInto(within(drawer).getByLabelText('What is wrong with it'), 'Of another person');
        await userEvent.click(save);
        expect(mark).toHaveBeenCalledWith({ params: { id: 5 }, body: { reason: 'Of another person' } });
        await waitFor(() => expect(onChanged).toHaveBeenCalledTimes(1));
      });
    });

    describe('of a damaged report', () => {
      const damaged: ListedReport = {
        id: 12,
        patientId: 1,
        reportedAt: secondsAgo(60),
        recordedAt: secondsAgo(50),
        inError: null,
        isUnreadable: true,
      };
      const unread = { at: secondsAgo(60), reports: 0, unreadable: 1, redFlags: [] };
      const cellsOfTable = async () => {
        await userEvent.click(screen.getByText('Table of symptoms'));
        return Array.from(screen.getByRole('table').querySelectorAll('tbody tr'), (row) =>
          Array.from(row.children, (cell) => cell.textContent),
        );
      };

      it('say that it cannot be read, also where there is no other one', async () => {
        show(inventedStrip({ columns: [unread] }));
        expect(screen.queryByText(/No symptom report/)).toBeNull();
        expect(screen.getByText('1 report that cannot be read')).toBeTruthy();
        await expect(cellsOfTable()).resolves.toEqual([
          ['07 Mar, 14:59', '1 report that cannot be read', 'cannot be read', 'cannot be read'],
        ]);
      });

      it('say so beside the others, and leave its answers open', async () => {
        const [first = unread] = strip.columns;
        show({
          ...strip,
          columns: [first, { ...unread, reports: 1 }],
          rows: [{ symptom: 'cough', cells: '0?', change: null, isRedFlag: false }],
        });
        expect(screen.getByText('2 reports and 1 that cannot be read')).toBeTruthy();
        expect(screen.getByRole('list', { name: 'Key' }).textContent).toContain('cannot be read');
        const [row] = await cellsOfTable();
        expect(row).toEqual([
          '07 Mar, 14:59',
          '1 report and 1 that cannot be read',
          'cannot be read',
          'Cough cannot be read',
        ]);
        cleanup();
        show(strip);
        expect(screen.getByRole('list', { name: 'Key' }).textContent).not.toContain('cannot be read');
      });

      it('list it with its number and time, and let it be marked as entered in error', async () => {
        show(strip, {}, inventedPatient(1), true);
        setReads({ listSymptomReports: answered({ items: [damaged, report], total: 2 }) });
        setCalls({ markSymptomsInError: callMock<'markSymptomsInError'>() });
        await userEvent.click(screen.getByText('Reports'));
        const [item, other] = within(screen.getByRole('list', { name: /^Reports/ })).getAllByRole('listitem');
        expect(item?.textContent).toContain('07 Mar, 14:59, damaged in the database');
        expect(item?.textContent).toContain('Report 12 cannot be read. That does not mean no symptoms.');
        expect(other?.textContent).toContain('Cough moderate');
        await userEvent.click(within(item ?? document.body).getByRole('button'));
        const drawer = await screen.findByRole('dialog', { name: /^Entered in error: / });
        expect(drawer.textContent).toContain('Report 12 cannot be read');
        expect(drawer.textContent).toContain('Readings of a check-in are withdrawn too');
      });
    });

    it('have no accessibility violation', async () => {
      const { container } = show(strip);
      await userEvent.click(screen.getByText('Table of symptoms'));
      await expect(axeViolations(container)).resolves.toEqual([]);
    });
  });
});

describe('SymptomsDrawer', () => {
  const add = callMock<'addSymptomReport'>();
  const stored: SymptomReport = {
    id: 5,
    patientId: 1,
    reportedAt: secondsAgo(0),
    recordedAt: secondsAgo(0),
    source: 'staff',
    recordedBy: { id: 7, name: 'Ines Moreau' },
    answers: { cough: 'mild' },
    breathlessness: null,
    mmrc: null,
    redFlags: [],
    sinceYesterday: null,
    readings: {},
    inError: null,
    advice: null,
  };

  beforeEach(() => {
    noteResponse(wardNow, thisMoment());
    add.mockReset().mockResolvedValue(stored);
    setCalls({ addSymptomReport: add });
    setReads({ listSymptomReports: answered({ items: [stored], total: 1 }) });
  });

  function show(change: Parameters<typeof inventedPatient>[1] = {}) {
    const onClose = jest.fn();
    const user = inventedUser();
    render(
      <SymptomsDrawer
        patient={inventedPatient(1, change)}
        user={{ ...user, site: { ...user.site, emergencyNumber: '112' } }}
        onChanged={() => {}}
        onClose={onClose}
      />,
    );
    return onClose;
  }
  const answer = (symptom: string, word: string) =>
    userEvent.click(within(screen.getByRole('group', { name: symptom })).getByRole('radio', { name: word }));
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save report' }));
  const bodies = () => add.mock.calls.map(([{ body }]) => body);

  describe('the form for symptoms', () => {
    it('names the patient with name, date of birth and MRN, and has nothing chosen', () => {
      show();
      expect(screen.getByText('Symptoms: Sample1, Sam · MRN A-1 · born 07 Mar 1950')).toBeTruthy();
      expect(screen.queryByRole('radio', { checked: true })).toBeNull();
      expect(screen.queryByRole('checkbox', { checked: true })).toBeNull();
    });

    it('does not send an empty report, which would look like no symptoms', async () => {
      show();
      await save();
      await expect(screen.findByText('Red flags or an answer is needed')).resolves.toBeTruthy();
      expect(add).not.toHaveBeenCalled();
    });

    it('sends what was asked and nothing else; an answer can be taken back', async () => {
      const onClose = show();
      await answer('Cough', 'Mild');
      await answer('Fever', 'No answer');
      await answer('Wheeze', 'Severe');
      await userEvent.click(screen.getByRole('button', { name: 'Wheeze: not asked' }));
      await save();
      expect(bodies()).toMatchObject([{ answers: { cough: 'mild', fever: 'unanswered' }, redFlags: [] }]);
      expect(Object.keys(bodies()[0]?.answers ?? {})).toEqual(['cough', 'fever']);
      expect(onClose).toHaveBeenCalledTimes(1);
    });

    it('says what to do at once on a red flag, ticked or answered, before anything is sent', async () => {
      show();
      await answer('Confusion', 'Mild');
      await expect(screen.findByText('Stay with the patient and call for help now.')).resolves.toBeTruthy();
      await userEvent.click(screen.getByRole('checkbox', { name: 'Blue lips or face' }));
      await expect(screen.findByText('Red flag: Blue lips or face; New confusion.')).resolves.toBeTruthy();
      expect(add).not.toHaveBeenCalled();
    });

    it('says what to tell a patient at home on a red flag', async () => {
      show({ profile: 'home' });
      await answer('Confusion', 'Mild');
      await expect(screen.findByText('Tell the patient to call 112 now.')).resolves.toBeTruthy();
    });

    it('keeps one moment for all attempts, so that a repeat after a lost response is the same report', async () => {
      add.mockRejectedValueOnce(new ApiFailure('no_response', 'No response came.'));
      show();
      await answer('Cough', 'Mild');
      await save();
      await expect(screen.findByText(/^It is not known whether this was saved/)).resolves.toBeTruthy();
      noteResponse(wardNow + 600_000, thisMoment());
      await save();
      const [first, second] = bodies();
      expect(second).toEqual(first);
      expect(Math.abs(Date.parse(first?.reportedAt ?? '') - wardNow)).toBeLessThan(60_000);
    });

    it('shows the stored report beside the typed one, and keeps both if a user wants that', async () => {
      add.mockRejectedValueOnce(new ApiFailure('report_exists', 'Another report.', { status: 409, id: 5 }));
      show();
      await answer('Cough', 'Severe');
      await save();
      const both = await screen.findByRole('region', { name: 'Two reports of one moment' });
      expect(both.textContent).toContain('Cough mild');
      expect(both.textContent).toContain('Cough severe');
      noteResponse(wardNow + 600_000, thisMoment());
      await userEvent.click(within(both).getByRole('button'));
      await save();
      const [first, second] = bodies();
      expect(second?.reportedAt).not.toBe(first?.reportedAt);
      expect(second?.answers).toEqual({ cough: 'severe' });
    });

    it('keeps everything as it was typed if it is refused, with the reason at its field', async () => {
      add.mockRejectedValueOnce(
        new ApiFailure('invalid', 'Not valid.', { status: 422, fields: { breathlessness: 'is too high' } }),
      );
      show();
      await answer('Cough', 'Mild');
      await save();
      await expect(screen.findByText(/is too high/)).resolves.toBeTruthy();
      expect(within(screen.getByRole('group', { name: 'Cough' })).getByRole('radio', { checked: true })).toBeTruthy();
    });

    it('has no accessibility violation', async () => {
      show();
      await answer('Confusion', 'Mild');
      await expect(axeViolations(document.body, 'label-content-name-mismatch')).resolves.toEqual([]);
    });
  });
});

describe('symptomStrip', () => {
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
        columns: spans.map(() => ({
          at: '2026-03-05T00:00:00.000Z',
          reports: 1,
          unreadable: 0,
          redFlags: ['blueLips'],
        })),
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
});
