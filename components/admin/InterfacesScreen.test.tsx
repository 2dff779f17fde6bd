import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import { noteResponse, thisMoment } from '../../lib/browser/serverClock';
import type { ListedMessage, MessagesResponse, SendersResponse } from '../../lib/interfaces/schema';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { AcceptSenderDrawer } from './AcceptSenderDrawer';
import { InterfacesScreen } from './InterfacesScreen';
import { MessageDrawer } from './MessageDrawer';
import { MessagesSection } from './MessagesSection';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/interfaces' }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');

const acceptSender = callMock<'acceptSender'>();
const revokeSender = callMock<'revokeSender'>();
const changeSender = callMock<'changeSender'>();
const sender = {
  id: 4,
  name: 'North gateway',
  certificate: null,
  address: '10.1.2.0/24',
  application: 'GATEWAY',
  facility: '',
  isTrial: false,
  zeroIsNoSignal: false,
  quarantineIsAccepted: false,
  acceptedAt: secondsAgo(600),
  revokedAt: null,
  connections: 2,
  lastMessageAt: secondsAgo(4),
  rate: { perMinute: 12, minutes: 5 },
  answerMs: { middle: 12, longest: 80 },
  clockBehindMs: { least: -180_000, most: 2_000 },
  answers: { AA: 12, AE: 3, AR: 1 },
  repeated: 1,
  broken: 0,
  unmapped: [{ code: 'X-1^Mystery^L', count: 9 }],
};
const stranger = {
  id: 1,
  address: '10.1.9.9',
  certificate: null,
  application: '',
  facility: 'WARD',
  messages: 5,
  firstAt: secondsAgo(60),
  lastAt: secondsAgo(2),
};
const message: ListedMessage = {
  id: 71,
  receivedAt: secondsAgo(4),
  sender: 'North gateway',
  bytes: 2_140,
  fate: 'AA',
  reason: null,
  isWhole: true,
  isKept: true,
};
const kept = { usedBytes: 12 * 1_048_576, mostBytes: 2_048 * 1_048_576, notKept: 0, fault: null };
const openMessage = callMock<'openMessage'>();
const door = { host: '127.0.0.1', port: 2575, isEncrypted: false, isExposed: false };

const administrator = inventedUser({ type: 'administrator', isAdmin: true });

function show(change: Partial<SendersResponse> = {}) {
  setCalls({ acceptSender, changeSender, revokeSender, openMessage });
  setReads({
    listSenders: answered({ door, items: [sender], total: 1, unknown: [stranger], refusedHandshakes: [], ...change }),
    listMessages: answered({ items: [], total: 0, kept }),
  });
  noteResponse(wardNow, thisMoment());
  return render(<InterfacesScreen user={administrator} now={wardNow} />);
}

function showMessages(user: User, change: Partial<MessagesResponse> = {}) {
  setCalls({ openMessage });
  setReads({ listMessages: answered({ items: [message], total: 1, kept, ...change }) });
  return render(<MessagesSection user={user} />);
}

describe('InterfacesScreen', () => {
  it('warns if others can read what gateways send', () => {
    show({ door: { ...door, host: '0.0.0.0', isExposed: true } });
    expect(screen.getByText('HL7 is not encrypted.')).toBeTruthy();
  });

  it('lists connections whose handshake was refused, with the reason in words, and nothing without one', () => {
    const refused = { address: '10.1.2.7', reason: 'expired', count: 12, lastAt: secondsAgo(60) } as const;
    const { unmount } = show({ refusedHandshakes: [refused] });
    expect(screen.getByRole('row', { name: /^10\.1\.2\.7 Its certificate has expired 12 1 min ago/ })).toBeTruthy();
    unmount();
    show();
    expect(screen.queryByRole('heading', { name: 'Refused connections' })).toBeNull();
  });

  it('says that there is no port for gateways', () => {
    show({ door: null, items: [], total: 0, unknown: [] });
    expect(screen.getByText(/This server takes no HL7\./)).toBeTruthy();
    expect(screen.getByText('No sender is accepted yet.')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('shows what each sender did, and the codes that mean nothing here', () => {
    show();
    const row = screen.getByRole('row', { name: /^North gateway/ });
    const cells = within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
    expect(cells.slice(0, 2)).toEqual(['10.1.2.0/24GATEWAY · empty', '2']);
    expect(cells.slice(2, 5)).toEqual(['4 s ago12 a minute', '12 msLongest 80 ms', '2 s behind to 3 min ahead']);
    expect(cells.slice(5, 8)).toEqual(['12', '3', '1']);
    expect(within(row).getByText('1 repeated; unknown codes: X-1^Mystery^L (9)')).toBeTruthy();
    expect(screen.getByRole('row', { name: /^10\.1\.9\.9 empty · WARD 5/ })).toBeTruthy();
  });

  it('calls no rate, answer or clock good while nothing is known of it', () => {
    show({ items: [{ ...sender, rate: null, answerMs: null, clockBehindMs: null }] });
    const row = screen.getByRole('row', { name: /^North gateway/ });
    const cells = within(row).getAllByRole('cell');
    expect(cells.slice(2, 5).map(({ textContent }) => textContent)).toEqual([
      '4 s agoRate not known yet',
      'None in 5 min',
      'Not known yet',
    ]);
  });

  it('shows the certificates of senders instead of their addresses', () => {
    const certificate = 'CN=north, O=Hospital';
    const known = { ...sender, certificate, address: '', application: '', facility: '' };
    show({ items: [known], unknown: [{ ...stranger, certificate: 'CN=south' }] });
    expect(screen.getByRole('cell', { name: 'Certificate CN=north, O=Hospital' })).toBeTruthy();
    expect(screen.getByRole('row', { name: /^Certificate CN=south 10\.1\.9\.9 empty · WARD 5/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Accept Certificate CN=south, empty · WARD' })).toBeTruthy();
  });

  it('says what an administrator has said of a sender, and changes it', async () => {
    changeSender.mockReset().mockResolvedValue({ ...sender, zeroIsNoSignal: true });
    const { baseElement } = show({ items: [{ ...sender, quarantineIsAccepted: true }] });
    expect(screen.getByText(/^AA for quarantine; 1 repeated/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Settings of North gateway' }));
    const zero = await screen.findByRole('checkbox', { name: /no signal, not asystole/ });
    await userEvent.click(zero);
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(changeSender).toHaveBeenCalled());
    expect(changeSender).toHaveBeenCalledWith({
      params: { id: 4 },
      body: { zeroIsNoSignal: true },
    });
    await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
  });

  it('asks before it revokes a sender', async () => {
    revokeSender.mockReset().mockResolvedValue({ ...sender, revokedAt: secondsAgo(0) });
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Revoke North gateway' }));
    expect(revokeSender).not.toHaveBeenCalled();
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(revokeSender).toHaveBeenCalledWith({ params: { id: 4 } }));
  });

  it('has no accessibility violation', async () => {
    const { container } = show({ door: { ...door, isExposed: true } });
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});

describe('MessagesSection', () => {
  it('offers no contents to those who see no patients, nor those that are not kept', () => {
    const { unmount } = showMessages(administrator);
    expect(screen.getByRole('row', { name: /North gateway 2.1 kB Taken \(AA\)/ })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Open/ })).toBeNull();
    unmount();
    showMessages(inventedUser({ type: 'physician' }), { items: [{ ...message, isKept: false }] });
    expect(screen.queryByRole('button', { name: /^Open/ })).toBeNull();
    expect(screen.getByRole('cell', { name: 'Not kept' })).toBeTruthy();
  });

  it('shows a physician the messages without the senders', () => {
    setReads({ listMessages: answered({ items: [message], total: 1, kept }) });
    render(<InterfacesScreen user={inventedUser({ type: 'physician' })} now={wardNow} />);
    expect(screen.getByRole('table', { name: 'Messages' })).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'Senders' })).toBeNull();
  });

  it('says what was not kept, why, and how much room is used', () => {
    showMessages(administrator, { kept: { ...kept, notKept: 3, fault: 'key' } });
    expect(screen.getByText('What is in messages is not kept.')).toBeTruthy();
    expect(screen.getByText(/12 of 2,048 MB are used; 3 were not kept/)).toBeTruthy();
  });

  it('says why a message was not wholly taken', () => {
    showMessages(administrator, { items: [{ ...message, isWhole: false, reason: 'unknown_unit' }] });
    expect(screen.getByRole('row', { name: /Partly taken \(AA\) A unit that is not taken$/ })).toBeTruthy();
  });

  it('shows 50 of many at a time', async () => {
    const items = Array.from({ length: 60 }, (_, index) => ({ ...message, id: index + 1 }));
    showMessages(administrator, { items, total: 60 });
    expect(screen.getAllByRole('row')).toHaveLength(51);
    await userEvent.click(screen.getByRole('button', { name: 'Next Page' }));
    expect(screen.getAllByRole('row')).toHaveLength(11);
  });

  it('opens a message beside the list, and says why one could not be opened', async () => {
    const segments = ['MSH|^~\\&|GATEWAY', 'PID|||A-1'];
    openMessage
      .mockReset()
      .mockRejectedValueOnce(new ApiFailure('message_damaged', 'This message cannot be opened.', { status: 409 }))
      .mockResolvedValue({ id: 71, sha256: 'ab', segments });
    showMessages(inventedUser({ type: 'physician' }));
    const button = screen.getByRole('button', { name: /^Open the message of 07 Mar 2026/ });
    await userEvent.click(button);
    await expect(screen.findByText('Not opened. This message cannot be opened.')).resolves.toBeTruthy();
    await userEvent.click(button);
    const drawer = await screen.findByRole('dialog');
    expect(openMessage).toHaveBeenLastCalledWith({ params: { id: 71 } });
    expect(
      within(drawer)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(segments);
  });

  it('has no accessibility violation, nor has an opened message', async () => {
    const { container } = showMessages(inventedUser({ type: 'physician' }), { kept: { ...kept, fault: 'disk' } });
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
    const opened = { id: 71, sha256: 'ab', segments: ['MSH|^~\\&|GATEWAY'] };
    const { baseElement } = render(<MessageDrawer message={opened} onClose={() => undefined} />);
    await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
  });
});

describe('AcceptSenderDrawer', () => {
  it('accepts a sender under the name that was typed, from the network that was typed', async () => {
    acceptSender.mockReset().mockResolvedValue(sender);
    setCalls({ acceptSender });
    const close = jest.fn();
    const { baseElement } = render(<AcceptSenderDrawer sender={stranger} onClose={close} />);
    await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
    await writeInto(screen.getByLabelText('Name'), 'North gateway');
    await userEvent.clear(screen.getByLabelText('Address'));
    await writeInto(screen.getByLabelText('Address'), '10.1.9.0/24');
    await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
    await waitFor(() => expect(close).toHaveBeenCalled());
    expect(acceptSender).toHaveBeenCalledWith({
      body: { unknownId: 1, name: 'North gateway', address: '10.1.9.0/24', isTrial: false },
    });
  });

  it('accepts a sender with a certificate by that, unless its address is chosen', async () => {
    acceptSender.mockReset().mockResolvedValue(sender);
    setCalls({ acceptSender });
    const shown = { ...stranger, certificate: 'CN=north, O=Hospital' };
    const { baseElement } = render(<AcceptSenderDrawer sender={shown} onClose={() => undefined} />);
    expect(screen.getByText(/^CN=north, O=Hospital\. From any address/)).toBeTruthy();
    expect(screen.queryByLabelText('Address')).toBeNull();
    await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
    await writeInto(screen.getByLabelText('Name'), 'North gateway');
    await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
    await waitFor(() => expect(acceptSender).toHaveBeenCalledTimes(1));
    const body = { unknownId: 1, name: 'North gateway', isTrial: false };
    expect(acceptSender).toHaveBeenLastCalledWith({ body: { ...body, address: null } });
    await userEvent.click(screen.getByText('Its address'));
    await writeInto(screen.getByLabelText('Name'), 'North gateway');
    expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('10.1.9.9');
    await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
    await waitFor(() => expect(acceptSender).toHaveBeenCalledTimes(2));
    expect(acceptSender).toHaveBeenLastCalledWith({ body: { ...body, address: '10.1.9.9' } });
  });

  it('accepts a sender as one on trial', async () => {
    acceptSender.mockReset().mockResolvedValue(sender);
    setCalls({ acceptSender });
    render(<AcceptSenderDrawer sender={stranger} onClose={() => undefined} />);
    await writeInto(screen.getByLabelText('Name'), 'North gateway');
    await userEvent.click(screen.getByRole('checkbox', { name: /Reaches trial patients only/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
    await waitFor(() => expect(acceptSender).toHaveBeenCalled());
    expect(acceptSender.mock.lastCall?.[0].body).toMatchObject({ isTrial: true });
  });

  it('keeps what was typed if the address is refused', async () => {
    acceptSender.mockReset().mockRejectedValue(
      new ApiFailure('invalid', 'address: does not hold 10.1.9.9, from where it sends', {
        status: 422,
        fields: { address: 'does not hold 10.1.9.9, from where it sends' },
      }),
    );
    setCalls({ acceptSender });
    render(<AcceptSenderDrawer sender={stranger} onClose={() => undefined} />);
    await writeInto(screen.getByLabelText('Name'), 'North gateway');
    await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
    await expect(screen.findByText('Address does not hold 10.1.9.9, from where it sends')).resolves.toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('North gateway');
  });
});
