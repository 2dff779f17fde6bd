import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure, clientFailure, type CallInput } from '../../lib/browser/client';
import { usePatients } from '../../hooks/usePatients';
import { useRead } from '../../hooks/useRead';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import { chooseOption, offeredOptions } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { answered, setCalls, setReads } from '../../test/calls';
import { inventedUser } from '../../test/inventedWard';
import { AddPatientDrawer } from './AddPatientDrawer';
import { AddPatientForm } from './AddPatientForm';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/usePatients');
jest.mock('../../hooks/useRead');

const created: Patient = {
  id: 5,
  mrn: 'MRN-5',
  givenName: 'Ada',
  familyName: 'Okafor',
  dateOfBirth: '1950-12-31',
  sex: 'unknown',
  location: null,
  profile: 'continuous',
  spo2Scale: 1,
  news2ExemptFor: null,
  isTrial: false,
  state: 'active',
  version: 1,
  standby: null,
  comfortCare: null,
  symptoms: null,
  deviceAlarms: [],
  alerts: [],
  latest: {},
};
const create = jest.fn<Promise<Patient>, [CallInput<'createPatient'>]>();
const onAdded = jest.fn();

beforeEach(() => {
  create.mockReset().mockResolvedValue(created);
  onAdded.mockReset();
  setCalls({ createPatient: create });
  setReads({
    listUnits: answered({
      items: ['East', 'West'].map((name, index) => ({ id: index + 1, name, patients: 1, people: 0, isOpen: true })),
      total: 2,
    }),
  });
  setBeds([]);
});

/** Sets who is in the beds of the chosen unit. */
function setBeds(items: Patient[]): void {
  const page: PatientsPage = { items, total: items.length, version: '1', units: [], beds: [] };
  jest.mocked(usePatients).mockReturnValue(answered(page));
}
function show(change: Parameters<typeof inventedUser>[0] = {}) {
  return render(<AddPatientForm onAdded={onAdded} user={inventedUser(change)} />);
}
const field = (name: string) => screen.getByLabelText(new RegExp(`^${name}`));
/** Replaces what fields hold. */
function fill(values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) {
    fireEvent.change(field(name), { target: { value } });
  }
}
const send = () => userEvent.click(screen.getByRole('button', { name: 'Add patient' }));
const identity = { 'Family name': 'Okafor', 'Given name': 'Ada', 'Date of birth': '1950-12-31', MRN: 'MRN-5' };

describe('AddPatientForm', () => {
  it('names every missing identifier at its field, sends nothing and moves to the first', async () => {
    show();
    await send();
    await screen.findByText('Family name is empty');
    expect(field('Family name').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('Family name is empty')).toBeTruthy();
    expect(screen.getByText('Enter the date of birth')).toBeTruthy();
    expect(screen.getByText('MRN is empty')).toBeTruthy();
    expect(document.activeElement).toBe(field('Family name'));
    expect(create).not.toHaveBeenCalled();
  });

  it('needs the whole place if only the bed is typed, or only the unit chosen', async () => {
    show();
    fill({ ...identity, Bed: '4' });
    await send();
    await expect(screen.findByText('Unit is needed with a bed')).resolves.toBeTruthy();
    await userEvent.clear(field('Bed'));
    await chooseOption(field('Unit'), 'East');
    await send();
    await expect(screen.findByText('Bed is needed with a unit')).resolves.toBeTruthy();
    expect(create).not.toHaveBeenCalled();
  });

  it('refuses a date of birth that no one can have before it is sent', async () => {
    show();
    fill(identity);
    for (const [typed = '', error = ''] of [
      ['11/2/58', 'Date of birth needs a year of four digits, such as 1958'],
      ['30/2/1958', 'Date of birth is not a day of that month'],
      ['1/1/2090', 'Date of birth lies in the future'],
    ]) {
      fill({ 'Date of birth': typed });
      await send();
      await screen.findByText(error);
    }
    expect(create).not.toHaveBeenCalled();
  });

  it('says how it understood a date of birth, and sends it as a calendar date', async () => {
    show();
    expect(screen.getByText('Day first: 11/2/1958 or 11 Feb 1958')).toBeTruthy();
    fill({ ...identity, 'Date of birth': '11/2/1958' });
    await screen.findByText(/^11 Feb 1958, \d+ years$/);
    await send();
    await waitFor(() => expect(create).toHaveBeenCalledTimes(1));
    expect(create.mock.lastCall?.[0].body).toMatchObject({ dateOfBirth: '1958-02-11' });
  });

  it('reads a date of birth with the month first where the site writes it so', async () => {
    show({ site: { ...inventedUser().site, dateOrder: 'month_first' } });
    fill({ 'Date of birth': '11/2/1958' });
    await expect(screen.findByText(/^02 Nov 1958, \d+ years$/)).resolves.toBeTruthy();
  });

  it('says who is in a bed, in any letter case', async () => {
    setBeds([{ ...created, location: { unit: 'East', bed: 'S4' } }]);
    show();
    await chooseOption(field('Unit'), 'East');
    fill({ Bed: 's4' });
    await expect(screen.findByText('Occupied by Okafor, Ada')).resolves.toBeTruthy();
  });

  it('offers a user with units only these, and no new one', async () => {
    show({ units: [{ id: 2, name: 'West' }] });
    await expect(offeredOptions(field('Unit'))).resolves.toEqual(['No unit', 'West']);
    expect(screen.queryByRole('button', { name: '+ New unit' })).toBeNull();
  });

  it('keeps what was typed and links the patient who has the number already', async () => {
    create.mockRejectedValue(
      new ApiFailure('mrn_exists', 'Another patient of this site has this MRN.', {
        status: 409,
        id: 3,
        fields: { mrn: 'belongs to another patient' },
      }),
    );
    show();
    fill(identity);
    await send();
    await screen.findByText('MRN belongs to another patient');
    expect(screen.getByRole('alert').textContent).toContain('Another patient of this site has this MRN.');
    expect(screen.getByRole('link', { name: 'Open that patient' }).getAttribute('href')).toBe('/patient_details?ids=3');
    expect(screen.getByText('MRN belongs to another patient')).toBeTruthy();
    expect(field('Family name')).toHaveProperty('value', 'Okafor');
    expect(onAdded).not.toHaveBeenCalled();
  });

  it('shows who is likely the same person, and adds another one only when asked again', async () => {
    create.mockRejectedValueOnce(new ApiFailure('likely_duplicate', 'Compare both.', { status: 409, confirm: [3] }));
    setReads({
      ...{ listUnits: answered({ items: [], total: 0 }) },
      getPatient: answered({ ...created, id: 3, mrn: 'MRN-S', news2: null, comfortCare: null, standby: null }),
    });
    show();
    fill(identity);
    await send();
    await screen.findByText(/MRN MRN-S · born 31 Dec 1950/);
    expect(screen.getByRole('link', { name: 'Okafor, Ada' }).getAttribute('href')).toBe('/patient_details?ids=3');
    expect(onAdded).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Add as another person' }));
    await waitFor(() => expect(onAdded).toHaveBeenCalledTimes(1));
    expect(create.mock.lastCall?.[0].body).toMatchObject({ mrn: 'MRN-5', confirm: [3] });
  });

  it('has beside it those who are in the list twice, read only when somebody opens them', () => {
    const pair = [created, { ...created, id: 6, mrn: 'MRN-S', state: 'discharged' as const }];
    render(<AddPatientDrawer onAdded={onAdded} onClose={jest.fn()} user={inventedUser()} />);
    expect(jest.mocked(useRead).mock.calls.map(([name]) => name)).not.toContain('listLikelyDuplicates');
    setReads({
      ...{ listUnits: answered({ items: [], total: 0 }) },
      listLikelyDuplicates: answered({ items: [pair] }),
    });
    const details = screen.getByText('Likely duplicates in the list').closest('details');
    details?.setAttribute('open', '');
    fireEvent(details ?? document.body, new Event('toggle'));
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Okafor, Ada Okafor, Ada · MRN MRN-5 · born 31 Dec 1950, No bed' +
        'Okafor, Ada Okafor, Ada · MRN MRN-S · born 31 Dec 1950, discharged',
    ]);
  });

  it('says no longer that another patient has the MRN once the MRN is another one', async () => {
    create.mockRejectedValue(
      new ApiFailure('mrn_exists', 'Another patient of this site has this MRN.', {
        status: 409,
        id: 3,
        fields: { mrn: 'belongs to another patient' },
      }),
    );
    show();
    fill(identity);
    await send();
    await screen.findByText('MRN belongs to another patient');
    fill({ 'Given name': 'Adah' });
    expect(screen.getByRole('link', { name: 'Open that patient' })).toBeTruthy();
    fill({ MRN: 'MRN-51' });
    expect(screen.queryByText('Another patient of this site has this MRN.', { exact: false })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Open that patient' })).toBeNull();
    await waitFor(() => {
      expect(screen.queryByText('MRN belongs to another patient')).toBeNull();
    });
  });

  it('says that the server cannot be reached, and can be sent again', async () => {
    create.mockRejectedValueOnce(clientFailure('unreachable'));
    show();
    fill(identity);
    await send();
    await expect(screen.findByText('The server cannot be reached.')).resolves.toBeTruthy();
    await send();
    await waitFor(() => expect(onAdded).toHaveBeenCalledWith('Okafor, Ada'));
  });

  it('does not say that nothing was added if the answer was lost', async () => {
    create.mockRejectedValueOnce(clientFailure('no_response'));
    show();
    fill(identity);
    await send();
    await expect(screen.findByText(/^It is not known whether this was added\./)).resolves.toBeTruthy();
  });

  it('has no SpO2 scale for users who may not set it', () => {
    show();
    expect(screen.queryByLabelText('SpO2 scale')).toBeNull();
  });

  it('sends a patient without a place as one without a place', async () => {
    show();
    fill(identity);
    await send();
    await waitFor(() => expect(create).toHaveBeenCalledTimes(1));
    expect(create).toHaveBeenCalledWith({
      body: {
        familyName: 'Okafor',
        givenName: 'Ada',
        dateOfBirth: '1950-12-31',
        mrn: 'MRN-5',
        sex: 'unknown',
        location: null,
        profile: 'continuous',
        spo2Scale: 1,
        isTrial: false,
      },
    });
    expect(onAdded).toHaveBeenCalledWith('Okafor, Ada');
  });

  it('sends everything that was chosen', async () => {
    show({ type: 'physician' });
    fill({ ...identity, Bed: '4' });
    await userEvent.click(screen.getByRole('button', { name: '+ New unit' }));
    fill({ Unit: 'North' });
    await chooseOption(field('Sex'), 'Female');
    await chooseOption(field('Profile'), 'At home, spot checks');
    await chooseOption(field('SpO2 scale'), 'Scale 2 (target 88–92 %)');
    await userEvent.click(screen.getByRole('checkbox', { name: /An invented patient/ }));
    await send();
    await waitFor(() => expect(create).toHaveBeenCalledTimes(1));
    expect(create.mock.lastCall?.[0].body).toMatchObject({
      sex: 'female',
      location: { unit: 'North', bed: '4' },
      profile: 'home',
      spo2Scale: 2,
      isTrial: true,
    });
  });

  it('has no accessibility violation, with and without errors', async () => {
    const { container } = show({ type: 'physician' });
    await expect(axeViolations(container)).resolves.toEqual([]);
    await send();
    await screen.findByText('MRN is empty');
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});
