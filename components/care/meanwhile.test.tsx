import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { usePatient } from '../../hooks/usePatient';
import type { CallResponse } from '../../lib/browser/client';
import type { Patient } from '../../lib/patients/schema';
import { wardNow } from '../../test/inventedWard';
import { answer, hang, sentCalls } from '../../test/network';
import { showScreen } from '../../test/showScreen';
import { signInPage } from '../../test/signInPage';
import { writeInto } from '../../test/writeInto';
import type { CareDrawerProps } from './careDrawer';
import { DischargeDrawer } from './DischargeDrawer';
import { EditPatientDrawer } from './EditPatientDrawer';
import { MoveBedDrawer } from './MoveBedDrawer';
import { News2ExemptionDrawer } from './News2ExemptionDrawer';
import { Spo2TargetDrawer } from './Spo2TargetDrawer';

type Spo2Target = CallResponse<'getSpo2Target'>;
type Drawer = ComponentType<CareDrawerProps>;

const onChanged = jest.fn();
const onClose = jest.fn();

/** A page with a drawer of the patient, who is read again and again. */
function Page({ drawer: Shown, id, ...props }: { drawer: Drawer; id: number } & Pick<CareDrawerProps, 'user' | 'now'>) {
  const { data } = usePatient(id);
  return data === undefined ? null : <Shown {...props} patient={data} onChanged={onChanged} onClose={onClose} />;
}

/** Sam is in East 1 and another patient in East 2; a physician opens Sam's drawer, and a colleague works elsewhere. */
async function open(drawer: Drawer) {
  const page = await signInPage('physician');
  const { server, siteId, user } = page;
  await server.addUnit(siteId, 'East');
  await server.addUnit(siteId, 'West');
  const colleague = await server.signIn(siteId, 'physician');
  const add = async (familyName: string, bed: string): Promise<Patient> => {
    const born = { dateOfBirth: '1950-03-07', sex: 'unknown', profile: 'continuous' };
    const identity = { givenName: 'Sam', familyName, mrn: `${familyName}-${siteId}`, isTrial: false, ...born };
    const body = { ...identity, location: { unit: 'East', bed } };
    return (await colleague.call('POST', '/api/v2/patients', body)).json<Patient>();
  };
  const [sam, other] = [await add('Sample', '1'), await add('Other', '2')];
  const shown = await showScreen(<Page drawer={drawer} id={sam.id} user={user} now={wardNow} />, { user });
  const readPatient = async (id: number): Promise<Patient> =>
    (await colleague.call('GET', `/api/v2/patients/${id}`)).json<Patient>();
  return {
    ...page,
    ...shown,
    colleague,
    sam,
    other,
    readPatient,
    /** The colleague changes something, and the page reads it. */
    change: async (method: 'PATCH' | 'PUT' | 'POST', path: string, body: object): Promise<void> => {
      const response = await colleague.call(method, `/api/v2/patients/${path}`, body);
      expect([200, 201, response.body]).toContain(response.statusCode);
      await shown.poll();
    },
  };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const retype = async (label: string, text: string): Promise<void> => {
  await userEvent.clear(field(label));
  await writeInto(field(label), text);
};
const showPresent = 'Show the present state';
const hasChanged = () => screen.findByText(/in the meantime/);

describe('a drawer whose patient is changed by somebody else while it is open', () => {
  it('saves for the state that its user saw, then shows the present one around what was typed', async () => {
    const { sam, change, settle, readPatient } = await open(EditPatientDrawer);
    await retype('Given name', 'Samuel');
    await change('PATCH', `${sam.id}`, { version: 1, familyName: 'Newname', givenName: 'Sammy' });
    expect(field('Family name').value).toBe(sam.familyName);
    await press('Save');
    await hasChanged();
    await settle();
    await press(showPresent);
    expect(field('Family name').value).toBe('Newname');
    expect(field('Given name').value).toBe('Samuel');
    await expect(screen.findByText(/^Is now “Sammy”/)).resolves.toBeTruthy();
    expect(screen.queryByText(/in the meantime/)).toBeNull();
    expect(document.activeElement).toBe(field('Family name'));
    await press('Save');
    await settle();
    expect(onClose).toHaveBeenCalledTimes(1);
    await expect(readPatient(sam.id)).resolves.toMatchObject({ familyName: 'Newname', givenName: 'Samuel' });
  });

  it('cannot be saved over a state that has not been read yet', async () => {
    const { sam, change } = await open(EditPatientDrawer);
    await retype('Given name', 'Samuel');
    const read = hang('getPatient');
    await change('PATCH', `${sam.id}`, { version: 1, givenName: 'Sammy' });
    await press('Save');
    await hasChanged();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: showPresent }).disabled).toBe(true);
    read();
  });

  it('moves them only from the bed that it names', async () => {
    const { sam, change, settle } = await open(MoveBedDrawer);
    await userEvent.type(field('Bed'), '4');
    await change('PATCH', `${sam.id}`, { version: 1, location: { unit: 'West', bed: '9' } });
    await press('Move');
    await hasChanged();
    await settle();
    await press(showPresent);
    expect(screen.getByText('West · Bed 9')).toBeTruthy();
    expect(field('Bed').value).toBe('4');
  });

  it('swaps two patients only as it showed both', async () => {
    const { sam, other, change, settle, readPatient } = await open(MoveBedDrawer);
    await userEvent.type(field('Bed'), '2');
    await press('Move');
    await screen.findByRole('button', { name: /^Swap the beds/ });
    await change('PATCH', `${other.id}`, { version: 1, location: { unit: 'East', bed: '7' } });
    await press(/^Swap the beds/);
    await screen.findByRole('button', { name: showPresent });
    await settle();
    await press(showPresent);
    expect(screen.getByText(/is in East · Bed 7/)).toBeTruthy();
    await press(/^Swap the beds/);
    await settle();
    await expect(readPatient(sam.id)).resolves.toMatchObject({ location: { unit: 'East', bed: '7' } });
    await expect(readPatient(other.id)).resolves.toMatchObject({ location: { unit: 'East', bed: '1' } });
  });

  it('discharges only the patient as they were shown', async () => {
    const { sam, change, settle, readPatient } = await open(DischargeDrawer);
    await writeInto(field('MRN'), sam.mrn);
    await change('PATCH', `${sam.id}`, { version: 1, familyName: 'Newname', givenName: 'Sammy' });
    await press('Discharge');
    await hasChanged();
    await settle();
    await expect(readPatient(sam.id)).resolves.toMatchObject({ state: 'active' });
    await press(showPresent);
    expect(screen.getByText(/^Newname, Sammy, MRN/)).toBeTruthy();
    expect(field('MRN').value).toBe(sam.mrn);
  });

  it('sets a target over the one that its user saw, and shows the present one', async () => {
    const { sam, change, settle } = await open(Spo2TargetDrawer);
    await retype('Target from', '92');
    await writeInto(field('Reason'), 'As ordered');
    const { version } = sam;
    await change('PUT', `${sam.id}/spo2-target`, { version, scale: 1, low: 94, high: 96, reason: 'As ordered' });
    await press('Set target');
    await hasChanged();
    await settle();
    await press(showPresent);
    expect([field('Target from').value, field('Target to').value, field('Reason').value]).toEqual([
      '92',
      '96',
      'As ordered',
    ]);
  });

  it('shows no target of before the version that the page has', async () => {
    const { sam, user, caller, colleague, unmount } = await open(Spo2TargetDrawer);
    expect(screen.getByRole('button', { name: 'Set target' })).toBeTruthy();
    unmount();
    const read = await caller.call('GET', `/api/v2/patients/${sam.id}/spo2-target`);
    await colleague.call('PATCH', `/api/v2/patients/${sam.id}`, { version: 1, givenName: 'Sammy' });
    answer({ getSpo2Target: () => read.json<Spo2Target>() });
    await showScreen(<Page drawer={Spo2TargetDrawer} id={sam.id} user={user} now={wardNow} />, { user });
    expect(screen.getByText(/Sammy/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Set target' })).toBeNull();
  });

  it('marks NEWS2 over the marks that its user saw', async () => {
    const { sam, change, settle } = await open(News2ExemptionDrawer);
    await writeInto(field('Reason'), 'As ordered');
    const mark = { because: 'pregnancy', reason: 'Week 30' };
    await change('PUT', `${sam.id}/news2-exemption`, { version: sam.version, ...mark });
    await press('NEWS2 does not apply');
    await hasChanged();
    expect(sentCalls('setNews2Exemption')).toHaveLength(1);
    await settle();
    await press(showPresent);
    expect(screen.getByRole('button', { name: 'NEWS2 applies again' })).toBeTruthy();
  });
});
