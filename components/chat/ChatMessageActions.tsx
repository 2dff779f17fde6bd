import { createContext, useContext } from 'react';
import {
  ContextMenuButton,
  defaultMessageActionSet,
  MessageActions,
  useContextMenuContext,
  useMessageContext,
  type MessageActionSetItem,
} from 'stream-chat-react';
import { placeOfChannel } from '../../lib/chat/channels';
import { readMessage, type NotedMessage } from '../../lib/chat/messageNote';

/**
 * Opens the drawer that makes a note from a message, and says whose care team's channel it is in (null: another one).
 * Null: the user writes no notes.
 */
export const MakeNoteContext = createContext<((message: NotedMessage, patientId: number | null) => void) | null>(null);

/** The package's own actions of a message, and for those who write notes one more. */
export function ChatMessageActions() {
  const makeNote = useContext(MakeNoteContext);
  return <MessageActions messageActionSet={makeNote === null ? defaultMessageActionSet : withNote} />;
}

function MakeNote() {
  const { message } = useMessageContext();
  const { closeMenu } = useContextMenuContext();
  const makeNote = useContext(MakeNoteContext);
  const noted = readMessage(message);
  if (noted === null) {
    return null;
  }
  return (
    <ContextMenuButton
      className="str-chat__message-actions-list-item-button"
      Icon={NoteIcon}
      onClick={() => {
        const place = placeOfChannel(message.cid?.split(':')[1] ?? '');
        closeMenu();
        makeNote?.(noted, place?.kind === 'careTeam' ? place.patientId : null);
      }}
    >
      Make a note
    </ContextMenuButton>
  );
}

/** A sheet with lines, in the size of the package's own pictures. */
function NoteIcon() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path d="M5 3h14v18H5zM8.5 8h7M8.5 12h7M8.5 16h4" />
    </svg>
  );
}

const withNote: MessageActionSetItem[] = [
  ...defaultMessageActionSet,
  { type: 'makeNote', placement: 'dropdown', Component: MakeNote },
];
