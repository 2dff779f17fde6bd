import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { usePatients } from '../../hooks/usePatients';
import { ApiFailure } from '../../lib/browser/client';
import { permissionsOf } from '../../lib/session/permissions';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedPatient, inventedUser, wardNow } from '../../test/inventedWard';
import { DischargeDrawer } from './DischargeDrawer';
import { EditPatientDrawer } from './EditPatientDrawer';
import { MoveBedDrawer } from './MoveBedDrawer';
import { News2ExemptionDrawer } from './News2ExemptionDrawer';
import { Spo2TargetDrawer } from './Spo2TargetDrawer';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/usePatients');

const calls = {
  changePatient: callMock<'changePatient'>(),
  swapBeds: callMock<'swapBeds'>(),
  setSpo2Target: callMock<'setSpo2Target'>(),
  setNews2Exemption: callMock<'setNews2Exemption'>(),
};
const refusal = new ApiFailure('changed_meanwhile', 'Noor Demo has changed it in the meantime.', { status: 409 });
const physician = { type: 'physician' as const, isAdmin: false, units: [] };
const user = inventedUser({ ...physician, permissions: permissionsOf(physician) });
const sam = inventedPatient(1, { location: { unit: 'East', bed: '1' } });
const changed = { ...sam, familyName: 'Newname', givenName: 'Sammy', version: 2 };
const detailed = { standby: null, comfortCare: null, news2: null };
const props = (patient = sam) => ({ patient, user, now: wardNow, onChanged: jest.fn(), onClose: jest.fn() });
const target = { version: 1, scale: 1 as const, low: 94, high: 98, isConfirmed: true, history: [] };

beforeEach(() => {
  for (const call of Object.values(calls)) {
    call.mockReset().mockRejectedValue(refusal);
  }
  setCalls(calls);
  jest.mocked(usePatients).mockReturnValue(answered({ items: [], total: 0, version: '1', units: [], beds: [] }));
  setReads({
    listAlerts: answered({ items: [], total: 0, version: '1' }),
    listDevices: answered({ items: [], total: 0 }),
    listUnits: answered({ items: [{ id: 3, name: 'East', patients: 2, people: 1, isOpen: true }], total: 1 }),
    getSpo2Target: answered(target),
    getNews2Exemptions: answered({ version: 1, items: [] }),
  });
});

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const retype = async (label: string, text: string): Promise<void> => {
  await userEvent.clear(field(label));
  await userEvent.type(field(label), text);
};
const showPresent = 'Show the present state';

describe('a drawer whose patient is changed by somebody else while it is open', () => {
  it('saves for the state that its user saw, then shows the present one around what was typed', async () => {
    const { rerender } = render(<EditPatientDrawer {...props()} />);
    await retype('Given name', 'Samuel');
    rerender(<EditPatientDrawer {...props(changed)} />);
    expect(field('Family name').value).toBe(sam.familyName);
    await press('Save');
    const body = { givenName: 'Samuel' };
    expect(calls.changePatient).toHaveBeenLastCalledWith({ params: { id: 1 }, body: { version: 1, ...body } });
    await expect(screen.findByText(/Noor Demo has changed it/)).resolves.toBeTruthy();
    await press(showPresent);
    expect(field('Family name').value).toBe('Newname');
    expect(field('Given name').value).toBe('Samuel');
    await expect(screen.findByText(/^Is now “Sammy”/)).resolves.toBeTruthy();
    expect(screen.queryByText(/Noor Demo has changed it/)).toBeNull();
    expect(document.activeElement).toBe(field('Family name'));
    await press('Save');
    await waitFor(() =>
      expect(calls.changePatient).toHaveBeenLastCalledWith({ params: { id: 1 }, body: { version: 2, ...body } }),
    );
  });

  it('cannot be saved over a state that has not been read yet', async () => {
    render(<EditPatientDrawer {...props()} />);
    await retype('Given name', 'Samuel');
    await press('Save');
    await screen.findByText(/Noor Demo has changed it/);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: showPresent }).disabled).toBe(true);
  });

  it('moves them only from the bed that it names', async () => {
    const moved = { ...sam, location: { unit: 'West', bed: '9' }, version: 2 };
    const { rerender } = render(<MoveBedDrawer {...props()} />);
    await userEvent.type(field('Bed'), '4');
    rerender(<MoveBedDrawer {...props(moved)} />);
    await press('Move');
    const location = { unit: 'East', bed: '4' };
    expect(calls.changePatient).toHaveBeenLastCalledWith({ params: { id: 1 }, body: { version: 1, location } });
    await screen.findByText(/Noor Demo has changed it/);
    await press(showPresent);
    expect(screen.getByText('West · Bed 9')).toBeTruthy();
    expect(field('Bed').value).toBe('4');
  });

  it('swaps two patients only as it showed both', async () => {
    const other = inventedPatient(2, { location: { unit: 'East', bed: '2' }, version: 4, ...detailed });
    const otherIn = (bed: string, version: number) => ({
      ...other,
      ...detailed,
      location: { unit: 'East', bed },
      version,
    });
    const units = answered({ items: [{ id: 3, name: 'East', patients: 2, people: 1, isOpen: true }], total: 1 });
    setReads({ listUnits: units, getPatient: answered(otherIn('2', 4)) });
    calls.changePatient.mockRejectedValue(new ApiFailure('bed_taken', 'Taken.', { status: 409, id: 2 }));
    const { rerender } = render(<MoveBedDrawer {...props()} />);
    await userEvent.type(field('Bed'), '2');
    await press('Move');
    await screen.findByRole('button', { name: /^Swap the beds/ });
    setReads({ listUnits: units, getPatient: answered(otherIn('7', 5)) });
    rerender(<MoveBedDrawer {...props()} />);
    const versions = (mine: number, theirs: number) => ({
      body: {
        patients: [
          { id: 1, version: mine },
          { id: 2, version: theirs },
        ],
      },
    });
    await press(/^Swap the beds/);
    expect(calls.swapBeds).toHaveBeenLastCalledWith(versions(1, 4));
    await press(showPresent);
    expect(screen.getByText(/is in East · Bed 7/)).toBeTruthy();
    await press(/^Swap the beds/);
    expect(calls.swapBeds).toHaveBeenLastCalledWith(versions(1, 5));
  });

  it('discharges only the patient as they were shown', async () => {
    const { rerender } = render(<DischargeDrawer {...props()} />);
    await userEvent.type(field('MRN'), sam.mrn);
    rerender(<DischargeDrawer {...props(changed)} />);
    await press('Discharge');
    expect(calls.changePatient).toHaveBeenLastCalledWith({
      params: { id: 1 },
      body: { version: 1, state: 'discharged' },
    });
    await screen.findByText(/Noor Demo has changed it/);
    await press(showPresent);
    expect(screen.getByText(/^Newname, Sammy, MRN/)).toBeTruthy();
    expect(field('MRN').value).toBe(sam.mrn);
  });

  it('sets a target over the one that its user saw, and shows the present one', async () => {
    const { rerender } = render(<Spo2TargetDrawer {...props()} />);
    await retype('Target from', '92');
    await userEvent.type(field('Reason'), 'As ordered');
    setReads({ getSpo2Target: answered({ ...target, version: 2, high: 96 }) });
    rerender(<Spo2TargetDrawer {...props()} />);
    await press('Set target');
    const body = { scale: 1, low: 92, high: 98, reason: 'As ordered' };
    expect(calls.setSpo2Target).toHaveBeenLastCalledWith({ params: { id: 1 }, body: { version: 1, ...body } });
    await screen.findByText(/Noor Demo has changed it/);
    await press(showPresent);
    expect([field('Target from').value, field('Target to').value, field('Reason').value]).toEqual([
      '92',
      '96',
      'As ordered',
    ]);
  });

  it('shows no target of before the version that the page has', () => {
    render(<Spo2TargetDrawer {...props({ ...sam, version: 2 })} />);
    expect(screen.queryByRole('button', { name: 'Set target' })).toBeNull();
  });

  it('marks NEWS2 over the marks that its user saw', async () => {
    const { rerender } = render(<News2ExemptionDrawer {...props()} />);
    await userEvent.type(field('Reason'), 'As ordered');
    const mark = { because: 'pregnancy' as const, reason: 'Week 30', endedAt: null, endedBy: null };
    const setBy = { id: 9, name: 'Noor Demo' };
    const items = [{ ...mark, setAt: new Date(wardNow).toISOString(), setBy }];
    setReads({ getNews2Exemptions: answered({ version: 2, items }) });
    rerender(<News2ExemptionDrawer {...props()} />);
    await press('NEWS2 does not apply');
    expect(calls.setNews2Exemption).toHaveBeenLastCalledWith({
      params: { id: 1 },
      body: { version: 1, because: 'pregnancy', reason: 'As ordered' },
    });
    await screen.findByText(/Noor Demo has changed it/);
    await press(showPresent);
    expect(screen.getByRole('button', { name: 'NEWS2 applies again' })).toBeTruthy();
  });
});
