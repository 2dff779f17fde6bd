import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import type { SendersResponse } from '../../lib/interfaces/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { AcceptSenderDrawer } from './AcceptSenderDrawer';
import { InterfacesScreen } from './InterfacesScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/interfaces' }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');

const acceptSender = callMock<'acceptSender'>();
const revokeSender = callMock<'revokeSender'>();
const sender = {
  id: 4,
  name: 'North gateway',
  address: '10.1.2.0/24',
  application: 'GATEWAY',
  facility: '',
  acceptedAt: secondsAgo(600),
  revokedAt: null,
  connections: 2,
  lastMessageAt: secondsAgo(4),
  answers: { AA: 12, AE: 3, AR: 1 },
  repeated: 1,
  broken: 0,
  unmapped: [{ code: 'X-1^Mystery^L', count: 9 }],
};
const stranger = {
  id: 1,
  address: '10.1.9.9',
  application: '',
  facility: 'WARD',
  messages: 5,
  firstAt: secondsAgo(60),
  lastAt: secondsAgo(2),
};
const door = { host: '127.0.0.1', port: 2575, isEncrypted: false, isExposed: false };

function show(change: Partial<SendersResponse> = {}) {
  setCalls({ acceptSender, revokeSender });
  setReads({ listSenders: answered({ door, items: [sender], total: 1, unknown: [stranger], ...change }) });
  return render(<InterfacesScreen user={inventedUser({ type: 'administrator', isAdmin: true })} now={wardNow} />);
}

describe('InterfacesScreen', () => {
  it('warns if others can read what gateways send', () => {
    show({ door: { ...door, host: '0.0.0.0', isExposed: true } });
    expect(screen.getByText('HL7 is not encrypted.')).toBeTruthy();
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
    expect(cells.slice(0, 2)).toEqual(['10.1.2.0/24 · GATEWAY · empty', '2']);
    expect(cells.slice(3, 6)).toEqual(['12', '3', '1']);
    expect(within(row).getByText('1 repeated; unknown codes: X-1^Mystery^L (9)')).toBeTruthy();
    expect(screen.getByRole('row', { name: /^10\.1\.9\.9 empty · WARD 5/ })).toBeTruthy();
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

describe('AcceptSenderDrawer', () => {
  it('accepts a sender under the name that was typed, from the network that was typed', async () => {
    acceptSender.mockReset().mockResolvedValue(sender);
    setCalls({ acceptSender });
    const close = jest.fn();
    const { baseElement } = render(<AcceptSenderDrawer sender={stranger} onClose={close} />);
    await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
    await userEvent.type(screen.getByLabelText('Name'), 'North gateway');
    await userEvent.clear(screen.getByLabelText('Address'));
    await userEvent.type(screen.getByLabelText('Address'), '10.1.9.0/24');
    await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
    await waitFor(() => expect(close).toHaveBeenCalled());
    expect(acceptSender).toHaveBeenCalledWith({
      body: { unknownId: 1, name: 'North gateway', address: '10.1.9.0/24' },
    });
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
    await userEvent.type(screen.getByLabelText('Name'), 'North gateway');
    await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
    await expect(screen.findByText('Address does not hold 10.1.9.9, from where it sends')).resolves.toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('North gateway');
  });
});
