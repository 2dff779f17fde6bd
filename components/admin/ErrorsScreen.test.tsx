import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { clientFailure } from '../../lib/browser/client';
import type { ErrorReport, ErrorReports } from '../../lib/monitoring/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, setReads } from '../../test/calls';
import { inventedUser, wardNow } from '../../test/inventedWard';
import { ErrorsScreen } from './ErrorsScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/errors' }) }));
jest.mock('../../hooks/useRead');

const admin = inventedUser({ id: 7, isAdmin: true });
const often: ErrorReport = {
  source: 'page',
  release: 'wardlight@0.1.0',
  page: '/patients',
  name: 'TypeError',
  message: 'Cannot read properties of undefined',
  place: '/_next/static/chunks/x.js:1:512',
  count: 12,
  first: '2026-03-07T14:05:09.000Z',
  last: '2026-03-08T09:00:00.000Z',
  reports: ['ab12'.padEnd(32, '0'), 'cd34'.padEnd(32, '0')],
};
const once: ErrorReport = {
  ...often,
  source: 'server',
  page: '/api/v2/patients/:id',
  name: 'Error',
  count: 1,
  first: often.last,
  reports: [],
};

function show(data: ErrorReports | undefined, error?: ReturnType<typeof clientFailure>) {
  const isLoading = data === undefined && error === undefined;
  setReads({ listErrors: { ...answered(data), error, isLoading, asOf: data === undefined ? null : wardNow } });
  return render(<ErrorsScreen user={admin} />);
}
const kept = (...items: ErrorReport[]): ErrorReports => ({ items, total: items.length, isPassedOn: false });

describe('ErrorsScreen', () => {
  it('says that errors are loading, and that they could not be read', () => {
    const { unmount } = show(undefined);
    expect(screen.getByRole('status', { name: 'The errors are loading' })).toBeTruthy();
    unmount();
    const failure = clientFailure('unreadable_response');
    show(undefined, failure);
    expect(screen.getByText(failure.message, { exact: false })).toBeTruthy();
  });

  it('says when, what, in which release, how often and on which page', async () => {
    const { container } = show(kept(often, once));
    const rows = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent);
    expect(rows[0]).toMatch(/since/);
    for (const part of [
      'TypeError: Cannot read properties of undefined',
      'x.js:1:512',
      '/patients',
      '12',
      'wardlight@0.1.0',
      'ab12',
    ]) {
      expect(rows[0]).toContain(part);
    }
    expect(rows[1]).toContain('on the server');
    expect(rows[1]).not.toMatch(/since/);
    await expect(axeViolations(container)).resolves.toEqual([]);
  });

  it('finds a report by the id that a user reads out, also if it is not the newest of its kind', async () => {
    const pointer = userEvent.setup();
    show(kept(often, once));
    const field = screen.getByLabelText('Report ID');
    await pointer.type(field, 'CD 34');
    expect(screen.getAllByRole('row')).toHaveLength(2);
    await pointer.clear(field);
    await pointer.type(field, 'ef');
    expect(screen.getByText('No error has this report')).toBeTruthy();
    await pointer.click(screen.getByRole('button', { name: 'Show all errors' }));
    expect(screen.getAllByRole('row')).toHaveLength(3);
  });

  it('says that there are no errors, or that reports go elsewhere', () => {
    const { unmount } = show(kept());
    expect(screen.getByText('No errors recorded')).toBeTruthy();
    unmount();
    show({ items: [], total: 0, isPassedOn: true });
    expect(screen.getByText(/the receiver in SENTRY_DSN/)).toBeTruthy();
  });
});
