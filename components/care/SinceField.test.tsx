import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { usePatients } from '../../hooks/usePatients';
import { ApiFailure } from '../../lib/browser/client';
import { permissionsOf } from '../../lib/session/permissions';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedPatient, inventedUser, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { DischargeDrawer } from './DischargeDrawer';
import { MoveBedDrawer } from './MoveBedDrawer';
import { sinceOf } from './SinceField';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/usePatients');

const calls = { changePatient: callMock<'changePatient'>(), swapBeds: callMock<'swapBeds'>() };
const lead = { type: 'ward_lead' as const, isAdmin: false, units: [] };
const user = inventedUser({ ...lead, permissions: permissionsOf(lead) });
const sam = inventedPatient(1, { location: { unit: 'East', bed: '1' } });
const props = { patient: sam, user, now: wardNow, onChanged: jest.fn(), onClose: jest.fn() };
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const typed = '07 Mar 2026, 11:40';
const since = new Date(Date.UTC(2026, 2, 7, 11, 40)).toISOString();

beforeEach(() => {
  const refusal = new ApiFailure('bed_taken', 'Taken.', { status: 409, id: 2 });
  for (const call of Object.values(calls)) {
    call.mockReset().mockRejectedValue(refusal);
  }
  setCalls(calls);
  jest.mocked(usePatients).mockReturnValue(answered({ items: [], total: 0, version: '1', units: [], beds: [] }));
  const other = { standby: null, comfortCare: null, news2: null };
  setReads({
    listAlerts: answered({ items: [], total: 0, version: '1' }),
    listDevices: answered({ items: [], total: 0 }),
    listUnits: answered({ items: [{ id: 3, name: 'East', patients: 2, people: 1, isOpen: true }], total: 1 }),
    getPatient: answered({ ...inventedPatient(2, { location: { unit: 'East', bed: '2' } }), ...other }),
  });
});

it.each([
  ['', undefined],
  ['2026-03-07T11:40', since],
  ['2026-03-07T11', '2026-03-07T11'],
])('says when "%s" was on the clocks of the site', (text, expected) => {
  expect(sinceOf(text, { timeZone: 'Europe/London' })).toBe(expected);
});

it('sends when a patient was moved, also with the swap that is offered instead', async () => {
  render(<MoveBedDrawer {...props} />);
  await userEvent.type(field('Bed'), '2');
  await writeInto(field('Moved at'), typed);
  await press('Move');
  expect(calls.changePatient.mock.lastCall?.[0].body).toEqual({
    version: 1,
    location: { unit: 'East', bed: '2' },
    since,
  });
  await press(/^Swap the beds/);
  expect(calls.swapBeds.mock.lastCall?.[0].body.since).toBe(since);
});

it('sends when a patient was discharged', async () => {
  render(<DischargeDrawer {...props} />);
  await writeInto(field('MRN'), sam.mrn);
  await writeInto(field('Discharged at'), typed);
  await press('Discharge');
  expect(calls.changePatient.mock.lastCall?.[0].body).toEqual({ version: 1, state: 'discharged', since });
});
