import { Button } from 'antd';
import { useState } from 'react';
import type { StreamChat } from 'stream-chat';
import { useCall } from '../../hooks/useCall';
import { openDraft } from '../../hooks/useNoteDraft';
import { isGone } from '../../lib/api/failureCause';
import type { ApiFailure } from '../../lib/browser/client';
import { messageNote, type NotedMessage } from '../../lib/chat/messageNote';
import { messageNoteId } from '../../lib/chat/messageNoteId';
import { emptyDraft } from '../../lib/notes/draftFields';
import type { Note } from '../../lib/notes/schema';
import type { User } from '../../lib/session/schema';
import { formatDate, formatTime } from '../../lib/time/formatTime';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { notDone } from '../ui/notDone';
import { PatientField } from '../ui/PatientField';
import { useAction } from '../ui/useAction';
import { useSubmit } from '../ui/useSubmit';
import styles from './MessageNoteDrawer.module.css';
import { NoteOfMessage } from './NoteOfMessage';
import { usePresentMessage } from './usePresentMessage';

export interface NoteWish {
  message: NotedMessage;
  /** The author's name by our own directory, else as the chat has it, and then it says so. */
  author: string;
  /** The patient whose care team's channel the message is in; null: another channel. */
  patientId: number | null;
  client: StreamChat;
  /** The server's time when the chat was opened, epoch milliseconds. */
  openedAt: number;
}

interface MessageNoteDrawerProps extends NoteWish {
  user: User;
  onClose: () => void;
}

/** Makes a note from a message of the chat: for which patient, then the draft, which its user signs or not. */
export function MessageNoteDrawer(props: MessageNoteDrawerProps) {
  const { user, openedAt, onClose } = props;
  const [begun, setBegun] = useState<Begun | null>(null);
  return (
    <FormDrawer title="Note from the chat" onClose={onClose}>
      {begun === null ? (
        <PatientForm {...props} onBegun={setBegun} />
      ) : (
        <NoteOfMessage {...begun} user={user} openedAt={openedAt} onClose={onClose} />
      )}
    </FormDrawer>
  );
}

interface Begun {
  note: Note;
  /** It is the one in the form; false: what is typed about the patient could not be stored and stays there. */
  isOpen: boolean;
}

type PatientFormProps = MessageNoteDrawerProps & { onBegun: (begun: Begun) => void };

/** The message in the words of the note, and the patient whom it is about. */
function PatientForm({ message, author, patientId, user, client, onBegun }: PatientFormProps) {
  const { timeZone } = user.site;
  const { taken, present, takePresent } = usePresentMessage(client, message);
  const [target, setTarget] = useState(patientId === null ? '' : String(patientId));
  const [isChecking, setIsChecking] = useState(false);
  const [signed, setSigned] = useState<Note | null>(null);
  const { failure, isWaiting, carryOut } = useAction();
  const addNote = useCall('addNote');
  const text = messageNote(taken, author, timeZone);
  const onSubmit = useSubmit(async () => {
    setIsChecking(true);
    setSigned(null);
    if (target === '' || present !== taken) {
      return;
    }
    const id = Number(target);
    const { type, alertIds } = emptyDraft;
    const draft = { type, text, alertIds: [...alertIds], eventTime: new Date(taken.at).toISOString() };
    const body = { ...draft, clientId: messageNoteId(taken, id), authorId: user.id };
    await carryOut(async () => {
      const note = await addNote({ params: { id }, body });
      if (note.signedAt === null) {
        onBegun({ note, isOpen: await openDraft(user.id, note) });
      } else {
        setSigned(note);
      }
    });
  });
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <p className={styles.text}>{text}</p>
      {present === null ? (
        <p role="alert">
          <strong>This message was deleted after you opened it.</strong> No note is made from it.
        </p>
      ) : present === taken ? null : (
        <div role="alert" className={styles.changed}>
          <strong>This message was edited after you opened it. It says now:</strong>
          <p className={styles.text}>{messageNote(present, author, timeZone)}</p>
          <Button onClick={takePresent}>Take this text</Button>
        </div>
      )}
      <PatientField
        value={target}
        placeholder="Name or MRN"
        error={isChecking && target === '' ? 'is not chosen' : undefined}
        onChange={(id) => {
          setSigned(null);
          setTarget(id);
        }}
      />
      <p className={styles.quiet}>
        You become the author of the note. It is a draft that only you see until you sign it. Its time is that of the
        message.
      </p>
      <FormFailure>
        {signed !== null ? alreadySigned(signed, timeZone) : failure === null ? null : refusal(failure)}
      </FormFailure>
      <div>
        <Button type="primary" htmlType="submit" disabled={present !== taken} loading={isWaiting && { delay: 300 }}>
          Begin the note
        </Button>
      </div>
    </form>
  );
}

function alreadySigned({ signedAt, writtenAt }: Note, timeZone: string): string {
  const at = Date.parse(signedAt ?? writtenAt);
  return (
    `You signed a note from this message about this patient on ${formatDate(at, timeZone)} at ` +
    `${formatTime(at, timeZone)}. It is among the patient’s notes.`
  );
}

function refusal(failure: ApiFailure): string {
  if (failure.isOutcomeUnknown) {
    return `${failure.message} Press again: there is one draft of it, however often it is begun.`;
  }
  return isGone(failure)
    ? 'Not begun. You cannot write about this patient, or you cannot see them any more.'
    : notDone('begun', failure);
}
