import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import type { CheckInLink } from '../../lib/checkIn/linkSchema';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedPatient, inventedUser, wardNow } from '../../test/inventedWard';
import { CheckInLinksDrawer } from './CheckInLinksDrawer';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');

const sam = inventedPatient(1);
const someone = inventedUser();
const user = { ...someone, site: { ...someone.site, timeZone: 'Europe/London', emergencyNumber: '112' } };
const link: CheckInLink = {
  id: 5,
  patientId: sam.id,
  for: 'proxy',
  createdAt: '2026-05-01T09:00:00Z',
  createdBy: { id: 3, name: 'Nia Newcomer' },
  expiresAt: '2026-05-31T09:00:00Z',
  state: 'active',
  revokedAt: null,
  revokedBy: null,
  lockedAt: null,
  wrongTries: 0,
  openedAt: null,
  lastOpenedAt: null,
  openedOn: null,
};
const address = `https://ward.example/check_in#${'s'.repeat(43)}`;
const calls = {
  createCheckInLink: callMock<'createCheckInLink'>(),
  revokeCheckInLink: callMock<'revokeCheckInLink'>(),
};
const onClose = jest.fn();

beforeEach(() => {
  onClose.mockReset();
  calls.createCheckInLink.mockReset().mockResolvedValue({ link, secret: 's'.repeat(43), address });
  calls.revokeCheckInLink.mockReset().mockResolvedValue({ ...link, state: 'revoked' });
  setCalls(calls);
  setReads({ listCheckInLinks: answered({ patientId: sam.id, items: [], outOfHoursText: null }) });
});

const open = (as: User = user) =>
  render(<CheckInLinksDrawer patient={sam} user={as} now={wardNow} onChanged={() => {}} onClose={onClose} />);
const idsSent = () => calls.createCheckInLink.mock.calls.map(([{ body }]) => body.clientId);
const list = (...items: Partial<CheckInLink>[]): void =>
  setReads({
    listCheckInLinks: answered({
      patientId: sam.id,
      items: items.map((each, id) => ({ ...link, id, ...each })),
      outOfHoursText: null,
    }),
  });

describe('the check-in links of a patient', () => {
  it('cannot be made without the site’s emergency number, and say who sets it', () => {
    open({ ...user, site: { ...user.site, emergencyNumber: null } });
    expect(screen.getByText(/this site has no emergency number/).parentElement?.textContent).toContain(
      'An administrator can set it on the page “Site”.',
    );
    expect(screen.queryByRole('button', { name: 'New link' })).toBeNull();
  });

  it('say what their page says of the ward’s hours, or that it says nothing of them', () => {
    const { unmount } = open();
    expect(screen.getByText(/^Its page does not say when the ward answers\./)).toBeTruthy();
    unmount();
    const outOfHoursText = 'The ward answers from 8 to 20. At night call 020 7946 0958.';
    setReads({ listCheckInLinks: answered({ patientId: sam.id, items: [], outOfHoursText }) });
    open();
    expect(screen.getByText(`Its page says of the ward’s hours: “${outOfHoursText}”`)).toBeTruthy();
  });

  it('are not those of another patient', () => {
    setReads({ listCheckInLinks: answered({ patientId: sam.id + 1, items: [link], outOfHoursText: null }) });
    open();
    expect(screen.queryByRole('heading', { name: /^Link of/ })).toBeNull();
  });

  it('say what became of each, for whom, by whom, and when and on what it was opened', () => {
    list(
      {},
      {
        state: 'locked',
        lockedAt: '2026-05-02T09:00:00Z',
        openedAt: '2026-05-01T10:00:00Z',
        lastOpenedAt: '2026-05-01T11:00:00Z',
        openedOn: 'phone',
        for: 'patient',
      },
      { state: 'revoked', revokedAt: '2026-05-03T09:00:00Z', revokedBy: { id: 4, name: 'Lena Leader' } },
      { state: 'expired' },
    );
    open();
    const texts = screen.getAllByRole('region').map(({ textContent }) => textContent);
    expect(texts).toEqual([
      expect.stringMatching(
        /Works until 31 May, 10:00For: a person who looks after them\. Made by Nia Newcomer\.Not op/,
      ),
      expect.stringMatching(
        /Locked 02 May, 10:00 after too many wrong years of birthFor: the patient\..*First opened 01 May/,
      ),
      expect.stringContaining('Revoked 03 May, 10:00 by Lena Leader'),
      expect.stringContaining('Ended 31 May, 10:00'),
    ]);
    expect(screen.getAllByRole('button', { name: /^Revoke the link/ })).toHaveLength(1);
  });

  it('show a new one once, with its code, and no more in the next drawer', async () => {
    const { baseElement, unmount } = open();
    await userEvent.click(screen.getByText('A person who looks after them'));
    await userEvent.click(screen.getByText('7 days'));
    await userEvent.click(screen.getByRole('button', { name: 'New link' }));
    expect(calls.createCheckInLink).toHaveBeenCalledWith({
      params: { id: sam.id },
      body: { for: 'proxy', lastsDays: 7, clientId: expect.any(String) as unknown },
    });
    const shown = await screen.findByRole('region', { name: 'New link' });
    expect(within(shown).getByRole('textbox')).toHaveProperty('value', address);
    expect(shown.querySelector('svg')).toBeTruthy();
    await expect(axeViolations(baseElement, 'region')).resolves.toEqual([]);
    unmount();
    open();
    expect(screen.queryByRole('region', { name: 'New link' })).toBeNull();
  });

  it('are not made twice by a second click: there is no button any more, until another one is wanted', async () => {
    open();
    await userEvent.click(screen.getByRole('button', { name: 'New link' }));
    expect(document.activeElement).toBe(await screen.findByRole('textbox'));
    expect(screen.queryByRole('button', { name: 'New link' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Make another link' }));
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'The patient' }));
    await userEvent.click(screen.getByRole('button', { name: 'New link' }));
    const [first, second] = idsSent();
    expect(second).not.toBe(first);
  });

  it('carry one id until the answer comes, so that an attempt after a lost one makes no second', async () => {
    calls.createCheckInLink.mockRejectedValueOnce(new ApiFailure('no_response', 'No response came.'));
    open();
    await userEvent.click(screen.getByRole('button', { name: 'New link' }));
    await expect(screen.findByText(/^It is not known whether this was made/)).resolves.toBeTruthy();
    await userEvent.click(screen.getByText('7 days'));
    await userEvent.click(screen.getByRole('button', { name: 'New link' }));
    const [first, second] = idsSent();
    expect(second).toBe(first);
  });

  it('show no code any more of one that was revoked', async () => {
    const { rerender } = open();
    await userEvent.click(screen.getByRole('button', { name: 'New link' }));
    await screen.findByRole('region', { name: 'New link' });
    list({ id: link.id, state: 'revoked', revokedAt: '2026-05-01T09:01:00Z' });
    rerender(<CheckInLinksDrawer patient={sam} user={user} now={wardNow} onChanged={() => {}} onClose={onClose} />);
    expect(screen.queryByRole('region', { name: 'New link' })).toBeNull();
  });

  it('say why none was made', async () => {
    calls.createCheckInLink.mockRejectedValue(new ApiFailure('rules_off', 'The alert rules are off.', { status: 409 }));
    open();
    await userEvent.click(screen.getByRole('button', { name: 'New link' }));
    await expect(screen.findByText('Not made. The alert rules are off.')).resolves.toBeTruthy();
  });

  it('are revoked after a question', async () => {
    list({});
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Revoke the link of 01 May, 10:00' }));
    expect(calls.revokeCheckInLink).not.toHaveBeenCalled();
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
    expect(calls.revokeCheckInLink).toHaveBeenCalledWith({ params: { id: 0 } });
  });
});
