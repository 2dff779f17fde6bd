import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useChat, type ChatState } from '../../hooks/useChat';
import { openChannel, useChatDirectory } from '../../hooks/useChatDirectory';
import { ApiFailure } from '../../lib/browser/client';
import { answered } from '../../test/calls';
import { inventedAlert } from '../../test/inventedAlert';
import { SendToChatForm } from './SendToChatForm';

jest.mock('../../hooks/useChat');
jest.mock('../../hooks/useChatDirectory');

const sendMessage = jest.fn<Promise<void>, [{ id: string }]>();
const channel = jest.fn<{ sendMessage: typeof sendMessage }, [type: string, id: string]>(() => ({ sendMessage }));
const retry = jest.fn();
const onDone = jest.fn();

function show(state: Partial<ChatState> = {}) {
  jest
    .mocked(useChat)
    .mockReturnValue({ status: 'connected', client: { channel } as never, unread: 0, retry, ...state });
  jest.mocked(useChatDirectory).mockReturnValue(
    answered({
      channels: [
        { id: 'site-1', kind: 'site', title: 'Harbour Ward' },
        { id: 'patient-1', kind: 'careTeam', title: 'Sam Sample1, bed 1' },
      ],
      colleagues: [{ id: 8, name: 'Omar Haddad', type: 'physician' }],
    }),
  );
  return render(<SendToChatForm alert={inventedAlert(123)} onDone={onDone} />);
}

async function choose(label: string): Promise<void> {
  await userEvent.click(screen.getByLabelText('Where to'));
  await userEvent.click(await screen.findByTitle(label));
}
const press = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));

beforeEach(() => {
  sendMessage.mockReset().mockResolvedValue();
  channel.mockClear();
  retry.mockClear();
  onDone.mockClear();
  jest.mocked(openChannel).mockReset().mockResolvedValue('patient-1');
});

describe('sending an alert to the chat', () => {
  it('sends nothing without a channel', async () => {
    show();
    await press();
    await expect(screen.findByText('Where to is not chosen')).resolves.toBeTruthy();
    expect(openChannel).not.toHaveBeenCalled();
  });

  it('says that the chat cannot be reached, and sends nothing', async () => {
    show({ status: 'failed', client: null });
    expect(screen.getByRole('alert').textContent).toBe('The chat cannot be reached.');
    expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(retry).toHaveBeenCalledTimes(1);
  });

  it('sends nothing into a channel to which its user does not belong', async () => {
    jest.mocked(openChannel).mockRejectedValue(new ApiFailure('not_found', 'There is nothing here.', { status: 404 }));
    show();
    await choose('Sam Sample1, bed 1');
    await press();
    await expect(screen.findByText('Not sent. There is nothing here.')).resolves.toBeTruthy();
    expect(sendMessage).not.toHaveBeenCalled();
    expect(onDone).not.toHaveBeenCalled();
  });

  it('sends the number of the alert: no name, no value, no MRN', async () => {
    show();
    await choose('Sam Sample1, bed 1');
    await press();
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(jest.mocked(useChatDirectory).mock.lastCall).toEqual([[1]]);
    expect(jest.mocked(openChannel).mock.calls).toEqual([[{ kind: 'careTeam', patientId: 1 }]]);
    expect(channel.mock.calls).toEqual([['messaging', 'patient-1']]);
    const sent = sendMessage.mock.calls.map(([{ id, ...rest }]) => [id.length, rest]);
    const attachments = [{ type: 'wardlight_alert', alertId: 123 }];
    expect(sent).toEqual([[36, { text: 'Alert 123 (open Wardlight to see it)', attachments }]]);
  });

  it.each([
    ['Harbour Ward', { kind: 'site' }],
    ['Omar Haddad', { kind: 'direct', userId: 8 }],
  ])('goes to %s as well', async (label, body) => {
    show();
    await choose(label);
    await press();
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(jest.mocked(openChannel).mock.calls).toEqual([[body]]);
  });

  it('is one message, also when the response to the first attempt was lost', async () => {
    sendMessage.mockRejectedValueOnce(new Error('timeout of 3000ms exceeded for Ada Example'));
    sendMessage.mockRejectedValueOnce(Object.assign(new Error('a message with this ID already exists'), { code: 4 }));
    show();
    await choose('Harbour Ward');
    await press();
    const words = 'The chat service does not answer. Try again: the alert is sent once.';
    await expect(screen.findByText(words)).resolves.toBeTruthy();
    await press();
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    const [first, second] = sendMessage.mock.calls.map(([{ id }]) => id);
    expect(second).toBe(first);
  });

  it('is another message in another channel', async () => {
    sendMessage.mockRejectedValueOnce(new Error('no answer'));
    show();
    await choose('Harbour Ward');
    await press();
    await screen.findByText(/does not answer/);
    await choose('Omar Haddad');
    await press();
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    const [first, second] = sendMessage.mock.calls.map(([{ id }]) => id);
    expect(second).not.toBe(first);
  });
});
