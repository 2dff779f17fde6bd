import { useContext, useEffect } from 'react';
import type { ChannelListItemUIProps } from 'stream-chat-react';
import { placeOfChannel } from '../../lib/chat/channels';
import { formatDate, formatTime } from '../../lib/time/formatTime';
import styles from './chat.module.css';
import { ChatTitlesContext } from './chatTitles';
import { Unread } from './Unread';

/** A channel in the list, under our own title where we have one: when and what was written last, and what is unread. */
export function ChannelEntry({
  channel,
  active,
  displayTitle,
  lastMessage,
  latestMessagePreview,
  unread,
  setActiveChannel,
}: ChannelListItemUIProps) {
  const { titles, ask, timeZone } = useContext(ChatTitlesContext);
  const id = channel.id ?? '';
  const title = titles.get(id);
  useEffect(() => {
    const place = title === undefined ? placeOfChannel(id) : null;
    if (place?.kind === 'careTeam') {
      ask(place.patientId);
    }
  }, [id, title, ask]);
  return (
    <button
      type="button"
      className={styles.channel}
      aria-current={active === true ? 'true' : undefined}
      onClick={() => {
        void setActiveChannel?.(channel);
      }}
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

/** The time of a message of the last hours, else its day. */
function when(at: number, timeZone: string): string {
  return Date.now() - at < 12 * 3_600_000 ? formatTime(at, timeZone) : formatDate(at, timeZone);
}
