import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import { noteResponse, thisMoment } from '../../lib/browser/serverClock';
import type { SymptomReport } from '../../lib/symptoms/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedPatient, inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { SymptomsDrawer } from './SymptomsDrawer';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');

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
