import 'stream-chat-react/dist/css/index.css';
import {
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type PropsWithChildren,
  useSyncExternalStore,
} from 'react';
import type { ChannelSort, StreamChat } from 'stream-chat';
import {
  Attachment,
  Channel,
  ChannelList,
  Chat,
  MessageComposer,
  MessageList,
  Streami18n,
  Thread,
  useChatContext,
  Window,
  WithComponents,
  type AttachmentProps,
  type ChannelListUIProps,
  type EmptyStateIndicatorProps,
  type ChannelListItemUIProps,
} from 'stream-chat-react';
import { openChannel, useChatDirectory } from '../../hooks/useChatDirectory';
import type { ApiFailure } from '../../lib/browser/client';
import { serverNow } from '../../lib/browser/serverClock';
import { channelId, channelType, placeOfChannel } from '../../lib/chat/channels';
import type { NotedMessage } from '../../lib/chat/messageNote';
import type { OpenChannelBody } from '../../lib/chat/schema';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { FormFailure } from '../ui/FormFailure';
import { AlertAttachment } from './AlertCard';
import { ChatAlertsContext, useChatAlerts } from './chatAlerts';
import { ChatTitlesContext } from './chatTitles';
import styles from './chat.module.css';
import roomStyles from './ChatRoom.module.css';
import { ChatMessageActions, MakeNoteContext } from './ChatMessageActions';
import { ChatPeople } from './ChatPeople';
import type { NoteWish } from './MessageNoteDrawer';
import { formatDate, formatTime } from '../../lib/time/formatTime';
import { Unread } from './Unread';

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** Returns the theme that is shown now, for components that do not follow our style sheets. */
function useShownTheme(): 'light' | 'dark' {
  return useSyncExternalStore(
    subscribe,
    () => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'),
    () => 'light',
  );
}

/** A channel of the list, under our own title if it has one: the last message, its time, and the unread count. */
function ChannelEntry({
  channel,
  active,
  displayTitle,
  lastMessage,
  latestMessagePreview,
  unread,
  setActiveChannel,
}: ChannelListItemUIProps) {
  const { titles, request, timeZone } = useContext(ChatTitlesContext);
  const id = channel.id ?? '';
  const title = titles.get(id);
  useEffect(() => {
    const place = title === undefined ? placeOfChannel(id) : null;
    if (place?.kind === 'careTeam') {
      request(place.patientId);
    }
  }, [id, title, request]);
  return (
    <button
      type="button"
      className={styles.channel}
      aria-current={active === true ? 'true' : undefined}
      onClick={() => void setActiveChannel?.(channel)}
    >
      <span className={styles.channelHead}>
        <strong>{title ?? displayTitle}</strong>
        {lastMessage === undefined ? null : (
          <span className={styles.quiet}>{when(lastMessage.created_at.getTime(), timeZone)}</span>
        )}
      </span>
      <span className={styles.channelHead}>
        <span className={styles.preview}>{latestMessagePreview}</span>
        <Unread count={unread ?? 0} />
      </span>
    </button>
  );
}

/** Returns the time of a message of the last 12 hours, else its day. */
function when(at: number, timeZone: string): string {
  return Date.now() - at < 12 * 3_600_000 ? formatTime(at, timeZone) : formatDate(at, timeZone);
}

interface ChatRoomProps {
  user: User;
  client: StreamChat;
  layout: 'wide' | 'narrow';
  patientId: number | null;
  onMakeNote: (wish: NoteWish) => void;
}

const sort: ChannelSort = [{ last_message_at: -1 }, { created_at: -1 }];

/** Channels and messages in the service's own components, with our titles and without files. */
export function ChatRoom({ user, client, layout, patientId, onMakeNote }: ChatRoomProps) {
  const theme = useShownTheme();
  const [language] = useState(() => new Streami18n({ language: 'en', timezone: user.site.timeZone }));
  const [requested, setRequested] = useState<readonly number[]>(patientId === null ? [] : [patientId]);
  const directory = useChatDirectory(requested);
  const [openedAt] = useState(() => serverNow() ?? Date.now());
  const alerts = useChatAlerts({ timeZone: user.site.timeZone, openedAt, canRead: can(user, 'readAlerts') });
  const known = directory.data;
  const value = useMemo(
    () => ({
      timeZone: user.site.timeZone,
      titles: new Map([
        ...(known?.channels.map(
          ({ id, title, kind }) => [id, kind === 'careTeam' ? `Care team: ${title}` : title] as const,
        ) ?? []),
        ...(known?.colleagues.map(
          ({ id, name }) => [channelId({ kind: 'direct', userIds: [user.id, id] }), name] as const,
        ) ?? []),
      ]),
      request: (id: number) => {
        setRequested((before) => (before.includes(id) ? before : [...before, id]));
      },
    }),
    [known, user.id, user.site.timeZone],
  );
  const makeNote = useMemo(() => {
    const names = new Map([
      [user.id, `${user.fname} ${user.lname}`] as const,
      ...(known?.colleagues.map(({ id, name }) => [id, name] as const) ?? []),
    ]);
    return can(user, 'writeNotes')
      ? (message: NotedMessage, ofPatient: number | null) => {
          const author = names.get(message.authorId ?? 0) ?? unprovenName(message.authorName);
          onMakeNote({ message, author, patientId: ofPatient, client, openedAt });
        }
      : null;
  }, [known, user, client, openedAt, onMakeNote]);
  useEffect(() => {
    // Pictures of patients stay in the hospital, and no page that a message links to is fetched.
    client.setMessageComposerSetupFunction(({ composer }) => {
      composer.updateConfig({ attachments: { fileUploadFilter: () => false }, linkPreviews: { enabled: false } });
    });
  }, [client]);
  return (
    <ChatTitlesContext value={value}>
      <Chat client={client} theme={`str-chat__theme-${theme}`} i18nInstance={language}>
        <WithComponents overrides={overrides}>
          <ChatAlertsContext value={alerts}>
            <MakeNoteContext value={makeNote}>
              <Rooms userId={client.userID ?? ''} layout={layout} patientId={patientId} directory={directory} />
            </MakeNoteContext>
          </ChatAlertsContext>
        </WithComponents>
      </Chat>
    </ChatTitlesContext>
  );
}

interface RoomsProps {
  /** The user's id at the service. */
  userId: string;
  layout: 'wide' | 'narrow';
  patientId: number | null;
  directory: ReturnType<typeof useChatDirectory>;
}

function Rooms({ userId, layout, patientId, directory }: RoomsProps) {
  const { client, channel, setActiveChannel } = useChatContext();
  const { titles } = useContext(ChatTitlesContext);
  const [isChoosing, setIsChoosing] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const filters = useMemo(() => ({ type: channelType, members: { $in: [userId] } }), [userId]);

  const open = useCallback(
    async (wanted: OpenChannelBody) => {
      setFailure(null);
      try {
        const opened = client.channel(channelType, await openChannel(wanted));
        await opened.watch();
        setActiveChannel(opened);
        setIsChoosing(false);
      } catch (problem) {
        setFailure(isFailure(problem) ? problem.message : 'The chat service does not answer. Try again.');
      }
    },
    [client, setActiveChannel],
  );

  const wantedFirst = useRef(patientId);
  useEffect(() => {
    const first = wantedFirst.current;
    wantedFirst.current = null;
    if (first !== null) {
      void open({ kind: 'careTeam', patientId: first });
    }
  }, [open]);

  const isList = layout === 'wide' || (channel === undefined && !isChoosing);
  return (
    <div className={`${layout === 'wide' ? styles.wide : styles.narrow} ${roomStyles.colors}`}>
      <div className={styles.list} hidden={!isList}>
        <button type="button" className={styles.write} onClick={() => setIsChoosing(true)}>
          Write to …
        </button>
        <ChannelList filters={filters} sort={sort} setActiveChannelOnMount={layout === 'wide' && patientId === null} />
      </div>
      <div className={styles.talk} hidden={layout === 'narrow' && isList}>
        <FormFailure>{failure}</FormFailure>
        {isChoosing ? (
          <ChatPeople
            directory={directory}
            onOpen={open}
            onClose={() => {
              setFailure(null);
              setIsChoosing(false);
            }}
          />
        ) : channel === undefined ? (
          layout === 'wide' ? (
            <p className={styles.message}>Choose a channel, or write to someone.</p>
          ) : null
        ) : (
          <>
            {layout === 'narrow' ? (
              <button type="button" className={styles.plain} onClick={() => setActiveChannel()}>
                All channels
              </button>
            ) : null}
            <Channel>
              <Window>
                <h2 className={styles.title}>{titles.get(channel.id ?? '') ?? channel.data?.name}</h2>
                <MessageList />
                <MessageComposer />
              </Window>
              <Thread />
            </Channel>
          </>
        )}
      </div>
    </div>
  );
}

/** Replaces the package's own list, which claims to be a list box but contains more than options. */
function PlainList({ children, error, loading }: PropsWithChildren<ChannelListUIProps>) {
  if (error != null) {
    return <p className={styles.message}>The channels cannot be shown.</p>;
  }
  return (
    <div className={styles.channels}>{loading === true ? <p className={styles.message}>Loading …</p> : children}</div>
  );
}

function NoChannels({ listType }: EmptyStateIndicatorProps) {
  return (
    <p className={styles.message}>
      {listType === 'channel' ? 'No channels yet. Write to someone.' : 'No messages yet.'}
    </p>
  );
}

function Nothing() {
  return null;
}

/** Attachments in the package's own looks; those that it does not know are ours. */
function ChatAttachments(attachments: AttachmentProps) {
  return <Attachment {...attachments} UnsupportedAttachment={AlertAttachment} />;
}

const overrides = {
  Attachment: ChatAttachments,
  MessageActions: ChatMessageActions,
  ChannelListItemUI: ChannelEntry,
  ChannelListUI: PlainList,
  EmptyStateIndicator: NoChannels,
  ChannelListHeader: Nothing,
  AttachmentSelector: Nothing,
  AudioRecorder: Nothing,
  StartRecordingAudioButton: Nothing,
};

/** The name of one whom our own directory does not list: anyone can call themselves what they like at the service. */
function unprovenName(name: string): string {
  return name === '' ? 'an unknown author' : `${name} (the name in the chat)`;
}

/** Whether it is our own failure, whose message is for users; those of the service are not. */
function isFailure(problem: unknown): problem is ApiFailure {
  return problem instanceof Error && problem.name === 'ApiFailure';
}
