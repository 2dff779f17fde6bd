import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import type { AuditEntry } from '../../lib/audit/schema';
import type { BreakGlassNotice } from '../../lib/breakGlass/schema';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import type { ListedDevice } from '../../lib/devices/schema';
import type { ErrorReport, ErrorReports } from '../../lib/monitoring/schema';
import type { User } from '../../lib/session/schema';
import { chooseOption } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { AddSiteDrawer } from './AddSiteDrawer';
import { AdminNavigation } from './AdminNavigation';
import { AuditScreen } from './AuditScreen';
import { DevicesScreen } from './DevicesScreen';
import { EmergencyAccessScreen } from './EmergencyAccessScreen';
import { EmergencyNotice } from './EmergencyNotice';
import { ErrorsScreen } from './ErrorsScreen';
import { InviteToSiteDrawer } from './InviteToSiteDrawer';
import { NoAdminAccess } from './NoAdminAccess';
import { SitesScreen } from './SitesScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/audit' }) }));
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useNow');

describe('AuditScreen', () => {
  const admin = inventedUser({ id: 7, isAdmin: true });
  const look: AuditEntry = {
    id: 12,
    at: '2026-03-07T14:05:09.000Z',
    actor: 'user',
    actorId: 3,
    actorName: 'Sam Staff',
    action: 'read_patient',
    objectType: 'patient',
    objectId: 5,
    about: 'Sample5 S., M1',
    outcome: 'done',
    details: {},
    names: {},
    ip: '10.0.0.7',
  };
  const refusal: AuditEntry = {
    ...look,
    id: 11,
    action: 'refused_call',
    objectType: null,
    objectId: null,
    about: null,
    outcome: 'refused',
    details: { route: 'GET /api/v2/patients/:id', code: 'not_found' },
  };
  const sealed: AuditEntry = {
    ...look,
    id: 9,
    actorId: null,
    actorName: null,
    action: 'refused_subject',
    outcome: 'refused',
    details: { route: 'GET /api/v2/patients/:id' },
    ip: null,
  };
  const unknown: AuditEntry = {
    ...look,
    id: 10,
    actor: 'anonymous',
    actorName: null,
    action: 'sign_in',
    objectType: null,
    objectId: null,
    about: null,
    outcome: 'refused',
  };

  function show(items: AuditEntry[], user = admin, next: string | null = '1-10') {
    setReads({
      listAudit: answered({ items, next }),
      listAuditPeople: answered({ items: [{ id: 3, name: 'Sam Staff' }] }),
    });
    return render(<AuditScreen user={user} />);
  }
  const asked = (): unknown => {
    const last = jest.mocked(useRead).mock.calls.findLast(([name]) => name === 'listAudit');
    return last?.[1] !== undefined && 'query' in last[1] ? last[1].query : undefined;
  };

  afterEach(() => {
    jest.useRealTimers();
  });

  it('says in plain words who did what to whom', async () => {
    const { container } = show([look, refusal, unknown, sealed]);
    const rows = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent);
    expect(rows[0]).toContain('Sam StaffLooked at a patientSample5 S., M1');
    expect(rows[1]).toContain('Was refused');
    expect(rows[1]).toContain('code: not_found');
    expect(rows[2]).toContain('Not signed inSigned in (refused)');
    expect(rows[3]).toContain('A user of another siteWas refused a call about thisSample5 S., M1');
    await expect(axeViolations(container)).resolves.toEqual([]);
  });

  it('filters by person, action, patient and day of the site, and starts at the newest entry', async () => {
    const pointer = userEvent.setup();
    show([look]);
    await pointer.click(screen.getByRole('button', { name: 'Next Page' }));
    expect(asked()).toEqual({ before: '1-10' });
    await chooseOption(screen.getByLabelText('Person'), 'Sam Staff');
    expect(asked()).toEqual({ actor: '3' });
    await pointer.type(screen.getByLabelText('What'), 'looked at a p');
    await chooseOption(screen.getByLabelText('What'), 'Looked at a patient');
    await pointer.click(screen.getByRole('button', { name: 'Sample5 S., M1' }));
    await pointer.type(screen.getByLabelText('To'), '2026-03-07{Enter}');
    expect(screen.getByLabelText('To')).toHaveProperty('value', '07 Mar 2026');
    expect(asked()).toMatchObject({
      actor: '3',
      action: 'read_patient',
      patientId: '5',
      to: expect.stringMatching(/^2026-03-0[78]T/) as unknown,
    });
    expect(screen.getByRole('link', { name: 'Export as CSV' }).getAttribute('href')).toContain(
      'actor=3&action=read_patient',
    );
    await pointer.click(screen.getByRole('button', { name: /Patient 5 only/ }));
    expect(asked()).not.toHaveProperty('patientId');
  });

  it('takes today and the days of its filters from the site’s time zone', async () => {
    // Real timers: only the date is set.
    const timers = [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'setImmediate',
      'clearImmediate',
    ] as const;
    const others = [
      'nextTick',
      'queueMicrotask',
      'performance',
      'requestAnimationFrame',
      'cancelAnimationFrame',
    ] as const;
    jest.useFakeTimers({ now: Date.parse('2026-03-07T11:30:00Z'), doNotFake: [...timers, ...others] });
    const { site } = admin;
    show([look], { ...admin, site: { ...site, timeZone: 'Pacific/Auckland' } });
    await userEvent.click(screen.getByLabelText('From'));
    expect(document.querySelector('.ant-picker-cell-today')?.getAttribute('title')).toBe('2026-03-08');
    await userEvent.click(screen.getByText('Today'));
    expect(asked()).toEqual({ from: '2026-03-07T11:00:00.000Z' });
  });

  it('begins the weeks of its calendar on Monday', async () => {
    show([look]);
    await userEvent.click(screen.getByLabelText('From'));
    const [first] = document.querySelectorAll('.ant-picker-content th');
    expect(first?.textContent).toBe('Mo');
    const [day] = document.querySelectorAll('.ant-picker-cell');
    expect(new Date(`${day?.getAttribute('title') ?? ''}T12:00:00Z`).getUTCDay()).toBe(1);
  });

  it('turns to older pages and back', async () => {
    const pointer = userEvent.setup();
    show([look]);
    expect(screen.getByRole('button', { name: 'Previous Page' })).toHaveProperty('disabled', true);
    await pointer.click(screen.getByRole('button', { name: 'Next Page' }));
    await pointer.click(screen.getByRole('button', { name: 'Previous Page' }));
    expect(asked()).toEqual({});
  });

  it('offers the export only to administrators, and says to others whose actions they see', () => {
    show([], inventedUser({ type: 'nurse' }), null);
    expect(screen.queryByRole('link', { name: 'Export as CSV' })).toBeNull();
    expect(screen.getByText(/Your own actions/)).toBeTruthy();
    expect(screen.getByText('No entries match these filters')).toBeTruthy();
  });
});

describe('EmergencyAccessScreen', () => {
  const notice: BreakGlassNotice = {
    id: 1,
    name: 'Nia Newcomer',
    type: 'nurse',
    reason: 'A cardiac arrest next door',
    startedAt: '2026-03-07T14:30:00.000Z',
    endsAt: '2026-03-07T15:30:00.000Z',
    seenAt: null,
    seenBy: null,
  };
  const old: BreakGlassNotice = {
    ...notice,
    id: 2,
    startedAt: '2026-03-04T14:30:00.000Z',
    endsAt: '2026-03-04T14:40:00.000Z',
  };
  const seen: BreakGlassNotice = {
    ...old,
    id: 3,
    name: 'Ola Ekberg',
    seenAt: '2026-03-05T09:00:00.000Z',
    seenBy: 'Robin Reed',
  };
  const see = jest.fn<Promise<null>, [{ params: { id: string | number } }]>();

  function show(items: BreakGlassNotice[]) {
    jest.mocked(useNow).mockReturnValue(wardNow);
    const unseen = items.filter(({ seenAt }) => seenAt === null).length;
    setCalls({ seeBreakGlass: see });
    setReads({ listBreakGlass: answered({ items, total: items.length, unseen }) });
    return render(
      <EmergencyAccessScreen user={inventedUser({ type: 'administrator', isAdmin: true })} now={wardNow} />,
    );
  }
  const row = (index: number) => within(screen.getAllByRole('row')[index] ?? document.body);

  beforeEach(() => {
    see.mockReset().mockResolvedValue(null);
  });

  it('says who, when and why, and which uses are still open or have waited too long', () => {
    show([notice, old, seen]);
    expect(row(1).getByText('Nia Newcomer')).toBeTruthy();
    expect(row(1).getByText('A cardiac arrest next door')).toBeTruthy();
    expect(row(1).getByText('15:30, still open')).toBeTruthy();
    expect(row(1).queryByText(/72 hours/)).toBeNull();
    expect(row(2).getByText('Waiting for more than 72 hours')).toBeTruthy();
    expect(row(3).getByText('Robin Reed, 05 Mar, 09:00')).toBeTruthy();
    expect(row(3).queryByRole('button')).toBeNull();
  });

  it('marks one as reviewed, and says if another administrator has to do it', async () => {
    see.mockRejectedValueOnce(
      new ApiFailure('own_emergency', 'This was you. Another administrator has to look at it.', { status: 409 }),
    );
    show([notice]);
    const button = screen.getByRole('button', { name: 'Mark as reviewed: access of Nia Newcomer, 07 Mar, 14:30' });
    await userEvent.click(button);
    expect(screen.getByText('Not saved. This was you. Another administrator has to look at it.')).toBeTruthy();
    await userEvent.click(button);
    const input = { params: { id: 1 } };
    expect(see.mock.calls).toEqual([[input], [input]]);
  });

  it('says on the first page of administration how many uses wait for review, and nothing if none does', () => {
    const { unmount } = show([notice, old, seen]);
    unmount();
    const { container, rerender } = render(<EmergencyNotice />);
    expect(screen.getByText('2 uses of emergency access wait for review.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Review' }).getAttribute('href')).toBe('/admin/emergency_access');
    show([seen]);
    rerender(<EmergencyNotice />);
    expect(container.textContent).toBe('');
  });

  it('says that it has not been used', () => {
    show([]);
    expect(screen.getByText('Emergency access has not been used.')).toBeTruthy();
  });

  it('has no accessibility violation', async () => {
    const { container } = show([notice, seen]);
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});

describe('ErrorsScreen', () => {
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

describe('SitesScreen', () => {
  const addSite = callMock<'addSite'>();
  const inviteToSite = callMock<'inviteToSite'>();
  const made = { link: 'https://ward.test/sign_up#invitation=x', expiresAt: secondsAgo(-3_600), mailed: false };
  const operator = inventedUser({ type: 'administrator', isAdmin: true, administersInstallation: true });

  function prepare(): void {
    addSite.mockReset().mockResolvedValue(made);
    setCalls({ addSite, inviteToSite });
    const site = { timeZone: 'Europe/London', createdAt: secondsAgo(60) };
    const items = [
      { ...site, id: 1, name: 'Harbour Ward', users: 12 },
      { ...site, id: 2, name: 'North ward', timeZone: 'America/New_York', users: 0 },
    ];
    setReads({ listSites: answered({ items, total: 2 }) });
  }
  function showDrawer() {
    prepare();
    return render(<AddSiteDrawer timeZone="Europe/London" onClose={() => undefined} />);
  }
  const submit = () => userEvent.click(screen.getByRole('button', { name: 'Add site' }));
  async function fill(): Promise<void> {
    await writeInto(screen.getByLabelText('Name'), 'West ward');
    await writeInto(screen.getByLabelText('E-mail of its first administrator'), 'ann@ward.test');
  }

  describe('SitesScreen', () => {
    it('lists each site with its zone and number of users, and marks the user’s own', () => {
      prepare();
      render(<SitesScreen user={operator} />);
      const cells = (name: RegExp) =>
        within(screen.getByRole('row', { name }))
          .getAllByRole('cell')
          .map(({ textContent }) => textContent);
      expect(cells(/^Harbour Ward \(yours\)/).slice(-2)).toEqual(['12', '']);
      expect(cells(/^North ward/).at(0)).toBe('America/New York');
      expect(cells(/^North ward/).slice(-2)).toEqual(['None yet', 'Invite again']);
    });

    it('is linked only for administrators of the installation', () => {
      const { rerender } = render(<AdminNavigation user={operator} />);
      expect(screen.getByRole('link', { name: 'Sites' })).toBeTruthy();
      rerender(<AdminNavigation user={inventedUser({ type: 'administrator', isAdmin: true })} />);
      expect(screen.queryByRole('link', { name: 'Sites' })).toBeNull();
      expect(screen.getByRole('link', { name: 'Site' })).toBeTruthy();
    });

    it('has no accessibility violation', async () => {
      prepare();
      const { container } = render(<SitesScreen user={operator} />);
      await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
    });
  });

  describe('InviteToSiteDrawer', () => {
    it('invites to a site without users, and shows the link', async () => {
      prepare();
      inviteToSite.mockReset().mockResolvedValue(made);
      const site = { id: 2, name: 'North ward', timeZone: 'Europe/London', createdAt: secondsAgo(60), users: 0 };
      const { baseElement } = render(
        <InviteToSiteDrawer site={site} timeZone="Europe/London" onClose={() => undefined} />,
      );
      await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
      await writeInto(screen.getByLabelText('E-mail of its first administrator'), 'bo@ward.test');
      await userEvent.click(screen.getByRole('button', { name: 'Create invitation' }));
      await expect(
        screen.findByLabelText('Invitation for bo@ward.test as administrator of North ward'),
      ).resolves.toBeTruthy();
      expect(inviteToSite).toHaveBeenCalledWith({ body: { siteId: 2, adminEmail: 'bo@ward.test' } });
    });
  });

  describe('AddSiteDrawer', () => {
    it('shows the link once, says that it opens no patients, and begins the next site with another id', async () => {
      showDrawer();
      for (const times of [1, 2]) {
        await fill();
        await submit();
        await waitFor(() => expect(addSite).toHaveBeenCalledTimes(times));
        const box = await screen.findByLabelText('Invitation for ann@ward.test as administrator of West ward');
        expect((box as HTMLInputElement).value).toBe(made.link);
        expect(screen.getByText(/It gives no access to patients\./)).toBeTruthy();
        expect(screen.queryByText(/has to confirm the account/)).toBeNull();
      }
      const [first, second] = addSite.mock.calls.map(([{ body }]) => body);
      expect(first).toMatchObject({ name: 'West ward', timeZone: 'Europe/London', adminEmail: 'ann@ward.test' });
      expect(first?.clientId).not.toBe(second?.clientId);
    });

    it('keeps what was typed and the id of a site whose response was lost', async () => {
      showDrawer();
      addSite.mockRejectedValueOnce(clientFailure('no_response'));
      await fill();
      await submit();
      await expect(screen.findByText(/^It is not known whether this was added\. /)).resolves.toBeTruthy();
      await submit();
      await waitFor(() => expect(addSite).toHaveBeenCalledTimes(2));
      const [first, second] = addSite.mock.calls.map(([{ body }]) => body);
      expect(second).toEqual(first);
    });

    it('shows at the field that another site has the name', async () => {
      showDrawer();
      addSite.mockRejectedValueOnce(
        new ApiFailure('site_exists', 'This installation has a site of that name.', {
          status: 409,
          fields: { name: 'is the name of another site' },
        }),
      );
      await fill();
      await submit();
      await expect(screen.findByText('Name is the name of another site')).resolves.toBeTruthy();
      expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('West ward');
    });

    it('has no accessibility violation', async () => {
      const { baseElement } = showDrawer();
      await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
    });
  });
});

describe('DevicesScreen', () => {
  beforeEach(() => {
    jest.mocked(useNow).mockImplementation((now) => now);
  });

  const device: ListedDevice = {
    id: 1,
    name: 'monitor 1',
    expectedEveryMs: null,
    createdAt: secondsAgo(86_400),
    expiresAt: null,
    revokedAt: null,
    sender: null,
    lastSeenAt: secondsAgo(4),
    gateway: { unitIds: [], proposedUnitIds: [], until: null },
    refused: 0,
    patient: null,
  };

  function show(devices: ListedDevice[] | undefined, user: User = inventedUser()) {
    const data = devices === undefined ? undefined : { items: devices, total: devices.length };
    setReads({ listDevices: { ...answered(data), isLoading: devices === undefined } });
    return render(<DevicesScreen user={user} now={wardNow} />);
  }
  const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(`^${name}`) }));

  it('shows nurses which devices send, and no way to add one', () => {
    show([device, { ...device, id: 2, name: 'monitor 2', lastSeenAt: null, revokedAt: secondsAgo(5) }]);
    expect(row('monitor 1').getByText('4 s')).toBeTruthy();
    expect(row('monitor 1').getByText('Valid')).toBeTruthy();
    expect(row('monitor 2').getByText('Never')).toBeTruthy();
    expect(row('monitor 2').getByText('Revoked')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add device' })).toBeNull();
  });

  it('names the patient as far as the server does', () => {
    const patient = { location: { unit: 'East', bed: '4' }, mrnEnd: '417', isTrial: false, identity: null };
    show([
      { ...device, patient },
      {
        ...device,
        id: 2,
        name: 'monitor 2',
        patient: { ...patient, identity: { id: 5, name: 'Okafor, Ada', mrn: 'MRN-417' } },
      },
      { ...device, id: 3, name: 'monitor 3', patient: { ...patient, isTrial: true } },
    ]);
    expect(row('monitor 1').getByText('East · Bed 4 · MRN …417')).toBeTruthy();
    expect(row('monitor 2').getByText('Okafor, Ada · East · Bed 4 · MRN MRN-417')).toBeTruthy();
    expect(row('monitor 3').getByText('Trial · East · Bed 4 · MRN …417')).toBeTruthy();
  });

  it('names the HL7 sender of a source, since sources of several senders may have one name', () => {
    const source = { ...device, name: 'HR', sender: 'North gateway' };
    show([source, { ...source, id: 2, sender: 'South gateway' }, { ...source, id: 3, name: 'North gateway' }]);
    const tokens = screen.getAllByText(/^None, comes by/).map(({ textContent }) => textContent);
    expect(tokens).toEqual(['None, comes by North gateway', 'None, comes by South gateway', 'None, comes by HL7']);
  });

  it('says what to do if there are no devices', () => {
    show([], inventedUser({ type: 'administrator', isAdmin: true }));
    expect(screen.getByText('No devices yet.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Add device' })).toBeTruthy();
  });

  it('has no accessibility violation, before and after the first response', async () => {
    const { container, unmount } = show(undefined);
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
    unmount();
    const loaded = show([device], inventedUser({ isAdmin: true }));
    await expect(axeViolations(loaded.container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});
