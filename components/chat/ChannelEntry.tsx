import { useContext, useEffect } from 'react';
import type { ChannelListItemUIProps } from 'stream-chat-react';
import { placeOfChannel } from '../../lib/chat/channels';
import { formatDate, formatTime } from '../../lib/time/formatTime';
import styles from './chat.module.css';
import { ChatTitlesContext } from './chatTitles';
import { Unread } from './Unread';

/** A channel of the list, under our own title if it has one: the last message, its time, and the unread count. */
export function ChannelEntry({
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

/** Returns the time of a message of the last 12 hours, else its day. */
function when(at: number, timeZone: string): string {
  return Date.now() - at < 12 * 3_600_000 ? formatTime(at, timeZone) : formatDate(at, timeZone);
}
