import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { keepTextsOf } from '../../hooks/keptTexts';
import { useChart, useChartSummary } from '../../hooks/useChart';
import { useNoteReaders } from '../../hooks/useNoteReaders';
import type { PatientLimitsResponse } from '../../lib/alerts/limitsSchema';
import { ApiFailure } from '../../lib/browser/client';
import {
  type Chart,
  type ChartSummary,
  newAllergy,
  newCodeStatus,
  newCondition,
  newContact,
  newMedication,
  newOxygen,
  newTeamEntry,
} from '../../lib/chart/schema';
import { type WrittenSection, writtenSections } from '../../lib/chart/sections';
import { permissionsOf } from '../../lib/session/permissions';
import type { UserType } from '../../lib/session/userTypes';
import { chooseOption } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls } from '../../test/calls';
import { inventedAllergy, inventedChart } from '../../test/inventedChart';
import { inventedPatient, inventedUser, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { ChartDrawer } from './ChartDrawer';
import { SafetyMarks } from './SafetyMarks';
import { bodyOfFields, fieldsOf } from './entryFields';
import { limitLines } from './limitLines';
import { newEntries } from './useWriteEntry';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useChart');
jest.mock('../../hooks/useNoteReaders');

describe('ChartDrawer', () => {
  const sam = inventedPatient(1);
  const addAllergy = callMock<'addAllergy'>();
  const addToTeam = callMock<'addToTeam'>();
  const markInError = callMock<'markChartEntryInError'>();
  const userOf = (type: UserType) =>
    inventedUser({ permissions: permissionsOf({ type, isAdmin: false, units: [] }), units: [] });
  const onChanged = jest.fn();

  function Drawer({ type = 'nurse', patient = sam }: { type?: UserType; patient?: typeof sam }) {
    return (
      <ChartDrawer
        patient={patient}
        user={userOf(type)}
        now={wardNow}
        onChanged={onChanged}
        onClose={() => undefined}
      />
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
        new ApiFailure('invalid', 'value: is at odds', {
          status: 422,
          fields: { 'value.substance': 'is not allowed' },
        }),
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
        inventedChart(
          1,
          { allergies: [corrected, latex, inventedAllergy(5, 'Penicilin', { status: 'superseded' })] },
          2,
        ),
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
      render(
        <ChartDrawer patient={sam} user={userOf('nurse')} now={wardNow} onChanged={onChanged} onClose={onClose} />,
      );
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
});

describe('SafetyMarks', () => {
  const text = (summary: Partial<ChartSummary> | undefined): string => {
    const known = { patientId: 1, version: 1, codeStatus: null, allergies: [], ...summary };
    jest.mocked(useChartSummary).mockReturnValue(answered(known, summary === undefined ? { data: undefined } : {}));
    const { container, unmount } = render(<SafetyMarks patientId={1} />);
    const said = [...container.children].map(({ textContent }) => textContent).join(' | ');
    unmount();
    return said;
  };
  const codeStatus = (value: NonNullable<ChartSummary['codeStatus']>['value']): ChartSummary['codeStatus'] => ({
    ...inventedAllergy(3, 'unused'),
    section: 'codeStatus',
    value,
  });

  describe('the marks beside a patient’s name', () => {
    it('say nothing of what is not known, or is another patient’s', () => {
      expect(text(undefined)).toBe('Code status not loaded | Allergies not loaded');
      expect(text({ patientId: 2, allergies: [inventedAllergy(1, 'Latex')] })).toBe(
        'Code status not loaded | Allergies not loaded',
      );
    });

    it('say that nothing is recorded, which is neither full treatment nor no allergy', () => {
      expect(text({})).toBe('Code status not recorded | Allergies not asked');
      expect(text({ codeStatus: codeStatus({ status: 'full', limits: null }) })).toMatch(
        /^Code status: full treatment/,
      );
      expect(text({ allergies: [inventedAllergy(1, '', { value: { is: 'none' } })] })).toMatch(/No known allergies$/);
    });

    it('name what changes the treatment, with the number of allergies first', () => {
      const allergies = [inventedAllergy(1, 'Penicillin'), inventedAllergy(2, 'Latex')];
      expect(text({ codeStatus: codeStatus({ status: 'noCpr', limits: null }), allergies })).toBe(
        'Code status: No CPR | 2 allergies: Penicillin, Latex',
      );
      jest.mocked(useChartSummary).mockReturnValue(answered({ patientId: 1, version: 1, codeStatus: null, allergies }));
      render(<SafetyMarks patientId={1} />);
      expect(screen.getByTitle('2 allergies: Penicillin (severe); Latex (severe)')).toBeTruthy();
    });
  });
});

describe('chartFields', () => {
  describe('the fields of a chart’s form', () => {
    const zone = 'Europe/London';
    const rest = { clientId: '6f2b3c1e-0d7e-4b1c-9f43-3f1c7f6d2a10', authorId: 7, version: 3, replaces: null };

    function bodyOf(section: WrittenSection, value: Record<string, string>, change = {}) {
      const empty = fieldsOf(section, null, zone);
      return {
        ...bodyOfFields(section, { ...empty, value: { ...empty.value, ...value }, ...change }, zone, false),
        ...rest,
      };
    }

    const errorsOf = (parsed: { success: boolean; error?: { issues: { path: PropertyKey[] }[] } }) =>
      parsed.error?.issues.map(({ path }) => path.join('.'));

    it.each(writtenSections)('are refused in %s while nothing is typed', (section) => {
      expect(newEntries[section].safeParse(bodyOf(section, {})).success).toBe(false);
    });

    it('need source and date for a code status', () => {
      expect(errorsOf(newCodeStatus.safeParse(bodyOf('codeStatus', { status: 'full' })))).toEqual(
        expect.arrayContaining(['source', 'effectiveAt']),
      );
    });

    it('keep a number that is none, so that its field is refused', () => {
      expect(errorsOf(newOxygen.safeParse(bodyOf('oxygen', { device: 'nasalCannula', flow: 'two' })))).toEqual([
        'value.flow',
      ]);
    });

    it('become what the server takes', () => {
      const stated = { source: 'letter', effectiveAt: '2026-07-01T09:30' };
      expect(newCodeStatus.parse(bodyOf('codeStatus', { status: 'noCpr', limits: '' }, stated))).toMatchObject({
        value: { status: 'noCpr', limits: null },
        source: 'letter',
        effectiveAt: '2026-07-01T08:30:00.000Z',
        reason: null,
      });
      expect(newAllergy.parse(bodyOf('allergies', { substance: ' Latex ' })).value).toEqual({
        is: 'allergy',
        substance: 'Latex',
        reaction: null,
        severity: 'unknown',
      });
      expect(newAllergy.parse(bodyOf('allergies', { is: 'none', substance: 'typed before' })).value).toEqual({
        is: 'none',
      });
      expect(newOxygen.parse(bodyOf('oxygen', { device: 'venturiMask', flow: '2,5', fiO2: '28' })).value).toEqual({
        device: 'venturiMask',
        flow: 2.5,
        fiO2: 28,
        note: null,
      });
      expect(newCondition.parse(bodyOf('conditions', { name: 'COPD', since: '2019' })).value).toMatchObject({
        name: 'COPD',
        since: '2019',
      });
      expect(newMedication.parse(bodyOf('medications', { is: 'none' })).value).toEqual({ is: 'none' });
      expect(newContact.parse(bodyOf('contacts', { role: 'patient', phone: '+44 20 7946 0000' })).value).toMatchObject({
        role: 'patient',
        name: null,
      });
    });

    it('keep the account of a user in the team, unless another name is typed', () => {
      const entry = {
        ...inventedAllergy(1, 'Latex'),
        section: 'team' as const,
        value: { role: 'teamMember' as const, userId: 7, name: 'Robin Example' },
      };
      const fields = fieldsOf('team', entry, zone);
      const valueAs = (name: string) =>
        newTeamEntry.parse({
          ...bodyOfFields(
            'team',
            { ...fields, value: { ...fields.value, role: 'responsibleClinician', name } },
            zone,
            false,
          ),
          ...rest,
        }).value;
      expect(valueAs('Robin Example')).toMatchObject({ role: 'responsibleClinician', userId: 7 });
      expect(valueAs('Sam Example')).toMatchObject({ userId: null, name: 'Sam Example' });
    });

    it('begin with the entry that they correct', () => {
      const fields = fieldsOf(
        'allergies',
        inventedAllergy(1, 'Penicillin', { effectiveAt: '2026-07-01T08:30:00.000Z' }),
        zone,
      );
      expect(fields).toEqual({
        value: { is: 'allergy', substance: 'Penicillin', reaction: '', severity: 'severe' },
        source: 'the patient',
        effectiveAt: '2026-07-01T09:30',
        reason: '',
      });
    });
  });

  describe('the limits on a printed chart', () => {
    const item: PatientLimitsResponse['items'][number] = {
      rule: 'spo2.low',
      priority: 'high',
      unit: '%',
      lowIs: 'below',
      delayMs: 60_000,
      bounds: { low: { min: 70, max: 92 }, high: null },
      default: { low: 88, high: null },
      site: null,
      own: null,
      holds: { low: 85, high: null },
    };

    it('are the figures that apply, with the one that follows from them', () => {
      const other = { ...item, rule: 'spo2.below' as const, default: null, holds: null };
      expect(limitLines({ profile: 'continuous', spo2Scale: 1 }, { items: [item, other] })).toEqual([
        'SpO2 very low: < 75, at once',
        'SpO2 low: < 85 %',
      ]);
    });

    it('are those of single readings at home', () => {
      const lines = limitLines({ profile: 'home', spo2Scale: 1 }, { items: [item] });
      expect(lines[0]).toBe('SpO2 reading: high ≤ 92; medium ≤ 94');
      expect(lines.join()).not.toContain('85');
    });
  });
});
