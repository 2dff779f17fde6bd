import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { useAssign, useAssignments, type NewAssignment } from '../../hooks/useAssignments';
import { ApiFailure } from '../../lib/browser/client';
import type { AssignmentsResponse, Holder } from '../../lib/assignments/schema';
import type { User } from '../../lib/session/schema';
import type { Unit } from '../../lib/units/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, setReads } from '../../test/calls';
import { inventedUser, wardNow } from '../../test/inventedWard';
import { AssignmentsScreen } from './AssignmentsScreen';

const replace = jest.fn();
let query: Record<string, string> = {};
jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/assignments', query, replace }) }));
jest.mock('../../hooks/useAssignments');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/useNow', () => ({ useNow: (now: number) => now }));

const dayStart = '2026-03-07T07:30:00.000Z';
const nightBefore = '2026-03-06T19:30:00.000Z';
const nobody: Holder = {
  userId: null,
  name: null,
  formerName: null,
  since: dayStart,
  isCarriedOver: false,
  version: 4,
};
const held = (userId: number, name: string, more: Partial<Holder> = {}): Holder => ({
  ...nobody,
  userId,
  name,
  ...more,
});

const patient = (
  id: number,
  nurse: Holder | null,
  buddy: Holder | null = null,
): AssignmentsResponse['patients'][number] => ({
  id,
  mrn: `A-${id}`,
  givenName: 'Sam',
  familyName: `Sample${id}`,
  isTrial: false,
  dateOfBirth: '1950-03-07',
  bed: String(id),
  holders: { nurse, buddy },
});

const assignments = (change: Partial<AssignmentsResponse> = {}): AssignmentsResponse => ({
  unit: { id: 3, name: 'East' },
  shift: { which: 'current', start: dayStart, end: '2026-03-07T19:30:00.000Z' },
  patients: [
    patient(1, held(9, 'Robin Reed', { since: nightBefore, isCarriedOver: true })),
    patient(2, null),
    patient(3, { ...nobody, formerName: 'Kim Gone', since: nightBefore, isCarriedOver: true }),
  ],
  roles: { charge_nurse: held(9, 'Robin Reed'), duty_clinician: null, ward_lead: null, on_call_physician: null },
  staff: [
    { id: 7, name: 'Ines Moreau', type: 'nurse', roles: ['nurse', 'buddy', 'charge_nurse', 'ward_lead'] },
    { id: 9, name: 'Robin Reed', type: 'nurse', roles: ['nurse', 'buddy', 'charge_nurse', 'ward_lead'] },
    { id: 11, name: 'Dana Doctor', type: 'physician', roles: ['duty_clinician', 'on_call_physician'] },
  ],
  ...change,
});

const units: Unit[] = [
  { id: 3, name: 'East', patients: 3, people: 2, isOpen: true },
  { id: 4, name: 'West', patients: 0, people: 0, isOpen: true },
  { id: 5, name: 'Elsewhere', patients: 0, people: 0, isOpen: false },
];

const send = jest.fn<Promise<ReadonlyMap<number, ApiFailure>>, [readonly NewAssignment[]]>();

function show(data: AssignmentsResponse = assignments(), user: User = inventedUser(), known: Unit[] = units) {
  setReads({ listUnits: answered({ items: known, total: known.length }) });
  jest.mocked(useAssignments).mockReturnValue(answered(data));
  jest.mocked(useAssign).mockReturnValue(send);
  return render(<AssignmentsScreen user={user} now={wardNow} />);
}
const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));
const choose = async (label: string, name: string): Promise<void> => {
  const select = screen.getByLabelText<HTMLSelectElement>(label);
  const option = [...select.options].find(({ text }) => text === name);
  await act(async () => {
    fireEvent.change(select, { target: { value: option?.value ?? 'none' } });
    await Promise.resolve();
  });
};
const press = async (name: string): Promise<void> => {
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name }));
    await Promise.resolve();
  });
};

beforeEach(() => {
  query = {};
  localStorage.clear();
  replace.mockReset();
  send.mockReset().mockResolvedValue(new Map());
});

describe('AssignmentsScreen', () => {
  it('offers no changes to users who may only read', () => {
    show(assignments(), inventedUser({ type: 'viewer' }));
    expect(screen.getByText(/can view assignments but not change them/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Sample1, Sam' })).toBeTruthy();
    // Only the unit can be chosen.
    expect(screen.getAllByRole('combobox')).toHaveLength(1);
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(row('Sample1').getByText('Robin Reed')).toBeTruthy();
  });

  it('says what was carried over, since when, and who is no longer available', () => {
    show();
    expect(row('Sample1').getByText('Carried over from 06 Mar, 19:30')).toBeTruthy();
    expect(row('Sample3').getByText(/Kim Gone was assigned on 06 Mar, 19:30 and is no longer available/)).toBeTruthy();
    expect(row('Sample2').queryByText(/06 Mar/)).toBeNull();
    expect(screen.getByText('2 of 3 patients have no nurse.')).toBeTruthy();
    expect(screen.getByText('07 Mar 2026, 07:30 to 19:30 GMT')).toBeTruthy();
  });

  it('offers for each place only users who can hold it, the user first', () => {
    show();
    const offered = (label: string): string[] =>
      [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ text }) => text);
    expect(offered('Nurse of Sample2, Sam')).toEqual(['Not assigned', 'Ines Moreau (you)', 'Robin Reed']);
    expect(offered('Duty clinician')).toEqual(['Not assigned', 'Dana Doctor']);
  });

  it('sends a choice at once, for the shift that is on the screen', async () => {
    show();
    await choose('Nurse of Sample2, Sam', 'Robin Reed');
    await choose('Charge nurse', 'Not assigned');
    const place = { unitId: 3, shift: 'current', shiftStart: dayStart };
    expect(send.mock.calls.flat(2)).toEqual([
      { ...place, role: 'nurse', patientId: 2, userId: 9, version: 0 },
      { ...place, role: 'charge_nurse', patientId: null, userId: null, version: 4 },
    ]);
  });

  it('keeps a refused choice in its place, and tries it again for the shift that is shown then', async () => {
    send.mockResolvedValueOnce(
      new Map([[0, new ApiFailure('shift_changed', 'Another shift has begun meanwhile.', { status: 409 })]]),
    );
    const { rerender } = show();
    await choose('Nurse of Sample2, Sam', 'Robin Reed');
    expect(screen.getByRole('alert').textContent).toContain(
      'Not saved: Nurse of Sample2, Sam. Another shift has begun meanwhile.',
    );
    expect(screen.getByLabelText<HTMLSelectElement>('Nurse of Sample2, Sam').value).toBe('9');

    const nextStart = '2026-03-07T19:30:00.000Z';
    jest
      .mocked(useAssignments)
      .mockReturnValue(
        answered(assignments({ shift: { which: 'current', start: nextStart, end: '2026-03-08T07:30:00.000Z' } })),
      );
    rerender(<AssignmentsScreen user={inventedUser()} now={wardNow} />);
    expect(screen.getByLabelText<HTMLSelectElement>('Nurse of Sample2, Sam').value).toBe('9');
    await press('Try again');
    const again = {
      unitId: 3,
      shift: 'current',
      shiftStart: nextStart,
      role: 'nurse',
      patientId: 2,
      userId: 9,
      version: 0,
    };
    expect(send).toHaveBeenLastCalledWith([again]);
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('shows a concurrent change by another user, and overwrites it only on a second request', async () => {
    send.mockResolvedValueOnce(
      new Map([[0, new ApiFailure('changed_meanwhile', 'Someone else changed this.', { status: 409 })]]),
    );
    const { rerender } = show();
    await choose('Nurse of Sample2, Sam', 'Ines Moreau (you)');
    jest
      .mocked(useAssignments)
      .mockReturnValue(answered(assignments({ patients: [patient(2, held(9, 'Robin Reed', { version: 8 }))] })));
    rerender(<AssignmentsScreen user={inventedUser()} now={wardNow} />);
    expect(row('Sample2').getByText('Not saved. Now: Robin Reed')).toBeTruthy();
    await press('Try again');
    expect(send.mock.calls.flat(2).map(({ userId, version }) => [userId, version])).toEqual([
      [7, 0],
      [7, 8],
    ]);
  });

  it('discards a refused choice on request', async () => {
    send.mockResolvedValueOnce(
      new Map([[0, new ApiFailure('patient_moved', 'Not in this unit any more.', { status: 409 })]]),
    );
    show();
    await choose('Nurse of Sample2, Sam', 'Robin Reed');
    await press('Discard');
    expect(screen.getByLabelText<HTMLSelectElement>('Nurse of Sample2, Sam').value).toBe('');
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('assigns all patients without a nurse to the user in two presses', async () => {
    show();
    expect(screen.getByRole('button', { name: 'Assign to me' }).hasAttribute('disabled')).toBe(true);
    await press('Select the 2 without a nurse');
    await press('Assign to me');
    expect(send.mock.calls).toHaveLength(1);
    expect(send.mock.calls[0]?.[0].map(({ role, patientId, userId }) => [role, patientId, userId])).toEqual([
      ['nurse', 2, 7],
      ['nurse', 3, 7],
    ]);
  });

  it('assigns several patients to another user, also as buddy', async () => {
    show();
    fireEvent.click(screen.getByLabelText('Select all patients of the unit'));
    fireEvent.change(screen.getByLabelText('As'), { target: { value: 'buddy' } });
    expect(screen.getByRole('button', { name: 'Assign' }).hasAttribute('disabled')).toBe(true);
    fireEvent.change(screen.getByLabelText('Person to assign'), { target: { value: '9' } });
    await press('Assign');
    expect(send.mock.calls[0]?.[0].map(({ role, patientId, userId }) => [role, patientId, userId])).toEqual([
      ['buddy', 1, 9],
      ['buddy', 2, 9],
      ['buddy', 3, 9],
    ]);
  });

  it('opens with the unit of the last visit, else with the user’s own, and keeps unit and shift in the address', () => {
    const { unmount } = show(assignments(), inventedUser({ units: [{ id: 4, name: 'West' }] }));
    expect(jest.mocked(useAssignments)).toHaveBeenLastCalledWith(4, 'current');
    fireEvent.change(screen.getByLabelText('Unit'), { target: { value: '3' } });
    expect(replace).toHaveBeenLastCalledWith('/assignments?unit=3', undefined, expect.anything());
    fireEvent.click(screen.getByRole('button', { name: 'Next shift' }));
    expect(replace).toHaveBeenLastCalledWith('/assignments?unit=3&shift=next', undefined, expect.anything());
    unmount();
    show(assignments(), inventedUser({ units: [{ id: 4, name: 'West' }] }));
    expect(jest.mocked(useAssignments)).toHaveBeenLastCalledWith(3, 'current');
  });

  it('says what to do without a unit, and in a unit without patients', () => {
    const { unmount } = show(assignments(), inventedUser(), [
      { id: 5, name: 'Elsewhere', patients: 1, people: 0, isOpen: false },
    ]);
    expect(screen.getByText('There is no unit yet.')).toBeTruthy();
    unmount();
    show(assignments({ patients: [] }));
    expect(screen.getByText('No patient is in East.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to Patients' })).toBeTruthy();
  });

  it('has no accessibility violation', async () => {
    const { container, unmount } = show();
    await expect(axeViolations(container)).resolves.toEqual([]);
    unmount();
    await expect(axeViolations(show(assignments(), inventedUser({ type: 'viewer' })).container)).resolves.toEqual([]);
  });
});
