import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Event as ServiceEvent, StreamChat } from 'stream-chat';
import { keepTextsOf } from '../../hooks/keptTexts';
import { poll } from '../../hooks/poll';
import { useAlerts } from '../../hooks/useAlerts';
import { usePatient } from '../../hooks/usePatient';
import { usePatientSearch } from '../../hooks/usePatientSearch';
import { useServerLost } from '../../hooks/useServerLost';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import type { NotedMessage } from '../../lib/chat/messageNote';
import type { Note } from '../../lib/notes/schema';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedNote } from '../../test/inventedNote';
import { inventedPatient, inventedUser, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { ChatScreen } from './ChatScreen';
import { MessageNoteDrawer } from './MessageNoteDrawer';

jest.mock('./ChatPanel', () => ({ ChatPanel: () => 'The chat itself' }));
jest.mock('../../hooks/useAlerts');
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/usePatient');
jest.mock('../../hooks/usePatientSearch');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/useServerLost');
jest.mock('../../hooks/poll');

describe('ChatScreen', () => {
  const show = (user: User, hasChat: boolean) => render(<ChatScreen user={user} hasChat={hasChat} patientId={null} />);

  describe('the page of the chat', () => {
    it('shows administrators without a key how to set it up', async () => {
      const { container } = show(inventedUser({ isAdmin: true }), false);
      expect(screen.getByText('STREAM_API_KEY')).toBeTruthy();
      expect(screen.getByText(/written agreement on patient data/)).toBeTruthy();
      await expect(axeViolations(container)).resolves.toEqual([]);
    });

    it('says to all others without a key that chat is not set up', () => {
      show(inventedUser(), false);
      expect(screen.getByText(/^Chat is not set up on this installation\./)).toBeTruthy();
      expect(screen.queryByText('STREAM_API_KEY')).toBeNull();
    });

    it('is not shown on a wall display', () => {
      show(inventedUser({ type: 'display' }), true);
      expect(screen.getByText(/A wall display has no chat/)).toBeTruthy();
    });

    it('is the chat if there is a key', async () => {
      show(inventedUser(), true);
      await expect(screen.findByText('The chat itself')).resolves.toBeTruthy();
    });
  });
});

describe('MessageNoteDrawer', () => {
  const user = inventedUser();
  const sam = inventedPatient(4);
  const message: NotedMessage = {
    id: 'm-1',
    authorId: 8,
    authorName: 'Outside name',
    at: Date.parse('2026-03-07T14:05:00Z'),
    editedAt: null,
    text: 'Given 2 l of oxygen.',
    attachments: 0,
  };
  const words = 'From the chat, Ada Byron, 14:05 UTC, 07 Mar 2026: Given 2 l of oxygen.';
  const addNote = callMock<'addNote'>();
  const onClose = jest.fn();
  const draftOf = (change: Partial<Note> = {}): Note =>
    inventedNote(1, { state: 'draft', signedAt: null, version: 1, text: words, ...change });

  let hear: (event: object) => void = () => undefined;
  const client: Pick<StreamChat, 'on'> = {
    on: (listener: unknown) => {
      hear = (event) => act(() => (listener as (event: ServiceEvent) => void)(event as ServiceEvent));
      return { unsubscribe: () => undefined };
    },
  };

  const utc = { ...user, site: { ...user.site, timeZone: 'UTC' } };

  function show(patientId: number | null = 4) {
    return render(
      <MessageNoteDrawer
        message={message}
        author="Ada Byron"
        patientId={patientId}
        user={utc}
        client={client as StreamChat}
        openedAt={wardNow}
        onClose={onClose}
      />,
    );
  }
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Start the note' }));
  const noteText = () => screen.findByLabelText('New note');

  beforeEach(() => {
    keepTextsOf(0);
    onClose.mockClear();
    jest
      .mocked(poll)
      .mockReset()
      .mockReturnValue(new Promise(() => undefined));
    jest.mocked(useServerLost).mockReturnValue(null);
    jest.mocked(useAlerts).mockReturnValue(answered({ items: [], total: 0, version: '1' }));
    jest.mocked(usePatient).mockReturnValue(answered(sam));
    jest.mocked(usePatientSearch).mockReturnValue([sam, inventedPatient(5)]);
    setReads({
      listNotes: answered({ items: [], total: 0, drafts: [] }),
      getPatient: answered({ ...sam, standby: null, comfortCare: null, news2: null }),
    });
    addNote.mockReset().mockResolvedValue(draftOf());
    setCalls({ addNote });
  });

  describe('making a note from a message', () => {
    it('asks for the patient first', async () => {
      show(null);
      await press();
      await expect(screen.findByText('Patient is not chosen')).resolves.toBeTruthy();
      expect(addNote).not.toHaveBeenCalled();
    });

    it.each([
      [
        new ApiFailure('not_found', 'There is nothing at this address.', { status: 404 }),
        'Not started. You cannot write about this patient, or you cannot see them any more.',
      ],
      [
        new ApiFailure('another_user', 'Another user has signed in.', { status: 409 }),
        'Not started. Another user has signed in.',
      ],
      [clientFailure('no_response'), /Press again: it makes one draft only\.$/],
    ])('says why it cannot begin (%#)', async (failure, expected) => {
      addNote.mockRejectedValueOnce(failure);
      show();
      await press();
      await expect(screen.findByText(expected)).resolves.toBeTruthy();
      expect(screen.queryByLabelText('New note')).toBeNull();
    });

    it('is not made from a message that was deleted meanwhile', async () => {
      show();
      hear({ type: 'message.deleted', message: { id: 'another' } });
      expect(screen.queryByText(/was deleted/)).toBeNull();
      hear({ type: 'message.deleted', message: { id: 'm-1' } });
      expect(screen.getByText(/This message was deleted after you opened it\./)).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Start the note' })).toHaveProperty('disabled', true);
    });

    it('shows an edit beside the message as it was, and takes it only when asked', async () => {
      show();
      const edit = { created_at: new Date(message.at), message_text_updated_at: '2026-03-07T14:10:00Z' };
      hear({ type: 'message.updated', message: { id: 'm-1', ...edit, text: message.text, pinned: true } });
      expect(screen.queryByText(/was edited/)).toBeNull();
      hear({ type: 'message.updated', message: { id: 'm-1', ...edit, text: 'Given 4 l of oxygen.' } });
      expect(screen.getByText(words)).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Start the note' })).toHaveProperty('disabled', true);
      await userEvent.click(screen.getByRole('button', { name: 'Take this text' }));
      await press();
      await waitFor(() => expect(addNote).toHaveBeenCalledTimes(1));
      expect(addNote.mock.lastCall?.[0].body.text).toBe(
        'From the chat, Ada Byron, 14:05 UTC, 07 Mar 2026 (edited 14:10 UTC, 07 Mar 2026): Given 4 l of oxygen.',
      );
    });

    it('begins a draft of its user with author, text and the time of the message, and signs nothing', async () => {
      show();
      expect(screen.getByText(words)).toBeTruthy();
      await expect(axeViolations(screen.getByRole('dialog'), 'region')).resolves.toEqual([]);
      await press();
      await expect(noteText()).resolves.toHaveProperty('value', words);
      const [input, ...more] = addNote.mock.calls.map(([each]) => each);
      expect(more).toEqual([]);
      expect(input).toMatchObject({
        params: { id: 4 },
        body: { type: 'nursing', text: words, eventTime: '2026-03-07T14:05:00.000Z', alertIds: [], authorId: user.id },
      });
      expect(screen.getByText('Sample4, Sam').closest('p')?.textContent).toBe('Sample4, Sam, MRN A-4');
      expect(screen.getByText('Draft saved. Only you see it.')).toBeTruthy();
      expect(screen.getByRole('button', { name: /^Sign the note/ })).toBeTruthy();
      expect(jest.mocked(poll)).not.toHaveBeenCalled();
      await expect(axeViolations(screen.getByRole('dialog'), 'label-content-name-mismatch', 'region')).resolves.toEqual(
        [],
      );
    });

    it('is one draft, however often it is pressed, and another one for another patient', async () => {
      addNote.mockRejectedValueOnce(clientFailure('no_response'));
      const first = show();
      await press();
      await screen.findByText(/Press again/);
      await press();
      await noteText();
      first.unmount();
      show(5);
      await press();
      await noteText();
      const ids = addNote.mock.calls.map(([{ body }]) => body.clientId);
      expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
    });

    it('opens the draft as it was left, with what is typed and not stored yet', async () => {
      const first = show();
      await press();
      await writeInto(await noteText(), ' Better.');
      first.unmount();
      addNote.mockResolvedValue(draftOf());
      show();
      await press();
      await expect(noteText()).resolves.toHaveProperty('value', `${words} Better.`);
    });

    it('replaces no other text about the patient that is not stored', async () => {
      jest.mocked(poll).mockReset().mockRejectedValue(clientFailure('unreachable'));
      const first = show();
      await press();
      await writeInto(await noteText(), ' Mine.');
      first.unmount();
      addNote.mockResolvedValue(draftOf({ id: 2 }));
      show();
      await press();
      await expect(noteText()).resolves.toHaveProperty('value', `${words} Mine.`);
      expect(screen.getByText(/What you typed about this patient before is not saved yet/)).toBeTruthy();
    });

    it('says that a note of this message is signed already, and makes no second one', async () => {
      addNote.mockResolvedValue(draftOf({ state: 'signed', signedAt: '2026-03-07T14:30:00.000Z' }));
      show();
      await press();
      await expect(
        screen.findByText(/You signed a note from this message about this patient on 07 Mar 2026 at 14:30\./),
      ).resolves.toBeTruthy();
      expect(screen.queryByLabelText('New note')).toBeNull();
    });

    it('ends with the signature of its user', async () => {
      show();
      await press();
      await noteText();
      jest
        .mocked(poll)
        .mockReset()
        .mockResolvedValue({ data: inventedNote(1), serverTime: null });
      await userEvent.click(screen.getByRole('button', { name: /^Sign the note/ }));
      await userEvent.click(await screen.findByRole('button', { name: 'Sign' }));
      await expect(screen.findByText(/Signed\. The note is among the notes of/)).resolves.toBeTruthy();
      expect(jest.mocked(poll).mock.calls.map(([name]) => name)).toEqual(['signNote']);
      await userEvent.click(screen.getByRole('button', { name: 'Back to the chat' }));
      expect(onClose).toHaveBeenCalledTimes(1);
    });

    it('says that the draft is saved if the patient cannot be read any more', async () => {
      const gone = new ApiFailure('not_found', 'There is nothing here.', { status: 404 });
      jest.mocked(usePatient).mockReturnValue(answered(sam, { data: undefined, error: gone }));
      show();
      await press();
      await expect(
        screen.findByText('You cannot see this patient any more. The draft is saved. Only you see it.'),
      ).resolves.toBeTruthy();
    });
  });
});
