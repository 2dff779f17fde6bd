import { render, screen } from '@testing-library/react';
import { NoPatientAccess } from './NoPatientAccess';

describe('NoPatientAccess', () => {
  it('says who is signed in and that people of this type see no patients', () => {
    render(
      <NoPatientAccess
        title="Patients"
        user={{
          id: 1,
          fname: 'Ines',
          lname: 'Moreau',
          email: 'ines@ward.test',
          username: 'ines@ward.test',
          siteId: 1,
          userImage: null,
          type: 'technician',
          isAdmin: false,
          site: { name: 'Harbour Ward', timeZone: 'Europe/London', isDemo: false },
        }}
      />,
    );
    expect(screen.getByText('You are signed in as Ines Moreau, Technician. People of this type do not see patients.')).toBeTruthy();
  });
});
