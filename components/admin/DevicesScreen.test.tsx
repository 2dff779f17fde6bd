import { render, screen, within } from '@testing-library/react';
import type { ListedDevice } from '../../lib/devices/schema';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, setReads } from '../../test/calls';
import { inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { DevicesScreen } from './DevicesScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/devices' }) }));
jest.mock('../../hooks/useNow', () => ({ useNow: (now: number) => now }));
jest.mock('../../hooks/useRead');

const device: ListedDevice = {
  id: 1,
  name: 'monitor 1',
  expectedEveryMs: null,
  createdAt: secondsAgo(86_400),
  expiresAt: null,
  revokedAt: null,
  sender: null,
  lastSeenAt: secondsAgo(4),
  gateway: { unitIds: [], proposedUnitIds: [], until: null },
  refused: 0,
  patient: null,
};

function show(devices: ListedDevice[] | undefined, user: User = inventedUser()) {
  const data = devices === undefined ? undefined : { items: devices, total: devices.length };
  setReads({ listDevices: { ...answered(data), isLoading: devices === undefined } });
  return render(<DevicesScreen user={user} now={wardNow} />);
}
const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(`^${name}`) }));

describe('DevicesScreen', () => {
  it('shows nurses which devices send, and no way to add one', () => {
    show([device, { ...device, id: 2, name: 'monitor 2', lastSeenAt: null, revokedAt: secondsAgo(5) }]);
    expect(row('monitor 1').getByText('4 s')).toBeTruthy();
    expect(row('monitor 1').getByText('Valid')).toBeTruthy();
    expect(row('monitor 2').getByText('Never')).toBeTruthy();
    expect(row('monitor 2').getByText('Revoked')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add device' })).toBeNull();
  });

  it('names the patient as far as the server does', () => {
    const patient = { location: { unit: 'East', bed: '4' }, mrnEnd: '417', isTrial: false, identity: null };
    show([
      { ...device, patient },
      {
        ...device,
        id: 2,
        name: 'monitor 2',
        patient: { ...patient, identity: { id: 5, name: 'Okafor, Ada', mrn: 'MRN-417' } },
      },
      { ...device, id: 3, name: 'monitor 3', patient: { ...patient, isTrial: true } },
    ]);
    expect(row('monitor 1').getByText('East · Bed 4 · MRN …417')).toBeTruthy();
    expect(row('monitor 2').getByText('Okafor, Ada · East · Bed 4 · MRN MRN-417')).toBeTruthy();
    expect(row('monitor 3').getByText('Trial · East · Bed 4 · MRN …417')).toBeTruthy();
  });

  it('names the HL7 sender of a source, since sources of several senders may have one name', () => {
    const source = { ...device, name: 'HR', sender: 'North gateway' };
    show([source, { ...source, id: 2, sender: 'South gateway' }, { ...source, id: 3, name: 'North gateway' }]);
    const tokens = screen.getAllByText(/^None, comes by/).map(({ textContent }) => textContent);
    expect(tokens).toEqual(['None, comes by North gateway', 'None, comes by South gateway', 'None, comes by HL7']);
  });

  it('says what to do if there are no devices', () => {
    show([], inventedUser({ type: 'administrator', isAdmin: true }));
    expect(screen.getByText('No devices yet.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Add device' })).toBeTruthy();
  });

  it('has no accessibility violation, before and after the first response', async () => {
    const { container, unmount } = show(undefined);
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
    unmount();
    const loaded = show([device], inventedUser({ isAdmin: true }));
    await expect(axeViolations(loaded.container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});
