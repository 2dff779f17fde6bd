import { Button } from 'antd';
import { useState, useEffect } from 'react';
import type { StreamChat } from 'stream-chat';
import { useCall } from '../../hooks/useCall';
import { openDraft } from '../../hooks/useNoteDraft';
import { useNow } from '../../hooks/useNow';
import { usePatient } from '../../hooks/usePatient';
import { useRead } from '../../hooks/useRead';
import { isGone } from '../../lib/api/failureCause';
import type { ApiFailure } from '../../lib/browser/client';
import { messageNote, type NotedMessage, readMessage } from '../../lib/chat/messageNote';
import { messageNoteId } from '../../lib/chat/messageNoteId';
import { emptyDraft } from '../../lib/notes/draftFields';
import type { Note } from '../../lib/notes/schema';
import type { User } from '../../lib/session/schema';
import { formatDate, formatTime } from '../../lib/time/formatTime';
import { NoteComposer } from '../notes/NoteComposer';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { PatientField } from '../ui/PatientField';
import { patientName, PatientName } from '../ui/PatientName';
import { notDone } from '../ui/notDone';
import { useAction } from '../ui/useAction';
import { useSubmit } from '../ui/useSubmit';
import styles from './MessageNoteDrawer.module.css';

interface PresentMessage {
  /** The message as its user has seen it. */
  taken: NotedMessage;
  /** As it is now: `taken` itself, another text, or null if it was deleted. */
  present: NotedMessage | null;
  takePresent: () => void;
}

/** Follows a message that is open in a form: its author may edit or delete it meanwhile. */
function usePresentMessage(client: StreamChat, opened: NotedMessage): PresentMessage {
  const [taken, setTaken] = useState(opened);
  const [present, setPresent] = useState<NotedMessage | null>(opened);
  const { id } = opened;
  useEffect(() => {
    const { unsubscribe } = client.on(({ type, message }) => {
      if (message?.id !== id) {
        return;
      }
      if (type === 'message.deleted') {
        setPresent(null);
      } else if (type === 'message.updated') {
        const changed = readMessage(message);
        // A pin or a reaction changes no text.
        setPresent((before) =>
          before === null || changed === null || saysTheSame(before, changed) ? before : changed,
        );
      }
    });
    return unsubscribe;
  }, [client, id]);
  return {
    taken,
    present: present !== null && saysTheSame(present, taken) ? taken : present,
    takePresent: () => {
      if (present !== null) {
        setTaken(present);
      }
    },
  };
}

function saysTheSame(one: NotedMessage, other: NotedMessage): boolean {
  return one.text === other.text && one.attachments === other.attachments;
}

interface NoteOfMessageProps {
  note: Note;
  isOpen: boolean;
  user: User;
  /** The server's time when the chat was opened, epoch milliseconds. */
  openedAt: number;
  onClose: () => void;
}

/** The draft that was made from a message, under the patient's two identifiers. */
function NoteOfMessage({ note, isOpen, user, openedAt, onClose }: NoteOfMessageProps) {
  const { patientId } = note;
  const { data: patient, error } = usePatient(patientId);
  // As the patient's own page reads them.
  const notes = useRead('listNotes', { params: { id: patientId }, query: { page: 1, pageSize: 25 } });
  const now = useNow(openedAt);
  const [ended, setEnded] = useState<'signed' | 'discarded' | null>(null);
  if (patient === undefined) {
    return error === undefined ? (
      <ListSkeleton label="The note is loading" rows={3} />
    ) : (
      <p role="alert">
        {isGone(error) ? 'You cannot see this patient any more.' : error.message} The draft is saved. Only you see it.
      </p>
    );
  }
  if (ended !== null) {
    return (
      <div className={styles.form}>
        <p role="status">
          {ended === 'signed' ? 'Signed. The note is among the notes of ' : 'Discarded. No note was made about '}
          <PatientName patient={patient} />.
        </p>
        <div>
          <Button autoFocus onClick={onClose}>
            Back to the chat
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className={styles.form}>
      <p>
        <strong>{patientName(patient)}</strong>, MRN {patient.mrn}
      </p>
      {isOpen ? null : (
        <p role="alert">
          What you typed about this patient before is not saved yet, and stays here. The note from the chat is a draft
          as well: it is below, under your other drafts.
        </p>
      )}
      <NoteComposer patient={patient} user={user} now={now} notes={notes.data} asked={1} onChanged={setEnded} />
    </div>
  );
}

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
          Start the note
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
    return `${failure.message} Press again: it makes one draft only.`;
  }
  return isGone(failure)
    ? 'Not started. You cannot write about this patient, or you cannot see them any more.'
    : notDone('started', failure);
}
