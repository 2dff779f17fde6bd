import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedUser, secondsAgo } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { AddSiteDrawer } from './AddSiteDrawer';
import { AdminNavigation } from './AdminNavigation';
import { InviteToSiteDrawer } from './InviteToSiteDrawer';
import { SitesScreen } from './SitesScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/sites' }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');

const addSite = callMock<'addSite'>();
const inviteToSite = callMock<'inviteToSite'>();
const made = { link: 'https://ward.test/sign_up#invitation=x', expiresAt: secondsAgo(-3_600), mailed: false };
const operator = inventedUser({ type: 'administrator', isAdmin: true, administersInstallation: true });

function prepare(): void {
  addSite.mockReset().mockResolvedValue(made);
  setCalls({ addSite, inviteToSite });
  const site = { timeZone: 'Europe/London', createdAt: secondsAgo(60) };
  const items = [
    { ...site, id: 1, name: 'Harbour Ward', users: 12 },
    { ...site, id: 2, name: 'North ward', timeZone: 'America/New_York', users: 0 },
  ];
  setReads({ listSites: answered({ items, total: 2 }) });
}
function showDrawer() {
  prepare();
  return render(<AddSiteDrawer timeZone="Europe/London" onClose={() => undefined} />);
}
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Add site' }));
async function fill(): Promise<void> {
  await writeInto(screen.getByLabelText('Name'), 'West ward');
  await writeInto(screen.getByLabelText('E-mail of its first administrator'), 'ann@ward.test');
}

describe('SitesScreen', () => {
  it('lists each site with its zone and number of users, and marks the user’s own', () => {
    prepare();
    render(<SitesScreen user={operator} />);
    const cells = (name: RegExp) =>
      within(screen.getByRole('row', { name }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    expect(cells(/^Harbour Ward \(yours\)/).slice(-2)).toEqual(['12', '']);
    expect(cells(/^North ward/).at(0)).toBe('America/New York');
    expect(cells(/^North ward/).slice(-2)).toEqual(['None yet', 'Invite again']);
  });

  it('is linked only for administrators of the installation', () => {
    const { rerender } = render(<AdminNavigation user={operator} />);
    expect(screen.getByRole('link', { name: 'Sites' })).toBeTruthy();
    rerender(<AdminNavigation user={inventedUser({ type: 'administrator', isAdmin: true })} />);
    expect(screen.queryByRole('link', { name: 'Sites' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Site' })).toBeTruthy();
  });

  it('has no accessibility violation', async () => {
    prepare();
    const { container } = render(<SitesScreen user={operator} />);
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});

describe('InviteToSiteDrawer', () => {
  it('invites to a site without users, and shows the link', async () => {
    prepare();
    inviteToSite.mockReset().mockResolvedValue(made);
    const site = { id: 2, name: 'North ward', timeZone: 'Europe/London', createdAt: secondsAgo(60), users: 0 };
    const { baseElement } = render(
      <InviteToSiteDrawer site={site} timeZone="Europe/London" onClose={() => undefined} />,
    );
    await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
    await writeInto(screen.getByLabelText('E-mail of its first administrator'), 'bo@ward.test');
    await userEvent.click(screen.getByRole('button', { name: 'Create invitation' }));
    await expect(
      screen.findByLabelText('Invitation for bo@ward.test as administrator of North ward'),
    ).resolves.toBeTruthy();
    expect(inviteToSite).toHaveBeenCalledWith({ body: { siteId: 2, adminEmail: 'bo@ward.test' } });
  });
});

describe('AddSiteDrawer', () => {
  it('shows the link once, says that it opens no patients, and begins the next site with another id', async () => {
    showDrawer();
    for (const times of [1, 2]) {
      await fill();
      await submit();
      await waitFor(() => expect(addSite).toHaveBeenCalledTimes(times));
      const box = await screen.findByLabelText('Invitation for ann@ward.test as administrator of West ward');
      expect((box as HTMLInputElement).value).toBe(made.link);
      expect(screen.getByText(/It gives no access to patients\./)).toBeTruthy();
      expect(screen.queryByText(/has to confirm the account/)).toBeNull();
    }
    const [first, second] = addSite.mock.calls.map(([{ body }]) => body);
    expect(first).toMatchObject({ name: 'West ward', timeZone: 'Europe/London', adminEmail: 'ann@ward.test' });
    expect(first?.clientId).not.toBe(second?.clientId);
  });

  it('keeps what was typed and the id of a site whose response was lost', async () => {
    showDrawer();
    addSite.mockRejectedValueOnce(new ApiFailure('network', 'The server did not answer.'));
    await fill();
    await submit();
    await expect(screen.findByText('Not added. The server did not answer.')).resolves.toBeTruthy();
    await submit();
    await waitFor(() => expect(addSite).toHaveBeenCalledTimes(2));
    const [first, second] = addSite.mock.calls.map(([{ body }]) => body);
    expect(second).toEqual(first);
  });

  it('shows at the field that another site has the name', async () => {
    showDrawer();
    addSite.mockRejectedValueOnce(
      new ApiFailure('site_exists', 'This installation has a site of that name.', {
        status: 409,
        fields: { name: 'is the name of another site' },
      }),
    );
    await fill();
    await submit();
    await expect(screen.findByText('Name is the name of another site')).resolves.toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('West ward');
  });

  it('has no accessibility violation', async () => {
    const { baseElement } = showDrawer();
    await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
  });
});
