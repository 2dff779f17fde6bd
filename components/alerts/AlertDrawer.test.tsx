import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useAlertLog } from '../../hooks/useAlertLog';
import { useChart } from '../../hooks/useChart';
import { type ChatState, useChat } from '../../hooks/useChat';
import { openChannel, useChatDirectory } from '../../hooks/useChatDirectory';
import { ApiFailure } from '../../lib/browser/client';
import { chooseOption } from '../../test/antdSelect';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedAlert } from '../../test/inventedAlert';
import { inventedAllergy, inventedChart } from '../../test/inventedChart';
import { inventedPatient, inventedUser, secondsAgo } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { AlertDrawer } from './AlertDrawer';
import { SendToChatForm } from './SendToChatForm';

jest.mock('../../hooks/useAlertLog');
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useChart');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/useChat');
jest.mock('../../hooks/useChatDirectory');

describe('AlertDrawer', () => {
  const rejectAlert = callMock<'rejectAlert'>();
  const answerContact = callMock<'answerContact'>();
  const settleAlertSource = callMock<'settleAlertSource'>();
  const resolveAlert = callMock<'resolveAlert'>();
  const user = inventedUser();
  const identity = { standby: null, comfortCare: null, news2: null };

  describe('the drawer of an act on an alert', () => {
    it('acts on the alert that its user saw, and on a newer one only after a refusal has named it', async () => {
      setCalls({ rejectAlert });
      const newer = inventedAlert(1, { version: 4 });
      const drawer = (version: number) => (
        <AlertDrawer
          is="reject"
          alert={inventedAlert(1, { version })}
          isClosed={false}
          opened={3}
          user={user}
          onClose={onClose}
        />
      );
      const onClose = jest.fn();
      const { rerender } = render(drawer(3));
      await writeInto(screen.getByLabelText(/^Why/), 'In theatre');
      rerender(drawer(4));
      rejectAlert.mockRejectedValueOnce(
        new ApiFailure('alert_changed', 'This alert has changed. Nia Demo took it.', {
          status: 409,
          conflict: { alert: newer, lastAct: null },
        }),
      );
      const press = () => userEvent.click(screen.getByRole('button', { name: 'I can’t come' }));
      await press();
      await expect(screen.findByText('Not sent. This alert has changed. Nia Demo took it.')).resolves.toBeTruthy();
      expect(rejectAlert).toHaveBeenLastCalledWith({ params: { id: 1 }, body: { reason: 'In theatre', version: 3 } });
      rejectAlert.mockResolvedValueOnce(newer);
      await press();
      await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
      expect(rejectAlert).toHaveBeenLastCalledWith({ params: { id: 1 }, body: { reason: 'In theatre', version: 4 } });
    });

    it('says whether help outside was called, and nothing without a reason if it is not needed', async () => {
      setCalls({ answerContact });
      const onClose = jest.fn();
      const alert = inventedAlert(1, { version: 3 });
      render(<AlertDrawer is="contact" alert={alert} isClosed={false} opened={3} user={user} onClose={onClose} />);
      await chooseOption(screen.getByRole('combobox', { name: /^Help outside/ }), 'Not needed');
      const press = () => userEvent.click(screen.getByRole('button', { name: 'Record' }));
      await press();
      expect(answerContact).not.toHaveBeenCalled();
      await writeInto(screen.getByLabelText(/^Why it is not needed/), 'The team is here');
      answerContact.mockResolvedValueOnce(alert);
      await press();
      await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
      const body = { answer: 'not_needed', reason: 'The team is here', version: 3 };
      expect(answerContact).toHaveBeenLastCalledWith({ params: { id: 1 }, body });
    });

    it('settles which of two sources counts, for a reason', async () => {
      setCalls({ settleAlertSource });
      const onClose = jest.fn();
      const alert = inventedAlert(1, { version: 3, sources: [{ id: 8, name: 'monitor' }] });
      render(<AlertDrawer is="source" alert={alert} isClosed={false} opened={3} user={user} onClose={onClose} />);
      await chooseOption(screen.getByRole('combobox', { name: /^Source/ }), 'monitor counts');
      const press = () => userEvent.click(screen.getByRole('button', { name: 'Settle' }));
      await press();
      expect(settleAlertSource).not.toHaveBeenCalled();
      await writeInto(screen.getByLabelText(/^Why/), 'Loose probe');
      settleAlertSource.mockResolvedValueOnce(alert);
      await press();
      await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
      const body = { deviceId: 8, reason: 'Loose probe', version: 3 };
      expect(settleAlertSource).toHaveBeenLastCalledWith({ params: { id: 1 }, body });
    });

    it('has the numbers of the patient’s chart when the patient asked for a call, the patient’s own first', () => {
      setReads({ getPatient: answered({ ...inventedPatient(1), ...identity }) });
      const contact = (id: number, role: 'patient' | 'nextOfKin', phone: string, status: 'current' | 'superseded') => ({
        ...inventedAllergy(id, ''),
        section: 'contacts' as const,
        value: {
          role,
          name: role === 'patient' ? null : 'Alex',
          relation: null,
          phone,
          note: role === 'patient' ? 'Polish' : null,
        },
        status,
      });
      const contacts = [
        contact(1, 'nextOfKin', '01632 960002', 'current'),
        contact(2, 'patient', '01632 960003', 'superseded'),
        contact(3, 'patient', '01632 960001', 'current'),
      ];
      const alert = inventedAlert(1, { parameter: 'callRequest' });
      const shown = (chart: Partial<ReturnType<typeof useChart>>) => {
        jest.mocked(useChart).mockReturnValue({ data: undefined, error: undefined, ...chart } as never);
        return <AlertDrawer is="phone" alert={alert} isClosed={false} opened={3} user={user} onClose={jest.fn()} />;
      };
      const { rerender } = render(shown({ data: inventedChart(1, { contacts }) }));
      expect(useChart).toHaveBeenLastCalledWith(alert.patientId);
      expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        '01632 960001PatientPolish',
        '01632 960002Next of kin: Alex',
      ]);
      expect(screen.getByText('07 Mar 1950').parentElement?.textContent).toBe('Born 07 Mar 1950');
      expect(screen.getByRole('link', { name: '01632 960001' }).getAttribute('href')).toBe('tel:01632960001');
      rerender(shown({ data: inventedChart(1) }));
      expect(screen.getByText('No phone number in the patient chart.')).toBeTruthy();
      rerender(shown({ error: new ApiFailure('unreachable', 'The server does not answer.') }));
      expect(screen.getByRole('alert').textContent).toBe('The chart cannot be read: The server does not answer.');
    });

    it('never shows the date of birth of another patient beside the numbers', () => {
      setReads({ getPatient: answered({ ...inventedPatient(2), ...identity }) });
      jest.mocked(useChart).mockReturnValue({ data: inventedChart(1), error: undefined } as never);
      const alert = inventedAlert(1, { parameter: 'callRequest' });
      render(<AlertDrawer is="phone" alert={alert} isClosed={false} opened={3} user={user} onClose={jest.fn()} />);
      expect(screen.getByText('--').parentElement?.textContent).toBe('Born --');
    });

    it('resolves the alert after the call, with what was done, for a user who may', async () => {
      setCalls({ resolveAlert });
      setReads({ getPatient: answered({ ...inventedPatient(1), ...identity }) });
      jest.mocked(useChart).mockReturnValue({ data: inventedChart(1), error: undefined } as never);
      const alert = inventedAlert(1, { parameter: 'callRequest', rule: 'symptoms.callRequested' });
      resolveAlert.mockResolvedValue(alert);
      const onClose = jest.fn();
      const drawer = (isClosed: boolean) => (
        <AlertDrawer is="phone" alert={alert} isClosed={isClosed} opened={3} user={user} onClose={onClose} />
      );
      const { rerender } = render(drawer(true));
      expect(screen.queryByRole('region', { name: 'After the call' })).toBeNull();
      rerender(drawer(false));
      expect(screen.getByText(/^Not reached: the alert stays open/)).toBeTruthy();
      await userEvent.click(screen.getByRole('button', { name: 'Reached: resolve the alert …' }));
      expect(screen.getByText('The alert closes at once.')).toBeTruthy();
      await chooseOption(screen.getByLabelText(/^What came of it/), 'No action needed');
      await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
      await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
      expect(resolveAlert).toHaveBeenCalledWith({
        params: { id: 1 },
        body: { version: 3, outcome: 'no_action_needed', note: 'Reached by phone.' },
      });
    });

    it('says that its alert is closed and not what it said before, and names a choice that was not made', async () => {
      jest.mocked(useAlertLog).mockReturnValue([
        { is: 'resolved', at: secondsAgo(9), by: { id: 7, name: 'Noor Demo' }, outcome: 'intervention', note: '' },
        { is: 'closed', at: secondsAgo(5), by: null, because: 'ended' },
      ]);
      const alert = inventedAlert(1, { sentence: 'SpO2 86 % < 88 for 4 min' });
      const drawer = (isClosed: boolean) => (
        <AlertDrawer is="resolve" alert={alert} isClosed={isClosed} opened={3} user={user} onClose={jest.fn()} />
      );
      const { rerender } = render(drawer(false));
      await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
      await expect(screen.findByText('What came of it is not chosen')).resolves.toBeTruthy();
      expect(screen.getByText('SpO2 86 % < 88 for 4 min')).toBeTruthy();
      rerender(drawer(true));
      expect(screen.queryByText('SpO2 86 % < 88 for 4 min')).toBeNull();
      expect(screen.getByText('Closed: resolved by Noor Demo')).toBeTruthy();
    });
  });
});

describe('SendToChatForm', () => {
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
      jest
        .mocked(openChannel)
        .mockRejectedValue(new ApiFailure('not_found', 'There is nothing here.', { status: 404 }));
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
});
