import { render, screen } from '@testing-library/react';
import { inventedUser } from '../../test/inventedWard';
import { NoPatientAccess } from './NoPatientAccess';

describe('NoPatientAccess', () => {
  it('says who is signed in and that this role sees no patients', () => {
    render(<NoPatientAccess title="Patients" user={inventedUser({ type: 'technician' })} />);
    expect(
      screen.getByText('You are signed in as Ines Moreau, Technician. This role does not see patients.'),
    ).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('says to a user whose account waits for confirmation who can give it', () => {
    render(<NoPatientAccess title="Start" user={inventedUser({ isAdmin: true, awaitsConfirmation: true })} />);
    expect(screen.getByText('Your account waits for confirmation.')).toBeTruthy();
    expect(screen.getByText(/Ask a ward lead, a physician or another administrator/)).toBeTruthy();
    expect(screen.queryByText(/This role does not see patients/)).toBeNull();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('links to the administration for those who manage the users', () => {
    render(<NoPatientAccess title="Start" user={inventedUser({ type: 'administrator', isAdmin: true })} />);
    expect(screen.getByRole('link', { name: 'Administration' }).getAttribute('href')).toBe('/admin/users');
  });
});
