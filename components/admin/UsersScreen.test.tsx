import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReadState } from '../../hooks/readState';
import { useNow } from '../../hooks/useNow';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import type { Confirmation, InvitationsResponse, ListedUser, UsersResponse } from '../../lib/users/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { chooseOption, chosenOption } from '../../test/antdSelect';
import { inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { UsersScreen } from './UsersScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/users' }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useRead');

const own = inventedUser({ id: 7, isAdmin: true });
const east = { id: 1, name: 'East' };
const north = { id: 2, name: 'North' };

function listed(id: number, change: Partial<ListedUser> = {}): ListedUser {
  return {
    id,
    fname: 'Sam',
    lname: `Staff${id}`,
    email: `sam${id}@ward.test`,
    type: 'nurse',
    isAdmin: false,
    units: [],
    state: 'active',
    lastActiveAt: secondsAgo(300),
    createdAt: secondsAgo(3_600),
    version: 4,
    ...change,
  };
}
const me = listed(7, { fname: 'Ines', lname: 'Moreau', isAdmin: true });
const sam = listed(3, { units: [east] });
const ada = listed(5, { fname: 'Ada', lname: 'Zorn', state: 'waiting', type: 'physician', lastActiveAt: null });
const gone = listed(6, { fname: 'Bo', lname: 'Berg', state: 'disabled' });
const invitation = {
  id: 9,
  email: 'new@ward.test',
  type: 'viewer' as const,
  isAdmin: false,
  units: [],
  createdAt: secondsAgo(3_600),
  expiresAt: '2026-03-10T14:00:00.000Z',
};
const link = {
  link: 'https://ward.test/reset_password#token=abc',
  expiresAt: '2026-03-07T15:30:00.000Z',
  mailed: false,
};

const calls = {
  changeUser: callMock<'changeUser'>(),
  approveUser: callMock<'approveUser'>(),
  rejectUser: callMock<'rejectUser'>(),
  confirmUser: callMock<'confirmUser'>(),
  makeResetLink: callMock<'makeResetLink'>(),
  endUserSessions: callMock<'endUserSessions'>(),
  invite: callMock<'invite'>(),
  withdrawInvitation: callMock<'withdrawInvitation'>(),
};

interface Shown {
  users?: ReadState<UsersResponse>;
  invitations?: InvitationsResponse['items'];
  confirmations?: Confirmation[];
}
function mockAnswers({
  users = answered({ items: [me, sam, ada, gone], total: 4 }),
  invitations = [invitation],
  confirmations = [],
}: Shown = {}): void {
  const unit = { patients: 0, people: 0, isOpen: true };
  const units = [
    { ...east, ...unit },
    { ...north, ...unit },
  ];
  setReads({
    listUsers: users,
    listConfirmations: answered({ items: confirmations, total: confirmations.length }),
    listInvitations: answered({ items: invitations, total: invitations.length }),
    listUnits: answered({ items: units, total: units.length }),
    listBreakGlass: answered({ items: [], total: 0, unseen: 0 }),
  });
}
function show(shown: Shown = {}) {
  mockAnswers(shown);
  return render(<UsersScreen user={own} now={wardNow} />);
}

beforeEach(() => {
  calls.changeUser.mockReset().mockResolvedValue(sam);
  calls.approveUser.mockReset().mockResolvedValue(ada);
  calls.rejectUser.mockReset().mockResolvedValue(null);
  calls.confirmUser.mockReset().mockResolvedValue(null);
  calls.makeResetLink.mockReset().mockResolvedValue(link);
  calls.endUserSessions.mockReset().mockResolvedValue(null);
  calls.invite.mockReset().mockResolvedValue({ ...link, link: 'https://ward.test/sign_up#invitation=abc' });
  calls.withdrawInvitation.mockReset().mockResolvedValue(null);
  setCalls(calls);
  jest.mocked(useNow).mockReturnValue(wardNow);
});

const writeText = jest.fn<Promise<void>, [string]>();
/** jsdom has no clipboard, as a browser has none without HTTPS. */
const giveClipboard = () => Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
afterEach(() => Reflect.deleteProperty(navigator, 'clipboard'));

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
/** Presses a button of the question that is open. */
const confirmWith = async (name: string): Promise<void> => {
  await userEvent.click(within(await screen.findByRole('tooltip')).getByRole('button', { name }));
};
const names = () =>
  within(screen.getByRole('table', { name: 'Users' }))
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent);
const row = (name: RegExp) => screen.getByRole('row', { name });
/** The drawer's code is loaded when it opens. */
const drawer = async () => within(await screen.findByRole('dialog'));

describe('a user who waits for confirmation', () => {
  const waits: Confirmation = {
    id: sam.id,
    name: 'Sam Staff3',
    type: 'nurse',
    isAdmin: false,
    units: [east],
    since: secondsAgo(60),
    openedBy: 'Kim Admin',
    mayConfirm: true,
  };

  it('says so, and is confirmed only after a second press', async () => {
    show({ confirmations: [waits] });
    expect(row(/Staff3/).textContent).toContain('Waits for confirmation, opened by Kim Admin');
    await press('Confirm Sam Staff3');
    expect(calls.confirmUser).not.toHaveBeenCalled();
    await confirmWith('Confirm');
    expect(calls.confirmUser).toHaveBeenCalledWith({ params: { id: sam.id } });
    await expect(screen.findByText('Sam Staff3 was confirmed.')).resolves.toBeTruthy();
  });

  it('is not confirmed by the administrator who opened the account', () => {
    show({ confirmations: [{ ...waits, mayConfirm: false }] });
    expect(row(/Staff3/).textContent).toContain('Waits for confirmation');
    expect(screen.queryByRole('button', { name: 'Confirm Sam Staff3' })).toBeNull();
  });
});

describe('the list of users', () => {
  it('shows its shape until it arrives', () => {
    show({ users: { ...answered<UsersResponse>({ items: [], total: 0 }), data: undefined, isLoading: true } });
    expect(screen.getByRole('status', { name: 'Users are loading' })).toBeTruthy();
  });

  it('stays, marked as old, when it cannot be refreshed', () => {
    show({ users: answered({ items: [me], total: 1 }, { error: clientFailure('unreachable') }) });
    expect(screen.getByText(/Old data: as it was at/)).toBeTruthy();
    expect(names()).toEqual(['Moreau, Ines (you)']);
  });

  it('says what to do if a search finds no user', async () => {
    show();
    await writeInto(screen.getByRole('searchbox'), 'unknown');
    expect(screen.getByText('No matching users')).toBeTruthy();
    await press('Show all users');
    expect(names()).toHaveLength(4);
  });

  it('puts requests first, and shows role, units, state and last activity of each user', () => {
    show();
    expect(names()).toEqual(['Zorn, Ada', 'Berg, Bo', 'Moreau, Ines (you)', 'Staff3, Sam']);
    expect(row(/Staff3/).textContent).toBe('Staff3, Samsam3@ward.testNurseNoEastActive5 min agoChange');
    expect(row(/Zorn/).textContent).toContain('Whole siteWaits for approvalNever');
    expect(row(/Berg/).textContent).toContain('Disabled');
  });

  it('has pages of fifty users', async () => {
    show({ users: answered({ items: Array.from({ length: 60 }, (_, index) => listed(100 + index)), total: 60 }) });
    expect(names()).toHaveLength(50);
    await userEvent.click(screen.getByRole('button', { name: 'Page 2' }));
    expect(names()).toHaveLength(10);
    await writeInto(screen.getByRole('searchbox'), 'staff159');
    expect(names()).toEqual(['Staff159, Sam']);
  });

  it('has no accessibility violation', async () => {
    const { container } = show();
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});

describe('a request for an account', () => {
  it('is not rejected by one press', async () => {
    show();
    await press('Reject Ada Zorn');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
    await confirmWith('Cancel');
    await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
    expect(calls.rejectUser).not.toHaveBeenCalled();
    await press('Reject Ada Zorn');
    await confirmWith('Reject');
    expect(calls.rejectUser).toHaveBeenCalledWith({ params: { id: 5 } });
    expect(screen.getByText('Ada Zorn was rejected.')).toBeTruthy();
  });

  it('stays, with the reason, if the server refuses', async () => {
    calls.rejectUser.mockRejectedValue(
      new ApiFailure('not_waiting', 'This user does not wait for approval.', { status: 409 }),
    );
    show();
    await press('Reject Ada Zorn');
    await confirmWith('Reject');
    expect(screen.getByText('Not changed. This user does not wait for approval.')).toBeTruthy();
  });

  it('is approved with the role and units that the administrator gives', async () => {
    show();
    await press('Approve Ada Zorn');
    const form = await drawer();
    await chooseOption(form.getByLabelText('Role'), 'Nurse');
    await userEvent.click(form.getByLabelText('North'));
    await userEvent.click(form.getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(calls.approveUser).toHaveBeenCalledTimes(1));
    expect(calls.approveUser).toHaveBeenCalledWith({
      params: { id: 5 },
      body: { version: 4, type: 'nurse', unitIds: [2] },
    });
    await expect(screen.findByText('Ada Zorn can sign in now.')).resolves.toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('a user’s drawer', () => {
  it('does not let administrators change their own role or access', async () => {
    show();
    await press('Change Ines Moreau');
    const form = await drawer();
    expect(form.getByText(/You cannot change your own role/)).toBeTruthy();
    expect(form.queryByLabelText('Role')).toBeNull();
    expect(form.queryByRole('button', { name: 'Disable account' })).toBeNull();
    await userEvent.click(form.getByLabelText('East'));
    await userEvent.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(calls.changeUser).toHaveBeenCalledTimes(1));
    expect(calls.changeUser).toHaveBeenCalledWith({ params: { id: 7 }, body: { version: 4, unitIds: [1] } });
  });

  it('says why nothing was saved and keeps the chosen values', async () => {
    calls.changeUser.mockRejectedValue(
      new ApiFailure('last_administrator', 'This is the last administrator.', { status: 409 }),
    );
    show();
    await press('Change Sam Staff3');
    const form = await drawer();
    await chooseOption(form.getByLabelText('Role'), 'Viewer');
    await userEvent.click(form.getByRole('button', { name: 'Save' }));
    await expect(form.findByText('Not saved. This is the last administrator.')).resolves.toBeTruthy();
    expect(chosenOption(form.getByLabelText('Role'))).toBe('Viewer');
  });

  it('starts again, and says so, if another administrator was faster', async () => {
    calls.changeUser.mockRejectedValue(new ApiFailure('changed_meanwhile', 'Look again.', { status: 409 }));
    const { rerender } = show();
    await press('Change Sam Staff3');
    const form = await drawer();
    await chooseOption(form.getByLabelText('Role'), 'Viewer');
    await userEvent.click(form.getByRole('button', { name: 'Save' }));
    await form.findByText('Not saved. Look again.');
    mockAnswers({ users: answered({ items: [me, { ...sam, type: 'technician', version: 5 }], total: 2 }) });
    rerender(<UsersScreen user={own} now={wardNow} />);
    expect(form.getByText(/another administrator changed this user meanwhile/)).toBeTruthy();
    expect(chosenOption(form.getByLabelText('Role'))).toBe('Technician');
  });

  it('changes role, administration and units', async () => {
    show();
    await press('Change Sam Staff3');
    const form = await drawer();
    await chooseOption(form.getByLabelText('Role'), 'Ward lead');
    await userEvent.click(form.getByLabelText('Administers users, devices and the site'));
    await userEvent.click(form.getByLabelText('East'));
    await userEvent.click(form.getByLabelText('North'));
    await userEvent.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(calls.changeUser).toHaveBeenCalledTimes(1));
    expect(calls.changeUser).toHaveBeenCalledWith({
      params: { id: 3 },
      body: { version: 4, type: 'ward_lead', isAdmin: true, unitIds: [2] },
    });
    await expect(form.findByText('Saved.')).resolves.toBeTruthy();
  });

  it('creates a reset link, shows it and says that no mail was sent', async () => {
    show();
    await press('Change Sam Staff3');
    const form = await drawer();
    await userEvent.click(form.getByRole('button', { name: 'Create reset link' }));
    expect(calls.makeResetLink).toHaveBeenCalledWith({ params: { id: 3 } });
    expect(form.getByLabelText('Reset link for sam3@ward.test')).toHaveProperty('value', link.link);
    expect(form.getByText(/No mail was sent\. Give it to this person yourself\./).textContent).toContain(
      '07 Mar, 15:30 GMT',
    );
    giveClipboard();
    writeText.mockReset().mockResolvedValue();
    await userEvent.click(form.getByRole('button', { name: 'Copy' }));
    expect(form.getByText('Copied.')).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith(link.link);
  });

  it.each([
    [true, /It was sent by mail, works once, and is valid until 07 Mar, 15:30 GMT/],
    [false, /The mail could not be sent\./],
  ])('shows no reset link where a mail server is configured (sent: %s)', async (mailed, words) => {
    calls.makeResetLink.mockResolvedValue({ ...link, link: null, mailed });
    show();
    await press('Change Sam Staff3');
    const form = await drawer();
    await userEvent.click(form.getByRole('button', { name: 'Create reset link' }));
    await expect(form.findByText(words)).resolves.toBeTruthy();
    expect(form.queryByLabelText('Reset link for sam3@ward.test')).toBeNull();
  });

  it('selects the link if the browser does not allow copying', async () => {
    show();
    await press('Change Sam Staff3');
    const form = await drawer();
    await userEvent.click(form.getByRole('button', { name: 'Create reset link' }));
    Reflect.deleteProperty(navigator, 'clipboard');
    await userEvent.click(form.getByRole('button', { name: 'Copy' }));
    await form.findByText(/press Ctrl C/);
    expect(form.getByLabelText('Reset link for sam3@ward.test')).toHaveProperty('selectionEnd', link.link.length);
  });

  it('ends every session and disables an account only after a second press', async () => {
    show();
    await press('Change Sam Staff3');
    const form = await drawer();
    await userEvent.click(form.getByRole('button', { name: 'End all sessions' }));
    expect(calls.endUserSessions).not.toHaveBeenCalled();
    await confirmWith('End all sessions');
    expect(calls.endUserSessions).toHaveBeenCalledWith({ params: { id: 3 } });
    await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
    await userEvent.click(form.getByRole('button', { name: 'Disable account' }));
    expect(calls.changeUser).not.toHaveBeenCalled();
    await confirmWith('Disable account');
    expect(calls.changeUser).toHaveBeenCalledWith({ params: { id: 3 }, body: { version: 4, isDisabled: true } });
  });

  it('enables a disabled account, and offers no reset link for it', async () => {
    show();
    await press('Change Bo Berg');
    const form = await drawer();
    expect(form.queryByRole('button', { name: 'Create reset link' })).toBeNull();
    await userEvent.click(form.getByRole('button', { name: 'Enable account' }));
    expect(calls.changeUser).toHaveBeenCalledWith({ params: { id: 6 }, body: { version: 4, isDisabled: false } });
  });
});

describe('invitations', () => {
  it('say what they are if there are none', () => {
    show({ invitations: [] });
    expect(screen.getByText(/No open invitations/)).toBeTruthy();
  });

  it('are withdrawn after a second press', async () => {
    show();
    await press('Withdraw the invitation of new@ward.test');
    await confirmWith('Withdraw');
    expect(calls.withdrawInvitation).toHaveBeenCalledWith({ params: { id: 9 } });
    expect(screen.getByText('The invitation of new@ward.test was withdrawn.')).toBeTruthy();
  });

  it('show a refusal at the field', async () => {
    show();
    await press('Invite user');
    const form = await drawer();
    await userEvent.type(form.getByLabelText('E-mail'), 'new{Enter}');
    await expect(form.findByText('E-mail is not an e-mail address')).resolves.toBeTruthy();
    expect(document.activeElement).toBe(form.getByLabelText('E-mail'));
    calls.invite.mockRejectedValue(
      new ApiFailure('email_exists', 'This e-mail address has an account already.', {
        status: 409,
        fields: { email: 'has an account already' },
      }),
    );
    await writeInto(form.getByLabelText('E-mail'), '@ward.test{Enter}');
    await expect(form.findByText('E-mail has an account already')).resolves.toBeTruthy();
    expect(form.getByLabelText('E-mail')).toHaveProperty('value', 'new@ward.test');
  });

  it('show their link once', async () => {
    show();
    await press('Invite user');
    const form = await drawer();
    await writeInto(form.getByLabelText('E-mail'), 'New@Ward.test');
    await chooseOption(form.getByLabelText('Role'), 'Physician');
    await userEvent.click(form.getByLabelText('East'));
    await userEvent.click(form.getByRole('button', { name: 'Create invitation' }));
    await expect(form.findByLabelText('Invitation for new@ward.test as Physician')).resolves.toBeTruthy();
    expect(calls.invite).toHaveBeenCalledWith({
      body: { email: 'new@ward.test', type: 'physician', isAdmin: false, unitIds: [1] },
    });
    expect(form.getByLabelText('Invitation for new@ward.test as Physician')).toHaveProperty(
      'value',
      'https://ward.test/sign_up#invitation=abc',
    );
    expect(form.getByLabelText('E-mail')).toHaveProperty('value', '');
  });

  it('focus their link, and ask before it is lost', async () => {
    show();
    await press('Invite user');
    const form = await drawer();
    await writeInto(form.getByLabelText('E-mail'), 'new@ward.test');
    await userEvent.click(form.getByRole('button', { name: 'Create invitation' }));
    const field = await form.findByLabelText('Invitation for new@ward.test as Nurse');
    await waitFor(() => expect(document.activeElement).toBe(field));
    await userEvent.keyboard('{Escape}');
    await userEvent.click(await screen.findByRole('button', { name: 'Go back' }));
    expect(form.getByLabelText('Invitation for new@ward.test as Nurse')).toBeTruthy();
    giveClipboard();
    writeText.mockReset().mockResolvedValue();
    await userEvent.click(form.getByRole('button', { name: 'Copy' }));
    await form.findByText('Copied.');
    await userEvent.click(form.getByRole('button', { name: 'Close' }));
    expect(screen.queryByLabelText('Invitation for new@ward.test as Nurse')).toBeNull();
  });
});
