import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Patient } from '../../lib/patients/schema';
import type { UserType } from '../../lib/session/userTypes';
import { permissionsOf } from '../../lib/session/permissions';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedPatient, inventedUser, wardNow } from '../../test/inventedWard';
import { ActionsMenu } from './ActionsMenu';
import { DischargeDrawer } from './DischargeDrawer';
import { MoveBedDrawer } from './MoveBedDrawer';
import { StandbyDrawer } from './StandbyDrawer';
import { ApiFailure } from '../../lib/browser/client';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');

const calls = {
  changePatient: callMock<'changePatient'>(),
  startStandby: callMock<'startStandby'>(),
  endStandby: callMock<'endStandby'>(),
  swapBeds: callMock<'swapBeds'>(),
};
const onChanged = jest.fn();
const onClose = jest.fn();
const sam = inventedPatient(1);
const other = inventedPatient(2, { version: 4 });

beforeEach(() => {
  onChanged.mockReset();
  onClose.mockReset();
  calls.changePatient.mockReset().mockResolvedValue(sam);
  calls.startStandby.mockReset();
  calls.endStandby.mockReset();
  calls.swapBeds.mockReset().mockResolvedValue({ items: [sam, other] });
  setCalls(calls);
  setReads({
    listAlerts: answered({ items: [], total: 0, version: '1' }),
    listDevices: answered({ items: [], total: 0 }),
    listUnits: answered({ items: [{ id: 3, name: 'East', patients: 2, people: 1, isOpen: true }], total: 1 }),
    getStandbyLeft: answered({ minutes: 45, ofBudget: 45 }),
    getPatient: answered({ ...other, standby: null, comfortCare: null, news2: null }),
  });
});

const userOf = (type: UserType) => {
  const who = { type, isAdmin: false, units: [] };
  return inventedUser({ ...who, permissions: permissionsOf(who) });
};
const props = (patient: Patient = sam) => ({ patient, user: userOf('ward_lead'), now: wardNow, onChanged, onClose });

describe('the Actions of a patient', () => {
  const open = async (type: UserType, patient = sam): Promise<string[]> => {
    render(<ActionsMenu patient={patient} user={userOf(type)} now={wardNow} onChanged={onChanged} />);
    await userEvent.click(screen.getByRole('button', { name: /^Actions/ }));
    return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  };

  it('are none for a viewer, and none for a discharged patient', () => {
    const { container, rerender } = render(
      <ActionsMenu patient={sam} user={userOf('viewer')} now={wardNow} onChanged={onChanged} />,
    );
    expect(container.innerHTML).toBe('');
    const gone = { ...sam, state: 'discharged' as const };
    rerender(<ActionsMenu patient={gone} user={userOf('physician')} now={wardNow} onChanged={onChanged} />);
    expect(container.innerHTML).toBe('');
  });

  it('are only what the user may do', async () => {
    await expect(open('respiratory_therapist')).resolves.toEqual(['Standby', 'NEWS2 does not apply', 'Device']);
  });

  it('are all of a physician', async () => {
    const all = await open('physician');
    expect(all).toEqual([
      'Standby',
      'Comfort care',
      'SpO2 target',
      'NEWS2 does not apply',
      'Device',
      'Move bed',
      'Edit',
      'Discharge',
    ]);
  });
});

describe('a discharge', () => {
  it('is not sent without the patient’s own MRN', async () => {
    render(<DischargeDrawer {...props()} />);
    await userEvent.type(screen.getByLabelText(/^MRN/), other.mrn);
    await userEvent.click(screen.getByRole('button', { name: 'Discharge' }));
    await expect(screen.findByText(/is not the one of this patient/)).resolves.toBeTruthy();
    expect(calls.changePatient).not.toHaveBeenCalled();
  });

  it('says what ends with it, and is sent for the version that was seen', async () => {
    const { baseElement } = render(<DischargeDrawer {...props()} />);
    expect(screen.getByText('No open alert')).toBeTruthy();
    expect(screen.getByText('No assigned device')).toBeTruthy();
    await expect(axeViolations(baseElement, 'region')).resolves.toEqual([]);
    await userEvent.type(screen.getByLabelText(/^MRN/), ` ${sam.mrn} `);
    await userEvent.click(screen.getByRole('button', { name: 'Discharge' }));
    expect(calls.changePatient).toHaveBeenCalledWith({ params: { id: 1 }, body: { version: 1, state: 'discharged' } });
    expect(onChanged).toHaveBeenCalledTimes(1);
  });
});

describe('a standby', () => {
  it('is not offered when none is left', () => {
    setReads({ getStandbyLeft: answered({ minutes: 0, ofBudget: 0 }) });
    render(<StandbyDrawer {...props()} />);
    expect(screen.getByText(/No standby is left/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Start standby' })).toBeNull();
  });

  it('offers no more than what is left, and is sent with its reason', async () => {
    render(<StandbyDrawer {...props()} />);
    expect(screen.getAllByRole('radio').map((each) => each.closest('label')?.textContent)).toEqual([
      '15 min',
      '30 min',
      '45 min',
    ]);
    await userEvent.click(screen.getByText('30 min'));
    await userEvent.type(screen.getByLabelText(/^Reason/), 'Shower');
    await userEvent.click(screen.getByRole('button', { name: 'Start standby' }));
    expect(calls.startStandby).toHaveBeenCalledWith({ params: { id: 1 }, body: { minutes: 30, reason: 'Shower' } });
  });
});

describe('a move to another bed', () => {
  it('offers a swap where the bed is taken', async () => {
    calls.changePatient.mockRejectedValueOnce(
      new ApiFailure('bed_taken', 'Another patient is in this bed.', { status: 409, id: other.id }),
    );
    render(<MoveBedDrawer {...props()} />);
    await userEvent.type(screen.getByLabelText(/^Bed/), '2');
    await userEvent.click(screen.getByRole('button', { name: 'Move' }));
    await userEvent.click(await screen.findByRole('button', { name: /^Swap the beds/ }));
    expect(calls.swapBeds).toHaveBeenCalledWith({
      body: {
        patients: [
          { id: 1, version: 1 },
          { id: 2, version: 4 },
        ],
      },
    });
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
