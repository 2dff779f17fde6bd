import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useServerLost } from '../../hooks/useServerLost';
import { clientFailure } from '../../lib/browser/client';
import type { ListedReport, SymptomReport } from '../../lib/symptoms/schema';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedStrip } from '../../test/inventedStrip';
import { inventedPatient, secondsAgo, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { SymptomBreakdown } from './SymptomBreakdown';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/useServerLost');
jest.mock('../../hooks/useNow', () => ({ useNow: (initial: number) => initial }));

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
          { ...report, id: 9, source: 'proxy', recordedBy: null, inError: { at: secondsAgo(10), by, reason: 'Twice' } },
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
