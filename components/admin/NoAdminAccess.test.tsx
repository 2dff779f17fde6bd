import { render, screen } from '@testing-library/react';
import { inventedUser } from '../../test/inventedWard';
import { NoAdminAccess } from './NoAdminAccess';

describe('NoAdminAccess', () => {
  it('says who is signed in and who may open the page', () => {
    render(<NoAdminAccess title="Users" user={inventedUser({ type: 'ward_lead' })} />);
    expect(screen.getByRole('heading', { level: 1, name: 'Users' })).toBeTruthy();
    expect(
      screen.getByText('You are signed in as Ines Moreau, Ward lead. This page is for administrators of the site.'),
    ).toBeTruthy();
  });

  it('says to the administrator of a demo why it gets no further sites', () => {
    const user = inventedUser({ type: 'administrator', isAdmin: true });
    const { rerender } = render(<NoAdminAccess title="Sites" user={user} isOfInstallation />);
    expect(screen.getByText(/This page is for administrators of the first site of this installation\./)).toBeTruthy();
    rerender(<NoAdminAccess title="Sites" user={{ ...user, site: { ...user.site, isDemo: true } }} isOfInstallation />);
    expect(screen.getByText(/This installation is a demo ward, which gets no further sites\./)).toBeTruthy();
  });
});
