import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure, clientFailure, type CallInput } from '../../lib/browser/client';
import type { Patient } from '../../lib/patients/schema';
import { chooseOption } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { setCalls } from '../../test/calls';
import { AddPatientForm } from './AddPatientForm';

jest.mock('../../hooks/useCall');

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
  state: 'active',
  version: 1,
  standby: null,
  comfortCare: null,
  alerts: [],
  latest: {},
};
const create = jest.fn<Promise<Patient>, [CallInput<'createPatient'>]>();
const onAdded = jest.fn();

beforeEach(() => {
  create.mockReset().mockResolvedValue(created);
  onAdded.mockReset();
  setCalls({ createPatient: create });
});

function show(canChooseScale = false) {
  return render(<AddPatientForm onAdded={onAdded} canChooseScale={canChooseScale} />);
}
const field = (name: string) => screen.getByLabelText(new RegExp(`^${name}`));
async function fill(values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await userEvent.type(field(name), value);
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
    expect(screen.getByText('Given name is empty')).toBeTruthy();
    expect(screen.getByText('Date of birth is not a date such as 1950-12-31')).toBeTruthy();
    expect(screen.getByText('MRN is empty')).toBeTruthy();
    expect(document.activeElement).toBe(field('Family name'));
    expect(create).not.toHaveBeenCalled();
  });

  it.each([
    ['Bed', 'Unit is needed with a bed'],
    ['Unit', 'Bed is needed with a unit'],
  ])('needs the whole place if only the %s is typed', async (label, error) => {
    show();
    await fill({ ...identity, [label]: '4' });
    await send();
    await expect(screen.findByText(error)).resolves.toBeTruthy();
    expect(create).not.toHaveBeenCalled();
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
    await fill(identity);
    await send();
    await screen.findByText('MRN belongs to another patient');
    expect(screen.getByRole('alert').textContent).toContain('Another patient of this site has this MRN.');
    expect(screen.getByRole('link', { name: 'Open that patient' }).getAttribute('href')).toBe('/patient_details?ids=3');
    expect(screen.getByText('MRN belongs to another patient')).toBeTruthy();
    expect(field('Family name')).toHaveProperty('value', 'Okafor');
    expect(onAdded).not.toHaveBeenCalled();
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
    await fill(identity);
    await send();
    await screen.findByText('MRN belongs to another patient');
    await fill({ 'Given name': 'h' });
    expect(screen.getByRole('link', { name: 'Open that patient' })).toBeTruthy();
    await fill({ MRN: '1' });
    expect(screen.queryByText('Another patient of this site has this MRN.', { exact: false })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Open that patient' })).toBeNull();
    await waitFor(() => {
      expect(screen.queryByText('MRN belongs to another patient')).toBeNull();
    });
  });

  it('says that the server cannot be reached, and can be sent again', async () => {
    create.mockRejectedValueOnce(clientFailure('unreachable'));
    show();
    await fill(identity);
    await send();
    await expect(screen.findByText('The server cannot be reached.')).resolves.toBeTruthy();
    await send();
    await waitFor(() => expect(onAdded).toHaveBeenCalledWith('Okafor, Ada'));
  });

  it('has no SpO2 scale for users who may not set it', () => {
    show();
    expect(screen.queryByLabelText('SpO2 scale')).toBeNull();
  });

  it('sends a patient without a place as one without a place', async () => {
    show();
    await fill(identity);
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
      },
    });
    expect(onAdded).toHaveBeenCalledWith('Okafor, Ada');
  });

  it('sends everything that was chosen', async () => {
    show(true);
    await fill({ ...identity, Unit: 'East', Bed: '4' });
    await chooseOption(field('Sex'), 'Female');
    await chooseOption(field('Profile'), 'At home, spot checks');
    await chooseOption(field('SpO2 scale'), 'Scale 2 (target 88–92 %)');
    await send();
    await waitFor(() => expect(create).toHaveBeenCalledTimes(1));
    expect(create.mock.lastCall?.[0].body).toMatchObject({
      sex: 'female',
      location: { unit: 'East', bed: '4' },
      profile: 'home',
      spo2Scale: 2,
    });
  });

  it('has no accessibility violation, with and without errors', async () => {
    const { container } = show(true);
    await expect(axeViolations(container)).resolves.toEqual([]);
    await send();
    await screen.findByText('MRN is empty');
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});
