import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AsyncView, type ViewState } from './AsyncView';

const asOf = Date.parse('2026-03-07T15:00:05Z');
const answered: ViewState<string[]> = {
  data: ['Ada'],
  error: undefined,
  isRefreshing: false,
  asOf,
  refresh: () => {},
};

function show(answer: Partial<ViewState<string[]>>, isFailureShownOutside?: boolean): void {
  render(
    <AsyncView
      answer={{ ...answered, ...answer }}
      isEmpty={(names) => names.length === 0}
      skeleton={<p>skeleton</p>}
      empty={() => <p>no patients</p>}
      timeZone="Europe/London"
      isFailureShownOutside={isFailureShownOutside}
    >
      {(names) => <p>{names.join()}</p>}
    </AsyncView>,
  );
}

describe('AsyncView', () => {
  it('keeps old data when a refresh fails, and marks them with their time', () => {
    show({ error: { message: 'The server cannot be reached.' } });
    expect(screen.getByRole('status').textContent).toContain(
      'Old data: as it was at 15:00:05. The server cannot be reached.',
    );
    expect(screen.getByText('Ada').closest('[data-old]')).not.toBeNull();
  });

  it('marks old data and says nothing if the failure is shown outside', () => {
    show({ error: { message: 'The server cannot be reached.' } }, true);
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.getByText('Ada').closest('[data-old]')).not.toBeNull();
  });

  it('does not invent a time for data that came with the page', () => {
    show({ error: { message: 'The server cannot be reached.' }, asOf: null });
    expect(screen.getByRole('status').textContent).toContain('Old data. The server');
  });

  it('says that nothing could be loaded if there are no old data', () => {
    show({ data: undefined, error: { message: 'The server cannot be reached.' } });
    expect(screen.getByRole('status').textContent).toContain('This could not be loaded. The server cannot be reached.');
    expect(screen.queryByText('skeleton')).toBeNull();
  });

  it.each([
    ['refused', { code: 'forbidden', status: 403 }],
    ['could not be read', { code: 'unreadable_response', status: 200 }],
  ])('offers to sign in again when the answer %s', (_, failure) => {
    show({ error: { message: 'No.', ...failure } });
    expect(screen.getByRole('link', { name: 'Sign in again' }).getAttribute('href')).toBe('/sign_in');
  });

  it.each([
    ['cannot be reached', { code: 'unreachable', status: null }],
    ['failed', { code: 'internal', status: 500 }],
  ])('offers another try only when the server %s', (_, failure) => {
    show({ error: { message: 'No.', ...failure } });
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('tries again on request', async () => {
    const refresh = jest.fn();
    show({ error: { message: 'The server cannot be reached.' }, refresh });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it('shows the skeleton until data arrive', () => {
    show({ data: undefined });
    expect(screen.getByText('skeleton')).toBeTruthy();
  });

  it('says what to do next if there are no data', () => {
    show({ data: [] });
    expect(screen.getByText('no patients')).toBeTruthy();
  });

  it('does not change data while they are refreshed', () => {
    show({ isRefreshing: true });
    expect(screen.getByText('Ada').closest('[data-old]')).toBeNull();
    expect(screen.getByRole('status').textContent).toBe('');
  });
});
