import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createContext, createElement, useContext, useState, type ReactNode } from 'react';
import { useChat, type ChatState } from '../../hooks/useChat';
import { openChannel, useChatDirectory } from '../../hooks/useChatDirectory';
import { ApiFailure } from '../../lib/browser/client';
import { useShownAlerts, type ShownAlerts } from '../../hooks/useShownAlerts';
import { alertMessage } from '../../lib/chat/alertMessage';
import type { ChatDirectory } from '../../lib/chat/schema';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered } from '../../test/calls';
import { expectConsole } from '../../test/expectConsole';
import { inventedUser, wardNow } from '../../test/inventedWard';
import { ChatTitlesContext } from './chatTitles';
import { ChatPanel } from './ChatPanel';
import type { NoteWish } from './MessageNoteDrawer';

jest.mock('../../hooks/useChat');
jest.mock('../../hooks/useChatDirectory');
jest.mock('../../hooks/useShownAlerts');
jest.mock('./MessageNoteDrawer', () => ({
  MessageNoteDrawer: ({ client: _, onClose, ...wish }: NoteWish & { user?: User; onClose: () => void }) => (
    <button onClick={onClose}>{JSON.stringify({ ...wish, user: undefined, openedAt: undefined })}</button>
  ),
}));

/** Replaces the service's components at their import. The tests look at the props that they get. */
interface InventedChannel {
  id: string;
  watch: () => Promise<void>;
}
const given: { theme?: string; overrides: Record<string, unknown>; isBroken: boolean } = {
  overrides: {},
  isBroken: false,
};
interface InventedMessage {
  id: string;
  cid: string;
  text: string;
  created_at: Date;
  user: { id: string; name: string };
  attachments?: object[];
}
const invented = { inList: [] as string[], messages: [] as InventedMessage[], closeMenu: jest.fn() };
jest.mock('stream-chat-react', () => {
  const Active = createContext<{
    channel: InventedChannel | undefined;
    setActiveChannel: (channel?: InventedChannel) => void;
  }>({
    channel: undefined,
    setActiveChannel: () => {},
  });
  const Message = createContext<InventedMessage | null>(null);
  const Plain = ({ children }: { children?: ReactNode }) => createElement('div', null, children);
  return {
    Streami18n: class {},
    Chat: ({ children, theme }: { children: ReactNode; theme: string }) => {
      const [channel, setChannel] = useState<InventedChannel | undefined>(undefined);
      if (given.isBroken) {
        throw new Error('Ada Example wrote something that cannot be drawn');
      }
      given.theme = theme;
      return createElement(Active, { value: { channel, setActiveChannel: setChannel } }, children);
    },
    WithComponents: ({ children, overrides }: { children: ReactNode; overrides: Record<string, unknown> }) => {
      given.overrides = overrides;
      return children;
    },
    useChatContext: () => ({ client: jest.mocked(useChat)().client, ...useContext(Active) }),
    ChannelList: () =>
      createElement(
        'div',
        null,
        invented.inList.map((id) =>
          createElement(
            given.overrides.ChannelListItemUI as 'div',
            { key: id, channel: { id }, displayTitle: `Outside name of ${id}` } as never,
          ),
        ),
      ),
    Channel: Plain,
    Window: Plain,
    Thread: () => null,
    MessageList: () =>
      createElement(
        'div',
        null,
        'Messages',
        invented.messages.map((message) =>
          createElement(
            Message,
            { key: message.id, value: message },
            createElement(given.overrides.MessageActions as 'div'),
            createElement(given.overrides.Attachment as 'div', { attachments: message.attachments ?? [] } as never),
          ),
        ),
      ),
    useMessageContext: () => ({ message: useContext(Message) }),
    useContextMenuContext: () => ({ closeMenu: invented.closeMenu }),
    ContextMenuButton: ({ children, onClick }: { children: ReactNode; onClick: () => void }) =>
      createElement('button', { onClick }, children),
    defaultMessageActionSet: [{ type: 'quote', placement: 'dropdown', Component: () => 'Quote Reply' }],
    MessageActions: ({ messageActionSet }: { messageActionSet: { type: string; Component: () => ReactNode }[] }) =>
      messageActionSet.map(({ type, Component }) => createElement(Component, { key: type })),
    Attachment: ({ attachments, UnsupportedAttachment }: Record<string, unknown> & { attachments: object[] }) =>
      attachments.map((attachment, key) => createElement(UnsupportedAttachment as 'div', { key, attachment } as never)),
    MessageComposer: () => createElement('div', null, 'Composer'),
  };
});

interface ComposerConfig {
  attachments: { fileUploadFilter: () => boolean };
  linkPreviews: { enabled: boolean };
}
const setup: { apply: (composer: { composer: { updateConfig: (config: ComposerConfig) => void } }) => void } = {
  apply: () => {},
};
const watch = jest.fn(() => Promise.resolve());
const client = {
  userID: 'u-7',
  channel: (_type: string, id: string) => ({ id, watch }),
  setMessageComposerSetupFunction: (apply: typeof setup.apply) => {
    setup.apply = apply;
  },
};
const retry = jest.fn();
const directory: ChatDirectory = {
  channels: [
    { id: 'site-1', kind: 'site', title: 'Harbour Ward' },
    { id: 'unit-3', kind: 'unit', title: 'East' },
    { id: 'patient-12', kind: 'careTeam', title: 'Sam Sample, bed 4' },
  ],
  colleagues: [
    { id: 8, name: 'Omar Haddad', type: 'physician' },
    { id: 9, name: 'Kim Example', type: 'nurse' },
  ],
};

function show(
  state: Partial<ChatState> = {},
  {
    layout = 'narrow',
    patientId = null,
    user = inventedUser(),
  }: { layout?: 'wide' | 'narrow'; patientId?: number | null; user?: User } = {},
) {
  jest.mocked(useChat).mockReturnValue({ status: 'connected', client: client as never, unread: 0, retry, ...state });
  jest.mocked(useChatDirectory).mockReturnValue({
    data: directory,
    error: undefined,
    isLoading: false,
    isRefreshing: false,
    asOf: wardNow,
    refresh: () => Promise.resolve(),
  });
  return render(<ChatPanel user={user} layout={layout} patientId={patientId} />);
}

beforeEach(() => {
  given.isBroken = false;
  invented.inList = [];
  invented.messages = [];
  invented.closeMenu.mockClear();
  jest
    .mocked(useShownAlerts)
    .mockReset()
    .mockReturnValue(answered<ShownAlerts>({ items: [], total: 0, version: '1', asked: [3, 9] }));
  retry.mockClear();
  watch.mockReset().mockResolvedValue();
  jest.mocked(openChannel).mockReset().mockResolvedValue('direct-7-8');
  document.documentElement.dataset.theme = 'light';
});

describe('the chat', () => {
  it('says that it cannot be reached, and tries again on request', async () => {
    show({ status: 'failed', client: null });
    expect(screen.getByRole('status').textContent).toContain('Chat cannot be reached');
    expect(screen.queryByRole('alert')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(retry).toHaveBeenCalledTimes(1);
  });

  it.each(['off', 'connecting'] as const)('says that it connects while it is %s', (status) => {
    show({ status, client: null });
    expect(screen.getByRole('status').textContent).toContain('Connecting');
  });

  it('is the only part missing if it cannot be drawn, and logs no messages', async () => {
    const lines = expectConsole('error');
    given.isBroken = true;
    show();
    await expect(screen.findByText('Chat cannot be shown')).resolves.toBeTruthy();
    expect(lines.filter(([text]) => text === 'The chat could not be drawn')).toEqual([['The chat could not be drawn']]);
    given.isBroken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await expect(screen.findByRole('button', { name: 'Write to …' })).resolves.toBeTruthy();
  });

  it('says that it is not a record and not an alarm', async () => {
    show();
    await expect(screen.findByText(/not part of the patient record and alerts no one/)).resolves.toBeTruthy();
  });

  it.each([
    ['light', 'str-chat__theme-light'],
    ['dark', 'str-chat__theme-dark'],
  ])('follows the page by %s', async (theme, name) => {
    document.documentElement.dataset.theme = theme;
    show();
    await screen.findByRole('button', { name: 'Write to …' });
    expect(given.theme).toBe(name);
  });

  it('shows our own titles in the list, and requests those of care teams that are not the user’s own', async () => {
    invented.inList = ['patient-12', 'patient-44', 'direct-7-8', 'direct-7-99'];
    show();
    await expect(screen.findByRole('button', { name: 'Care team: Sam Sample, bed 4' })).resolves.toBeTruthy();
    expect(screen.getByRole('button', { name: 'Omar Haddad' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Outside name of direct-7-99' })).toBeTruthy();
    expect(jest.mocked(useChatDirectory).mock.calls.at(-1)).toEqual([[44]]);
  });

  it('takes no files, shows no link previews and records no voice', async () => {
    show();
    await screen.findByRole('button', { name: 'Write to …' });
    const updateConfig = jest.fn<void, [ComposerConfig]>();
    setup.apply({ composer: { updateConfig } });
    const [config] = updateConfig.mock.calls[0] ?? [];
    expect([config?.attachments.fileUploadFilter(), config?.linkPreviews.enabled]).toEqual([false, false]);
    expect(Object.keys(given.overrides)).toEqual(
      expect.arrayContaining(['AttachmentSelector', 'AudioRecorder', 'StartRecordingAudioButton']),
    );
  });

  it('opens a message to a colleague who is found by name, and goes back to the channels', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Write to …' }));
    await userEvent.type(screen.getByLabelText('Find by name'), 'omar');
    expect(screen.queryByRole('button', { name: /Kim/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Omar Haddad Physician' }));
    expect(jest.mocked(openChannel).mock.calls).toEqual([[{ kind: 'direct', userId: 8 }]]);
    await expect(screen.findByText('Composer')).resolves.toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'All channels' }));
    expect(screen.getByRole('button', { name: 'Write to …' })).toBeTruthy();
  });

  it.each([
    ['Harbour Ward', { kind: 'site' }],
    ['East', { kind: 'unit', unitId: 3 }],
    ['Sam Sample, bed 4', { kind: 'careTeam', patientId: 12 }],
  ])('opens the channel of %s', async (name, body) => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Write to …' }));
    await userEvent.click(screen.getByRole('button', { name }));
    expect(jest.mocked(openChannel).mock.calls).toEqual([[body]]);
  });

  it('opens the care team of the patient whose page the user was on, under the patient’s name', async () => {
    jest.mocked(openChannel).mockResolvedValue('patient-12');
    show({}, { layout: 'wide', patientId: 12 });
    await expect(screen.findByRole('heading', { name: 'Care team: Sam Sample, bed 4' })).resolves.toBeTruthy();
    expect(jest.mocked(openChannel).mock.calls).toEqual([[{ kind: 'careTeam', patientId: 12 }]]);
  });

  it.each([
    [
      'the server refuses',
      new ApiFailure('not_found', 'There is nothing at this address.', { status: 404 }),
      'There is nothing at this address.',
    ],
    ['the service fails', new Error('Ada Example may not'), 'The chat service does not answer. Try again.'],
  ])('says why a channel cannot be opened: %s', async (_, problem, words) => {
    jest.mocked(openChannel).mockRejectedValue(problem);
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Write to …' }));
    await userEvent.click(screen.getByRole('button', { name: 'East' }));
    expect((await screen.findByText(words)).closest('[role="alert"]')).not.toBeNull();
  });

  describe('a message', () => {
    const sent: InventedMessage = {
      id: 'm-1',
      cid: 'messaging:patient-12',
      text: 'Given 2 l of oxygen.',
      created_at: new Date(wardNow),
      user: { id: 'u-8', name: 'A name that its owner chose at the service' },
    };
    const talk = (messages: InventedMessage[], user?: User) => {
      invented.messages = messages;
      jest.mocked(openChannel).mockResolvedValue('patient-12');
      return show({}, { layout: 'wide', patientId: 12, user });
    };
    const opened = async (): Promise<unknown> =>
      JSON.parse((await screen.findByRole('button', { name: /"message"/ })).textContent);

    it.each(['technician', 'viewer', 'administrator'] as const)(
      'cannot be made a note by one who writes none: %s',
      async (type) => {
        talk([sent], inventedUser({ type }));
        await expect(screen.findByText(/Quote Reply/)).resolves.toBeTruthy();
        expect(screen.queryByRole('button', { name: 'Make a note' })).toBeNull();
      },
    );

    it('can be made a note, with its author by our own directory and the patient of its channel', async () => {
      talk([sent]);
      await userEvent.click(await screen.findByRole('button', { name: 'Make a note' }));
      await expect(opened()).resolves.toMatchObject({
        author: 'Omar Haddad',
        patientId: 12,
        message: { id: 'm-1', authorId: 8, at: wardNow, text: sent.text },
      });
      expect(invented.closeMenu).toHaveBeenCalledTimes(1);
    });

    it.each([
      [{ id: 'u-7', name: 'x' }, 'Ines Moreau'],
      [{ id: 'u-99', name: 'Former Colleague' }, 'Former Colleague (the name in the chat)'],
      [{ id: 'bot', name: '' }, 'an unknown author'],
    ])('names its author as far as that is known: %j', async (author, expected) => {
      talk([{ ...sent, user: author, cid: 'messaging:site-1' }]);
      await userEvent.click(await screen.findByRole('button', { name: 'Make a note' }));
      await expect(opened()).resolves.toMatchObject({ author: expected, patientId: null });
    });

    it('keeps its note open while the chat loses its connection', async () => {
      const { rerender } = talk([sent]);
      await userEvent.click(await screen.findByRole('button', { name: 'Make a note' }));
      await opened();
      jest.mocked(useChat).mockReturnValue({ status: 'failed', client: null, unread: 0, retry });
      rerender(<ChatPanel user={inventedUser()} layout="wide" patientId={12} />);
      expect(screen.getByText('Chat cannot be reached')).toBeTruthy();
      await userEvent.click(screen.getByRole('button', { name: /"message"/ }));
      expect(screen.queryByRole('button', { name: /"message"/ })).toBeNull();
    });

    it('that carries an alert is its card, and all cards are one read', async () => {
      talk([
        { ...sent, attachments: alertMessage('m-2', 9).attachments },
        { ...sent, id: 'm-3', attachments: alertMessage('m-3', 3).attachments },
      ]);
      const cards = await screen.findAllByText('You cannot see this alert.');
      expect(cards).toHaveLength(2);
      await waitFor(() => expect(jest.mocked(useShownAlerts).mock.lastCall).toEqual([[3, 9]]));
    });
  });

  it.each(['wide', 'narrow'] as const)('has no accessibility violation in any of its states (%s)', async (layout) => {
    const failed = show({ status: 'failed', client: null }, { layout });
    await expect(axeViolations(failed.container)).resolves.toEqual([]);
    failed.unmount();
    const { container } = show({}, { layout });
    await screen.findByRole('button', { name: 'Write to …' });
    await expect(axeViolations(container)).resolves.toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Write to …' }));
    expect(within(screen.getByRole('region', { name: 'Colleagues' })).getAllByRole('button')).toHaveLength(2);
    await expect(axeViolations(container)).resolves.toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'East' }));
    await screen.findByText('Composer');
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

it('has no titles outside the chat', () => {
  function Titles() {
    const { titles, request } = useContext(ChatTitlesContext);
    request(1);
    return titles.size;
  }
  expect(render(<Titles />).container.textContent).toBe('0');
});
