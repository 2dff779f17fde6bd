import { Button, Input } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { noteTypes } from '../../lib/notes/noteTypes';
import { presentText } from '../../lib/notes/presentText';
import type { Note } from '../../lib/notes/schema';
import type { Patient } from '../../lib/patients/schema';
import { toPlainText } from '../../lib/plainText';
import { Field } from '../ui/Field';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { PatientField } from '../ui/PatientField';
import { patientIdentity } from '../ui/PatientName';
import { useAction } from '../ui/useAction';
import { useSeen } from '../ui/useSeen';
import { useSubmit } from '../ui/useSubmit';
import styles from './NoteCard.module.css';

interface NoteMoveDrawerProps {
  note: Note;
  /** The patient under whom it was written. */
  patient: Patient;
  userId: number;
  onClose: () => void;
}

/** Moves a note that was signed under the wrong patient to the right one, in one step. */
export function NoteMoveDrawer(props: NoteMoveDrawerProps) {
  const { patient, onClose } = props;
  return (
    <FormDrawer title={`Wrong patient: ${patientIdentity(patient)}`} onClose={onClose}>
      <MoveForm {...props} />
    </FormDrawer>
  );
}

function MoveForm({ note, patient, userId, onClose }: NoteMoveDrawerProps) {
  const { state: seen, isOld, showPresent } = useSeen(note);
  const [target, setTarget] = useState('');
  const [reason, setReason] = useState('Wrong patient');
  const [isChecking, setIsChecking] = useState(false);
  const { failure, isWaiting, carryOut } = useAction();
  const moveNote = useCall('moveNote');
  const isSame = target === String(patient.id);
  const errors = {
    target: target === '' ? 'is not chosen' : isSame ? 'is the one under whom the note is' : undefined,
    reason: reason.trim().length < 3 ? 'is too short' : undefined,
  };
  const onSubmit = useSubmit(async () => {
    setIsChecking(true);
    if (errors.target !== undefined || errors.reason !== undefined) {
      return;
    }
    const body = { authorId: userId, patientId: Number(target), reason, version: seen.version };
    await carryOut(() => moveNote({ params: { id: note.id }, body }), onClose);
  });
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <p className={styles.quiet}>
        {noteTypes[note.type]} note by {note.author.name}:
      </p>
      <p className={styles.text}>{presentText(seen)}</p>
      {isOld ? (
        <div role="alert" className={styles.entry}>
          <p>
            <strong>This note was changed after you began. It says now:</strong>
          </p>
          <p className={styles.text}>{presentText(note)}</p>
          <Button onClick={showPresent}>Move this one</Button>
        </div>
      ) : null}
      <PatientField
        value={target}
        placeholder="Name or MRN"
        error={isChecking ? errors.target : undefined}
        onChange={setTarget}
      />
      <Field label="Reason" error={isChecking ? errors.reason : undefined}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={500}
            value={reason}
            onChange={({ target: { value } }) => setReason(toPlainText(value))}
          />
        )}
      </Field>
      <p className={styles.quiet}>
        You sign the text under the right patient, with the time of the event and of the move. Here it is marked as
        entered in error and folded. Links to alerts stay behind.
      </p>
      <FormFailure failure={failure} done="moved" />
      <div>
        <Button type="primary" htmlType="submit" disabled={isOld} loading={isWaiting && { delay: 300 }}>
          Move note
        </Button>
      </div>
    </form>
  );
}
