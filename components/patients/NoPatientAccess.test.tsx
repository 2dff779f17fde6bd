import { render, screen } from '@testing-library/react';
import { inventedUser } from '../../test/inventedWard';
import { NoPatientAccess } from './NoPatientAccess';

describe('NoPatientAccess', () => {
  it('says who is signed in and that people of this type see no patients', () => {
    render(<NoPatientAccess title="Patients" user={inventedUser({ type: 'technician' })} />);
    expect(
      screen.getByText('You are signed in as Ines Moreau, Technician. This type of user does not see patients.'),
    ).toBeTruthy();
  });
});
