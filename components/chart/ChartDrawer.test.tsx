import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { keepTextsOf } from '../../hooks/keptTexts';
import { useChart } from '../../hooks/useChart';
import { useNoteReaders } from '../../hooks/useNoteReaders';
import { ApiFailure } from '../../lib/browser/client';
import type { Chart } from '../../lib/chart/schema';
import { permissionsOf } from '../../lib/session/permissions';
import type { UserType } from '../../lib/session/userTypes';
import { axeViolations } from '../../test/axeViolations';
import { chooseOption } from '../../test/antdSelect';
import { answered, callMock, setCalls } from '../../test/calls';
import { inventedAllergy, inventedChart } from '../../test/inventedChart';
import { inventedPatient, inventedUser, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { ChartDrawer } from './ChartDrawer';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useChart');
jest.mock('../../hooks/useNoteReaders');

const sam = inventedPatient(1);
const addAllergy = callMock<'addAllergy'>();
const addToTeam = callMock<'addToTeam'>();
const markInError = callMock<'markChartEntryInError'>();
const userOf = (type: UserType) =>
  inventedUser({ permissions: permissionsOf({ type, isAdmin: false, units: [] }), units: [] });
const onChanged = jest.fn();

function Drawer({ type = 'nurse', patient = sam }: { type?: UserType; patient?: typeof sam }) {
  return (
    <ChartDrawer patient={patient} user={userOf(type)} now={wardNow} onChanged={onChanged} onClose={() => undefined} />
  );
}
const show = (chart: Chart) => jest.mocked(useChart).mockReturnValue(answered(chart));
const section = (name: string) => within(screen.getByRole('region', { name }));
const press = (name: RegExp, within_ = screen) => userEvent.click(within_.getByRole('button', { name }));

beforeEach(() => {
  keepTextsOf(0);
  onChanged.mockClear();
  addAllergy.mockReset();
  addToTeam.mockReset();
  markInError.mockReset();
  setCalls({ addAllergy, addToTeam, markChartEntryInError: markInError });
  jest.mocked(useNoteReaders).mockReturnValue(answered([{ id: 9, name: 'Omar Second', type: 'physician' }]));
  show(inventedChart(1));
});

describe('a patient’s chart', () => {
  it('shows nothing of another patient', () => {
    show(inventedChart(2, { allergies: [inventedAllergy(5, 'Penicillin')] }));
    render(<Drawer />);
    expect(screen.queryByText(/Penicillin/)).toBeNull();
    expect(screen.queryByRole('region', { name: 'Allergies' })).toBeNull();
  });

  it('keeps two identifiers in its title', () => {
    render(<Drawer />);
    expect(screen.getByText('Patient chart: Sample1, Sam · MRN A-1 · born 07 Mar 1950')).toBeTruthy();
  });

  it('never says “full” or “no allergies” of what no one has recorded', () => {
    render(<Drawer />);
    expect(section('Code status').getByText('Not recorded')).toBeTruthy();
    expect(section('Allergies').getByText('Not asked')).toBeTruthy();
    expect(screen.queryByText(/full|no known/i)).toBeNull();
  });

  it('tells that no allergy is known from that no one has asked', () => {
    show(inventedChart(1, { allergies: [inventedAllergy(5, '', { value: { is: 'none' } })] }));
    render(<Drawer />);
    expect(section('Allergies').getByText('No known allergies', { selector: 'p' })).toBeTruthy();
    expect(section('Allergies').queryByText('Not asked')).toBeNull();
  });

  it('folds what was corrected with its reason, and strikes what was entered in error', async () => {
    const mark = { by: { id: 9, name: 'Omar Second' }, at: '2026-03-07T14:30:00.000Z', reason: 'Wrong patient' };
    show(
      inventedChart(1, {
        allergies: [
          inventedAllergy(7, 'Penicillin', { replaces: 5, reason: 'Typing error' }),
          inventedAllergy(6, 'Latex', { status: 'entered_in_error', mark }),
          inventedAllergy(5, 'Penicilin', { status: 'superseded' }),
        ],
      }),
    );
    render(<Drawer />);
    const allergies = section('Allergies');
    await userEvent.click(allergies.getByText('History (2)'));
    expect(allergies.getByText('Latex (severe)').tagName).toBe('S');
    expect(allergies.getByText('Entered in error: Omar Second, 07 Mar 2026, 14:30. Wrong patient')).toBeTruthy();
    expect(allergies.getByText(/^Replaced by: Nia Newcomer, .* Typing error$/)).toBeTruthy();
    expect(allergies.getAllByText(/source: the patient/).length).toBeGreaterThan(0);
    await expect(axeViolations(document.body)).resolves.toEqual([]);
  });

  it('offers the code status to physicians alone, and nothing but an error mark after the discharge', () => {
    show(inventedChart(1, { allergies: [inventedAllergy(5, 'Penicillin')] }));
    const { unmount } = render(<Drawer type="nurse" />);
    expect(section('Code status').queryByRole('button')).toBeNull();
    expect(section('Allergies').getByRole('button', { name: /^Add/ })).toBeTruthy();
    unmount();
    const second = render(<Drawer type="physician" />);
    expect(section('Code status').getByRole('button', { name: /^Record/ })).toBeTruthy();
    second.unmount();
    render(<Drawer type="physician" patient={{ ...sam, state: 'discharged' }} />);
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      '',
      'Entered in error Penicillin (severe)',
    ]);
  });

  it('sends an allergy with an id of its own, and the same one again after a lost response', async () => {
    addAllergy.mockRejectedValueOnce(new ApiFailure('no_response', 'The connection was lost.'));
    addAllergy.mockResolvedValueOnce({ patientId: 1, version: 2, entry: inventedAllergy(5, 'Latex') });
    render(<Drawer />);
    await press(/^Add Allergies/);
    await writeInto(screen.getByLabelText('Substance'), 'Latex');
    await press(/^Save$/);
    await screen.findByText(/It is not known whether this was saved/);
    await press(/^Save$/);
    await screen.findByText('Saved');
    const [first, second] = addAllergy.mock.calls.map(([input]) => input);
    expect(second).toEqual(first);
    expect(first).toMatchObject({
      params: { id: 1 },
      body: { authorId: 7, version: 1, replaces: null, value: { substance: 'Latex', severity: 'unknown' } },
    });
    expect(onChanged).toHaveBeenCalledTimes(1);
  });

  it('shows a refusal at its field and keeps what was typed', async () => {
    addAllergy.mockRejectedValue(
      new ApiFailure('invalid', 'value: is at odds', { status: 422, fields: { 'value.substance': 'is not allowed' } }),
    );
    render(<Drawer />);
    await press(/^Add Allergies/);
    await writeInto(screen.getByLabelText('Substance'), 'Latex');
    await press(/^Save$/);
    await screen.findByText(/is not allowed/);
    expect(screen.getByLabelText<HTMLInputElement>('Substance').value).toBe('Latex');
  });

  it('shows both versions if another user was faster, and corrects theirs only on request', async () => {
    const seen = inventedChart(1, { allergies: [inventedAllergy(5, 'Penicilin')] });
    const theirs = inventedAllergy(6, 'Amoxicillin', { replaces: 5, reason: 'As in the letter' });
    show(seen);
    addAllergy.mockRejectedValueOnce(
      new ApiFailure('chart_changed', 'Nia Newcomer has changed this.', { status: 409, entry: theirs }),
    );
    const { rerender } = render(<Drawer />);
    await press(/^Correct Penicilin/);
    const substance = screen.getByLabelText<HTMLInputElement>('Substance');
    await userEvent.clear(substance);
    await writeInto(substance, 'Penicillin');
    await writeInto(screen.getByLabelText('Reason for change'), 'Typing error');
    await press(/^Save correction$/);
    const both = within(await screen.findByRole('region', { name: 'Theirs' }));
    expect(both.getByText('Amoxicillin (severe)')).toBeTruthy();
    expect(both.getByText(/Nia Newcomer, 07 Mar 2026, 14:00/)).toBeTruthy();
    expect(section('Mine').getByText('Penicillin (severe)')).toBeTruthy();
    const use = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Correct theirs with mine' });
    expect(use().disabled).toBe(true);
    show(inventedChart(1, { allergies: [theirs, inventedAllergy(5, 'Penicilin', { status: 'superseded' })] }, 2));
    rerender(<Drawer />);
    await userEvent.click(use());
    expect(substance.value).toBe('Penicillin');
    addAllergy.mockResolvedValueOnce({ patientId: 1, version: 3, entry: inventedAllergy(7, 'Penicillin') });
    await press(/^Save correction$/);
    await screen.findByText('Saved');
    expect(addAllergy.mock.calls.map(([{ body }]) => [body.version, body.replaces, body.reason])).toEqual([
      [1, 5, 'Typing error'],
      [2, 6, 'Typing error'],
    ]);
  });

  it('gives a form that a lock took away back to its user', async () => {
    const { unmount } = render(<Drawer />);
    await press(/^Add Allergies/);
    await writeInto(screen.getByLabelText('Substance'), 'Latex');
    unmount();
    render(<Drawer />);
    expect(screen.getByLabelText<HTMLInputElement>('Substance').value).toBe('Latex');
  });

  it('gives a reason that a lock took away back to its user', async () => {
    show(inventedChart(1, { allergies: [inventedAllergy(5, 'Penicillin')] }));
    const { unmount } = render(<Drawer />);
    await press(/^Entered in error Penicillin/);
    await writeInto(screen.getByLabelText('What is wrong with it'), 'Wrong patient');
    unmount();
    render(<Drawer />);
    expect(screen.getByLabelText<HTMLInputElement>('What is wrong with it').value).toBe('Wrong patient');
    await press(/^Cancel$/);
    await press(/^Entered in error Penicillin/);
    expect(screen.getByLabelText<HTMLInputElement>('What is wrong with it').value).toBe('');
  });

  it('corrects an entry in its place, and leaves the keyboard there', async () => {
    const latex = inventedAllergy(6, 'Latex');
    show(inventedChart(1, { allergies: [latex, inventedAllergy(5, 'Penicilin')] }));
    const corrected = inventedAllergy(7, 'Penicillin', { replaces: 5, reason: 'Typing error' });
    addAllergy.mockResolvedValueOnce({ patientId: 1, version: 2, entry: corrected });
    const { rerender } = render(<Drawer />);
    const item = (name: string) => screen.getByText(name, { selector: '[data-status=current] p' }).closest('li');
    await press(/^Correct Penicilin/);
    expect(item('Penicilin (severe)')?.contains(screen.getByLabelText('Reason for change'))).toBe(true);
    await press(/^Cancel$/);
    expect(document.activeElement).toBe(item('Penicilin (severe)'));
    await press(/^Correct Penicilin/);
    await writeInto(screen.getByLabelText('Reason for change'), 'Typing error');
    await press(/^Save correction$/);
    await screen.findByText('Saved');
    show(
      inventedChart(1, { allergies: [corrected, latex, inventedAllergy(5, 'Penicilin', { status: 'superseded' })] }, 2),
    );
    rerender(<Drawer />);
    expect(document.activeElement).toBe(item('Penicillin (severe)'));
  });

  it('puts a colleague in the team by their account, and anyone else by their name', async () => {
    addToTeam.mockRejectedValue(new ApiFailure('no_response', 'The connection was lost.'));
    render(<Drawer type="physician" />);
    await press(/^Add Responsible clinician/);
    await chooseOption(screen.getByLabelText('Role'), 'Team member');
    await writeInto(screen.getByLabelText('Name'), 'omar');
    await userEvent.click(await screen.findByText('Omar Second, Physician'));
    await press(/^Save$/);
    await expect(axeViolations(document.body)).resolves.toEqual([]);
    await writeInto(screen.getByLabelText('Name'), ' Junior');
    await press(/^Save$/);
    await waitFor(() => expect(addToTeam).toHaveBeenCalledTimes(2));
    expect(addToTeam.mock.calls.map(([{ body }]) => body.value)).toEqual([
      { role: 'teamMember', userId: 9, name: 'Omar Second' },
      { role: 'teamMember', userId: null, name: 'Omar Second Junior' },
    ]);
  });

  it('takes a time in the form in which the product shows times', async () => {
    addAllergy.mockRejectedValue(new ApiFailure('no_response', 'The connection was lost.'));
    render(<Drawer />);
    await press(/^Add Allergies/);
    await writeInto(screen.getByLabelText('Substance'), 'Latex');
    const since = screen.getByLabelText<HTMLInputElement>(/^In effect since/);
    await writeInto(since, '6/3/2026 9:30{Enter}');
    expect(since.value).toBe('06 Mar 2026, 09:30');
    await press(/^Save$/);
    expect(addAllergy.mock.lastCall?.[0].body.effectiveAt).toBe('2026-03-06T09:30:00.000Z');
  });

  it('says in its own words that a flow is not a number', async () => {
    render(<Drawer />);
    await press(/^Record Oxygen/);
    await userEvent.type(screen.getByLabelText(/^Flow/), 'two');
    await userEvent.type(screen.getByLabelText(/^FiO2/), '20');
    await press(/^Save$/);
    await screen.findByText('Flow, L/min is not a number from 0.1 to 80');
    expect(screen.getByText('FiO2, % is not a number from 21 to 100')).toBeTruthy();
    expect(screen.getByText('Device is not chosen')).toBeTruthy();
  });

  it('asks before it closes over a text, and not over an empty form', async () => {
    const onClose = jest.fn();
    render(<ChartDrawer patient={sam} user={userOf('nurse')} now={wardNow} onChanged={onChanged} onClose={onClose} />);
    await press(/^Add Allergies/);
    await press(/^Close$/);
    expect(onClose).toHaveBeenCalledTimes(1);
    await writeInto(screen.getByLabelText('Substance'), 'Latex');
    await press(/^Close$/);
    await screen.findByText('Discard what you typed?');
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('marks an entry as entered in error with a reason', async () => {
    show(inventedChart(1, { allergies: [inventedAllergy(5, 'Penicillin')] }));
    markInError.mockResolvedValue({ patientId: 1, version: 2, entry: inventedAllergy(5, 'Penicillin') });
    render(<Drawer />);
    await press(/^Entered in error Penicillin/);
    expect(document.activeElement).toBe(screen.getByLabelText('What is wrong with it'));
    await press(/^Mark as entered in error$/);
    expect(markInError).not.toHaveBeenCalled();
    await writeInto(screen.getByLabelText('What is wrong with it'), 'Wrong patient');
    await press(/^Mark as entered in error$/);
    await screen.findByText('Saved');
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Allergies' }));
    expect(markInError).toHaveBeenCalledWith({
      params: { id: 5 },
      body: { authorId: 7, version: 1, reason: 'Wrong patient' },
    });
  });
});
