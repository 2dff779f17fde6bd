import 'stream-chat-react/dist/css/index.css';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { ChannelSort, StreamChat } from 'stream-chat';
import {
  Channel,
  ChannelHeader,
  ChannelList,
  ChannelListItemUI,
  Chat,
  MessageComposer,
  MessageList,
  Streami18n,
  Thread,
  useChatContext,
  Window,
  WithComponents,
  type ChannelListItemUIProps,
} from 'stream-chat-react';
import { openChannel, useChatDirectory } from '../../hooks/useChatDirectory';
import type { ApiFailure } from '../../lib/api/client';
import { channelType, placeOfChannel } from '../../lib/chat/channels';
import type { OpenChannelBody } from '../../lib/chat/schema';
import type { User } from '../../lib/session/schema';
import { FormFailure } from '../ui/FormFailure';
import { ChannelTitlesContext } from './channelTitles';
import styles from './chat.module.css';
import roomStyles from './ChatRoom.module.css';
import { ChatPeople } from './ChatPeople';
import { useShownTheme } from './useShownTheme';

interface ChatRoomProps {
  user: User;
  client: StreamChat;
  layout: 'wide' | 'narrow';
  patientId: number | null;
}

const sort: ChannelSort = [{ last_message_at: -1 }, { created_at: -1 }];

/** Channels and messages as the service's own components show them, with our titles and without files. */
export function ChatRoom({ user, client, layout, patientId }: ChatRoomProps) {
  const theme = useShownTheme();
  const [language] = useState(() => new Streami18n({ language: 'en', timezone: user.site.timeZone }));
  const [asked, setAsked] = useState<readonly number[]>(patientId === null ? [] : [patientId]);
  const directory = useChatDirectory(asked);
  const known = directory.data;
  const value = useMemo(
    () => ({
      titles: new Map(known?.channels.map(({ id, title, kind }) => [id, kind === 'careTeam' ? `Care team: ${title}` : title])),
      ask: (id: number) => {
        setAsked((before) => (before.includes(id) ? before : [...before, id]));
      },
    }),
    [known],
  );
  useEffect(() => {
    // Pictures of patients stay in the house, and no page that a message names is fetched by anybody.
    client.setMessageComposerSetupFunction(({ composer }) => {
      composer.updateConfig({ attachments: { fileUploadFilter: () => false }, linkPreviews: { enabled: false } });
    });
  }, [client]);
  return (
    <ChannelTitlesContext value={value}>
      <Chat client={client} theme={`str-chat__theme-${theme}`} i18nInstance={language}>
        <WithComponents overrides={overrides}>
          <Rooms userId={client.userID ?? ''} layout={layout} patientId={patientId} directory={directory} />
        </WithComponents>
      </Chat>
    </ChannelTitlesContext>
  );
}

interface RoomsProps {
  /** The user's name at the service. */
  userId: string;
  layout: 'wide' | 'narrow';
  patientId: number | null;
  directory: ReturnType<typeof useChatDirectory>;
}

function Rooms({ userId, layout, patientId, directory }: RoomsProps) {
  const { client, channel, setActiveChannel } = useChatContext();
  const { titles } = useContext(ChannelTitlesContext);
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
        setFailure(isFailure(problem) ? problem.message : 'The chat service does not answer just now. Try again.');
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
        <button
          type="button"
          className={styles.write}
          onClick={() => {
            setIsChoosing(true);
          }}
        >
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
            <p className={styles.message}>Choose a channel, or write to somebody.</p>
          ) : null
        ) : (
          <>
            {layout === 'narrow' ? (
              <button
                type="button"
                className={styles.plain}
                onClick={() => {
                  setActiveChannel();
                }}
              >
                All channels
              </button>
            ) : null}
            <Channel>
              <Window>
                <ChannelHeader title={titles.get(channel.id ?? '')} />
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

/** A channel in the list under our own title where we have one. */
function TitledItem(props: ChannelListItemUIProps) {
  const { titles, ask } = useContext(ChannelTitlesContext);
  const id = props.channel.id ?? '';
  const title = titles.get(id);
  useEffect(() => {
    const place = title === undefined ? placeOfChannel(id) : null;
    if (place?.kind === 'careTeam') {
      ask(place.patientId);
    }
  }, [id, title, ask]);
  return <ChannelListItemUI {...props} displayTitle={title ?? props.displayTitle} />;
}

function Nothing() {
  return null;
}

const overrides = {
  ChannelListItemUI: TitledItem,
  ChannelListHeader: Nothing,
  AttachmentSelector: Nothing,
  AudioRecorder: Nothing,
  StartRecordingAudioButton: Nothing,
};

/** A refusal of ours, whose words are for people; the service's own are not. */
function isFailure(problem: unknown): problem is ApiFailure {
  return problem instanceof Error && problem.name === 'ApiFailure';
}
