import { Button } from 'antd';
import { useState } from 'react';
import { useNow } from '../../hooks/useNow';
import { usePatient } from '../../hooks/usePatient';
import { useRead } from '../../hooks/useRead';
import { isGone } from '../../lib/api/failureCause';
import type { Note } from '../../lib/notes/schema';
import type { User } from '../../lib/session/schema';
import { NoteComposer } from '../notes/NoteComposer';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientName, PatientName } from '../ui/PatientName';
import styles from './MessageNoteDrawer.module.css';

interface NoteOfMessageProps {
  note: Note;
  isOpen: boolean;
  user: User;
  /** The server's time when the chat was opened, epoch milliseconds. */
  openedAt: number;
  onClose: () => void;
}

/** The draft that was made from a message, under the patient's two identifiers. */
export function NoteOfMessage({ note, isOpen, user, openedAt, onClose }: NoteOfMessageProps) {
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
