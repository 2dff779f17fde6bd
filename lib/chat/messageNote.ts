import { longestNote } from '../notes/noteLimits';
import { toPlainLine, toPlainText } from '../plainText';
import type { EpochMs } from '../time/epochMs';
import { formatDate, formatTime, zoneLabel } from '../time/formatTime';
import { alertIdOf } from './alertMessage';
import { userIdOf } from './chatUserId';

/** A message of the chat, as far as a note is made from it. */
export interface NotedMessage {
  id: string;
  /** Its author among our users; null: none of ours, or not known. */
  authorId: number | null;
  /** The author's name as the chat service has it, which is not ours to trust. */
  authorName: string;
  at: EpochMs;
  /** When its text was changed last; null: never. */
  editedAt: EpochMs | null;
  text: string;
  /** How many attachments it has, alerts excepted: the text names those. */
  attachments: number;
}

/** A message as the chat service's package has it. */
interface ServiceMessage {
  id: string;
  text?: string;
  created_at?: Date | string;
  message_text_updated_at?: string;
  attachments?: readonly unknown[];
  user?: { id: string; name?: string } | null;
}

/** Returns what a note takes from a message; null if the message has no time. */
export function readMessage(message: ServiceMessage): NotedMessage | null {
  const at = instantOf(message.created_at);
  return at === null
    ? null
    : {
        id: message.id,
        authorId: userIdOf(message.user?.id ?? ''),
        authorName: toPlainLine(message.user?.name ?? '').trim(),
        at,
        editedAt: instantOf(message.message_text_updated_at),
        text: message.text ?? '',
        attachments: message.attachments?.filter((each) => alertIdOf(each) === null).length ?? 0,
      };
}

/**
 * Returns the text of a note that is made from a message: "From the chat, Ada Byron, 14:05 GMT, 23 Nov 2026: …", with
 * the site's clock and zone. What a note cannot hold is said in words.
 */
export function messageNote(message: NotedMessage, author: string, timeZone: string): string {
  const { at, editedAt, attachments } = message;
  const text = message.text.trim();
  const edited = editedAt === null ? '' : ` (edited ${stamp(editedAt, timeZone)})`;
  const head = `From the chat, ${toPlainLine(author)}, ${stamp(at, timeZone)}${edited}: `;
  const files = attachments === 1 ? '1 attachment, which stays' : `${attachments} attachments, which stay`;
  if (text === '') {
    return `${head}(no text${attachments === 0 ? '' : `, only ${files} in the chat`})`;
  }
  const tail = attachments === 0 ? '' : `\n(With ${files} in the chat.)`;
  if (head.length + text.length + tail.length <= longestNote) {
    return toPlainText(`${head}${text}${tail}`);
  }
  const cut = `\n(Cut here: the message is longer than a note can be.)${tail}`;
  // Half of a character at the cut is dropped with what else a note does not take.
  return toPlainText(`${head}${text.slice(0, longestNote - head.length - cut.length)}${cut}`);
}

/** "14:05 GMT, 23 Nov 2026" */
function stamp(at: EpochMs, timeZone: string): string {
  return `${formatTime(at, timeZone)} ${zoneLabel(at, timeZone)}, ${formatDate(at, timeZone)}`;
}

function instantOf(time: Date | string | undefined): EpochMs | null {
  const at = time === undefined ? Number.NaN : new Date(time).getTime();
  return Number.isNaN(at) ? null : at;
}
