import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { askForReport, type ReportStart } from '../../hooks/issueReporting';
import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { useChat } from '../../hooks/useChat';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { useIdle } from '../../hooks/useIdle';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import { useSidebar } from '../../hooks/useSidebar';
import { axeViolations } from '../../test/axeViolations';
import { expectConsole } from '../../test/expectConsole';
import type { Priority } from '../../lib/alerts/priority';
import { ApiFailure, call } from '../../lib/browser/client';
import { setTourStatus } from '../../lib/browser/tourRecord';
import type { UserType } from '../../lib/session/userTypes';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { inventedAlert } from '../../test/inventedAlert';
import { inventedUser } from '../../test/inventedWard';
import { AppShell } from './AppShell';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/patients' }) }));
jest.mock('../reports/ReportDrawer', () => ({
  ReportDrawer: ({ start }: { start: ReportStart }) => <p data-testid="report">{start.errorReportId}</p>,
}));
jest.mock('../../hooks/AlertStripProvider');
jest.mock('../../hooks/useChat');
jest.mock('../../hooks/useCurrentUser');
jest.mock('../../hooks/useIdle');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useServerLost');
jest.mock('../../hooks/useSidebar');
jest.mock('../../lib/browser/client', () => ({
  ...jest.requireActual<object>('../../lib/browser/client'),
  call: jest.fn(),
}));

const now = Date.parse('2026-07-07T14:00:05Z');
const user = inventedUser({ id: 1 });
const signOut = jest.fn<Promise<ApiFailure | null>, []>();
const toggle = jest.fn();

function show({
  serverLost = null,
  collapsed = true,
  insecure = false,
  demo = false,
  rulesAreOn = true,
  rulesOfPage = rulesAreOn,
  intendedUseChanged = false,
  isClockDoubted = false,
  isDiskLow = false,
  admin = false,
  chat = false,
  unread = 0,
  isBroken = false,
  awaited = [],
  type = 'nurse',
  page = <h1>Patients</h1>,
}: {
  serverLost?: number | null;
  collapsed?: boolean;
  insecure?: boolean;
  demo?: boolean;
  rulesAreOn?: boolean;
  /** The user for whom the page was rendered, if they have changed since. */
  rulesOfPage?: boolean;
  intendedUseChanged?: boolean;
  isClockDoubted?: boolean;
  isDiskLow?: boolean;
  admin?: boolean;
  chat?: boolean;
  unread?: number;
  /** True if the sidebar cannot be drawn. */
  isBroken?: boolean;
  /** The priorities of the open alerts, which no one has accepted. */
  awaited?: Priority[];
  type?: UserType;
  page?: ReactNode;
} = {}) {
  const of = (site: Partial<typeof user.site>) => ({
    ...inventedUser({ id: 1, isAdmin: admin, type }),
    site: { ...user.site, isDemo: demo, ...site },
  });
  jest.mocked(useCurrentUser).mockReturnValue({
    user: of({ rulesAreOn, intendedUseChanged, isClockDoubted, isDiskLow }),
    status: 'signedIn',
    lockedUser: null,
    lock: () => Promise.resolve(),
    unlock: () => Promise.resolve(null),
    refresh: () => Promise.resolve(),
    updateUserInfo: () => {},
    giveUpSignOut: () => Promise.resolve(),
    signOut,
  });
  jest.mocked(useChat).mockReturnValue({ status: 'off', client: null, unread, retry: () => {} });
  const idle = { beforeMs: 0, since: { monotonic: 0, wall: 0 } };
  jest.mocked(useIdle).mockReturnValue({ idle, noteInput: () => {} });
  jest.mocked(useNow).mockReturnValue(now);
  const raisedAt = '2026-07-07T13:59:00Z';
  const items = awaited.map((priority) => ({
    unit: 'West',
    bed: '1',
    isTrial: false,
    priority,
    raisedAt,
    owned: false,
  }));
  jest.mocked(useAlertStrip).mockReturnValue({ items, isOld: serverLost !== null });
  jest.mocked(useServerLost).mockReturnValue(serverLost);
  jest.mocked(useSidebar).mockImplementation(() => {
    if (isBroken) {
      throw new Error('A-1 is missing');
    }
    return { collapsed, toggle, open: () => {}, close: () => {} };
  });
  return render(
    <AppShell user={of({ rulesAreOn: rulesOfPage })} now={now} insecureTransport={insecure} hasChat={chat}>
      {page}
    </AppShell>,
  );
}

beforeEach(() => {
  localStorage.clear();
  setTourStatus(user.id, 'completed');
  askForReport(null);
  signOut.mockReset().mockResolvedValue(null);
  toggle.mockReset();
  jest.mocked(call).mockReset().mockResolvedValue({ items: [] });
});

describe('AppShell', () => {
  it('says once since when nothing is live, in the site’s time zone, and greys the values', () => {
    const { container } = show({ serverLost: now - 12_000 });
    expect(screen.getAllByText(/NOT LIVE/)).toHaveLength(1);
    expect(screen.getByText(/^NOT LIVE since 14:59:53/).closest('[role="alert"]')).not.toBeNull();
    expect(container.querySelector('[data-server-lost]')).not.toBeNull();
  });

  it('still says so if the page cannot be drawn', () => {
    expectConsole('error');
    function Broken(): never {
      throw new Error('A-1 is missing');
    }
    const { container } = show({
      serverLost: now - 12_000,
      page: (
        <ErrorBoundary resetKey="/patients">
          <Broken />
        </ErrorBoundary>
      ),
    });
    expect(screen.getByText(/^Something went wrong\. We have notified the Wardlight technical team/)).toBeTruthy();
    expect(screen.getByText(/^NOT LIVE since 14:59:53/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Dashboard' })).toBeTruthy();
    expect(container.querySelectorAll('main')).toHaveLength(1);
  });

  it('still says so if a part of the shell cannot be drawn', () => {
    expectConsole('error');
    show({ serverLost: now - 12_000, isBroken: true });
    expect(screen.getByText(/^Something went wrong\. We have notified the Wardlight technical team/)).toBeTruthy();
    expect(screen.getByText(/^NOT LIVE since 14:59:53/)).toBeTruthy();
  });

  it('offers to report a page that cannot be drawn, with the id of its error', async () => {
    expectConsole('error');
    show({ isBroken: true });
    const id = screen.getByText(/^[0-9a-f]{32}$/);
    const broken = within(id.closest<HTMLElement>('[role="alert"]') ?? document.body);
    await userEvent.click(broken.getByRole('button', { name: 'Report issue' }));
    expect((await screen.findByTestId('report')).textContent).toBe(id.textContent);
  });

  it('is silent while the server answers', () => {
    const { container } = show();
    expect(screen.queryByText(/NOT LIVE/)).toBeNull();
    expect(container.querySelector('[data-server-lost]')).toBeNull();
  });

  it('shows the site’s clock with the name of its time zone', () => {
    show();
    expect(screen.getByTitle('07 Jul 2026, Europe/London').textContent).toBe('07 Jul 2026 15:00:05 BST');
  });

  it('warns if the connection is not encrypted', () => {
    show({ insecure: true });
    expect(screen.getByText('Connection not encrypted.')).toBeTruthy();
  });

  it('says only on a demo ward that the patients are simulated', () => {
    const { unmount } = show();
    expect(screen.queryByText('Demo.')).toBeNull();
    unmount();
    show({ demo: true });
    expect(screen.getByText('Demo.').closest('p')?.textContent).toBe('Demo. All patients and readings are simulated.');
  });

  it('says that no alert will be raised while the rules are off, and leads administrators to their start', async () => {
    const { container, unmount } = show({ rulesAreOn: false });
    const bar = screen.getByText('No alerts will be raised.').closest('p');
    expect(bar?.textContent).toBe(
      'No alerts will be raised.Alert rules are off on this site: an administrator has to accept the intended use ' +
        'first.',
    );
    expect(within(bar ?? container).queryByRole('link')).toBeNull();
    expect(within(bar ?? container).queryByRole('button')).toBeNull();
    unmount();
    const { container: shell } = show({ rulesAreOn: false, admin: true });
    expect(screen.getByRole('link', { name: 'accepted the intended use' }).getAttribute('href')).toBe('/admin/site');
    await expect(axeViolations(shell)).resolves.toEqual([]);
  });

  it('shows a dash in the place of a number of alerts while the rules are off', () => {
    show({ rulesAreOn: false });
    expect(screen.getByRole('link', { name: 'None. The alert rules are off on this site.' }).textContent).toMatch(/^–/);
  });

  it('stops saying so once the rules are started, although the page is older', () => {
    show({ rulesOfPage: false, rulesAreOn: true });
    expect(screen.queryByText(/No alerts will be raised/)).toBeNull();
    expect(screen.getByRole('link', { name: 'No alert needs someone' }).textContent).toMatch(/^0/);
  });

  it('asks only administrators to accept an intended use that has changed', async () => {
    const { unmount } = show({ intendedUseChanged: true });
    expect(screen.queryByText(/The intended use has changed/)).toBeNull();
    unmount();
    const { container } = show({ intendedUseChanged: true, admin: true });
    expect(
      screen.getByText('The intended use has changed since your site accepted it:').closest('p')?.textContent,
    ).toBe(
      'The intended use has changed since your site accepted it: read it and accept it again. ' +
        'The alert rules keep running.',
    );
    expect(screen.getByRole('link', { name: 'accept it again' }).getAttribute('href')).toBe('/admin/site');
    await expect(axeViolations(container)).resolves.toEqual([]);
  });

  it('asks only administrators to look at a clock of the server that may be wrong', async () => {
    const { unmount } = show({ isClockDoubted: true });
    expect(screen.queryByText(/The server’s clock may be wrong/)).toBeNull();
    unmount();
    const { container } = show({ isClockDoubted: true, admin: true });
    expect(screen.getByText(/The server’s clock may be wrong by more than a day/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'look at it' }).getAttribute('href')).toBe('/admin/site');
    await expect(axeViolations(container)).resolves.toEqual([]);
  });

  it('asks only administrators to have room made on a disk that is nearly full', () => {
    const { unmount } = show({ isDiskLow: true });
    expect(screen.queryByText(/The disk of the server/)).toBeNull();
    unmount();
    show({ isDiskLow: true, admin: true });
    expect(screen.getByText('The disk of the server is nearly full.')).toBeTruthy();
  });

  it('shows how many alerts wait, to users who can go to them', () => {
    const { unmount } = show({ awaited: ['medium', 'high', 'low'] });
    const header = within(screen.getByRole('banner'));
    expect(header.getByRole('link', { name: '2 alerts need someone' }).getAttribute('href')).toBe('/dashboard');
    expect(screen.getByRole('link', { name: 'Dashboard 2 alerts need someone' })).toBeTruthy();
    unmount();
    show({ awaited: ['high'], type: 'technician' });
    expect(screen.queryByText(/need someone/)).toBeNull();
  });

  it('shows no sections to users who see no patients but their own', () => {
    show({ type: 'administrator', admin: true });
    const sections = within(screen.getByRole('navigation', { name: 'Sections' }));
    expect(sections.getAllByRole('link').map((link) => link.textContent)).toEqual(['Issue reports', 'Chat', 'Admin']);
  });

  it('says what Wardlight is not', () => {
    show();
    expect(
      within(screen.getByRole('contentinfo')).getByText(/not a primary alarm and not a certified medical device/),
    ).toBeTruthy();
  });

  it.each([
    [true, 'Open the sidebar', 'false'],
    [false, 'Collapse', 'true'],
  ])('folds and opens the sidebar (folded: %s)', async (collapsed, name, expanded) => {
    show({ collapsed });
    const button = screen.getByRole('button', { name });
    expect(button.getAttribute('aria-expanded')).toBe(expanded);
    await userEvent.click(button);
    expect(toggle).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('link', { name: 'Patients' }).getAttribute('aria-current')).toBe('page');
  });

  it('leads to the dashboard first, then to the patients, then to the devices', () => {
    show();
    const sections = within(screen.getByRole('navigation', { name: 'Sections' }));
    expect(sections.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Dashboard', '/dashboard'],
      ['Patients', '/patients'],
      ['Alert history', '/alerts'],
      ['Assignments', '/assignments'],
      ['Handoffs', '/handovers'],
      ['Issue reports', '/reports'],
      ['Devices', '/admin/devices'],
    ]);
  });

  it.each([
    ['nurse', 1],
    ['administrator', 0],
  ] as const)('offers a %s to report an issue in the sidebar and in the menu', (type, count) => {
    show({ type, admin: true });
    const sections = within(screen.getByRole('navigation', { name: 'Sections' }));
    expect(sections.queryAllByRole('button', { name: 'Report issue' })).toHaveLength(count);
    expect(screen.queryAllByText('Report issue')).toHaveLength(2 * count);
  });

  it('leads only administrators to the administration', () => {
    show({ admin: true });
    const sections = within(screen.getByRole('navigation', { name: 'Sections' }));
    expect(sections.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Dashboard',
      'Patients',
      'Alert history',
      'Assignments',
      'Handoffs',
      'Issue reports',
      'Chat',
      'Admin',
    ]);
  });

  it('shows unread chat messages, and opens the chat beside the page', async () => {
    show({ chat: true, unread: 3 });
    expect(screen.getByRole('link', { name: 'Chat 3 unread' }).getAttribute('href')).toBe('/chat');
    const button = screen.getByRole('button', { name: 'Chat 3 unread' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(button);
    expect(document.activeElement).toBe(await screen.findByRole('heading', { name: 'Chat' }));
    // NOT LIVE and the other banners come before it and are not covered.
    expect(screen.getByRole('complementary', { name: 'Chat' }).closest('[role="dialog"]')).toBeNull();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('complementary', { name: 'Chat' })).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  it('shows a chat that is not set up only to users who can set it up', () => {
    const { unmount } = show();
    expect(screen.queryByText('Chat')).toBeNull();
    unmount();
    show({ admin: true });
    expect(screen.getByRole('link', { name: 'Chat' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Chat' })).toBeNull();
  });

  it('says that the user is still signed in if the server refuses to sign out', async () => {
    signOut.mockResolvedValue(new ApiFailure('forbidden', 'Try again.', { status: 403 }));
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Sign out', hidden: true }));
    expect(screen.getByText('You are still signed in. Try again.')).toBeTruthy();
  });

  it('names the alerts that the user holds, and to whom they go, before it signs out', async () => {
    const bea = { id: 2, name: 'Bea Buddy' };
    const step = { step: 1, at: '2026-07-07T14:00:00Z', roles: ['buddy' as const], unheld: [], wholeUnit: false };
    const alert = inventedAlert(7, { headline: 'SpO2 86 % < 88 %' });
    const asked = [{ ...step, users: [bea], contact: null }];
    const unheard = { ...step, users: [bea], contact: null, nobodyPresent: true };
    const items = [
      { ...alert, escalation: { ...alert.escalation, asked } },
      { ...alert, id: 8, escalation: { ...alert.escalation, asked: [unheard] } },
    ];
    jest.mocked(call).mockResolvedValue({ items });
    signOut.mockResolvedValue(null);
    show();
    const press = (name: string) => userEvent.click(screen.getByRole('button', { name, hidden: true }));
    await press('Sign out');
    expect(screen.getByText(/^You hold these alerts/).textContent).toMatch(
      /buddy Bea Buddy: .+, MRN .+\. SpO2 86 % < 88 %no one, because no one else is present: .+$/,
    );
    expect(signOut).not.toHaveBeenCalled();
    await press('Sign out anyway');
    expect(signOut).toHaveBeenCalledTimes(1);
  });

  it('signs out at once if the server does not say what the user holds', async () => {
    jest.mocked(call).mockReturnValue(new Promise(() => {}));
    signOut.mockResolvedValue(null);
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Sign out', hidden: true }));
    await waitFor(() => expect(signOut).toHaveBeenCalledTimes(1));
  });

  it('changes to night at once and keeps the choice', async () => {
    show();
    await userEvent.click(screen.getByLabelText('Night'));
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(localStorage.getItem('theme')).toBe('dark');
    await userEvent.click(screen.getByLabelText('Match system'));
    expect(document.documentElement.dataset.theme).toBe('light');
  });

  it('has no accessibility violation', async () => {
    const { container } = show({ serverLost: now - 12_000, collapsed: false });
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});
