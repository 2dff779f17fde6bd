import { render, screen } from '@testing-library/react';
import { expectConsole } from '../../test/expectConsole';
import { ErrorBoundary } from './ErrorBoundary';

function Broken(): never {
  throw new Error('MRN-1001 is missing');
}

describe('ErrorBoundary', () => {
  it('shows the fixed message in the place of a page that cannot be drawn', () => {
    expectConsole('error');
    render(
      <ErrorBoundary resetKey="/patients">
        <Broken />
      </ErrorBoundary>,
    );
    expect(screen.getByRole('alert').textContent).toBe(
      'Something went wrong. We have notified the Wardlight technical team and they have already started investigating.',
    );
    expect(screen.getByRole('img', { name: 'Wardlight' })).toBeTruthy();
  });

  it('gives another page a new try', () => {
    expectConsole('error');
    const { rerender } = render(
      <ErrorBoundary resetKey="/patients">
        <Broken />
      </ErrorBoundary>,
    );
    rerender(<ErrorBoundary resetKey="/patient_details?ids=1">drawn</ErrorBoundary>);
    expect(screen.getByText('drawn')).toBeTruthy();
  });
});
