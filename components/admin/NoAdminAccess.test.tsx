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
});
