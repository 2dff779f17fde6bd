import { render, screen, within } from '@testing-library/react';
import { expectConsole } from '../../test/expectConsole';
import { handOver } from '../../lib/monitoring/pageErrors';
import { ErrorBoundary } from './ErrorBoundary';

function Broken(): never {
  throw new Error('MRN-1001 is missing');
}

describe('ErrorBoundary', () => {
  it('shows the fixed message instead of a page that cannot be rendered', () => {
    expectConsole('error');
    render(
      <ErrorBoundary resetKey="/patients">
        <Broken />
      </ErrorBoundary>,
    );
    expect(within(screen.getByRole('alert')).getAllByRole('paragraph')[0]?.textContent).toBe(
      'Something went wrong. ' +
        'We have notified the Wardlight technical team and they have already started investigating.',
    );
    expect(screen.getByRole('img', { name: 'Wardlight' })).toBeTruthy();
  });

  it('reports it under the id that it shows, and offers to load the page again', () => {
    const lines = expectConsole('error');
    const sent: [unknown, string][] = [];
    handOver({
      send: (error, id) => {
        sent.push([error, id]);
      },
      setUser: () => undefined,
    });
    // The error of the test before waited for a receiver.
    sent.length = 0;
    render(
      <ErrorBoundary resetKey="/patients">
        <Broken />
      </ErrorBoundary>,
    );
    expect(sent).toEqual([[expect.objectContaining({ message: 'MRN-1001 is missing' }), expect.any(String)]]);
    expect(screen.getByText(sent[0]?.[1] ?? 'nothing was sent')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy();
    expect(lines).toContainEqual(['A page could not be drawn']);
  });

  it('tries again on another page', () => {
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
