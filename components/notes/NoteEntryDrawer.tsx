import { Button, Input } from 'antd';
import { useContext, useEffect, useId, useState } from 'react';
import { keptEntries, type TypedEntry } from '../../hooks/keptTexts';
import { useCall } from '../../hooks/useCall';
import { newUuid } from '../../lib/browser/newUuid';
import { noteTypes } from '../../lib/notes/noteTypes';
import { presentText } from '../../lib/notes/presentText';
import { longestNote } from '../../lib/notes/noteLimits';
import type { EntryKind, Note } from '../../lib/notes/schema';
import type { Patient } from '../../lib/patients/schema';
import { toPlainText } from '../../lib/plainText';
import { Field } from '../ui/Field';
import { LossContext } from '../ui/formContext';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { patientIdentity } from '../ui/PatientName';
import { useAction } from '../ui/useAction';
import { useSubmit } from '../ui/useSubmit';
import styles from './NoteCard.module.css';
import { noteActions } from './noteWords';

export interface NoteEntryProps {
  kind: EntryKind;
  note: Note;
  patient: Patient;
  userId: number;
  onClose: () => void;
}

/** Adds to a signed note of one patient: an addendum, an amendment, or that it was entered in error. */
export function NoteEntryDrawer(props: NoteEntryProps) {
  const { kind, note, patient, userId, onClose } = props;
  return (
    <FormDrawer
      title={`${noteActions[kind]}: ${patientIdentity(patient)}`}
      onClose={() => {
        keptEntries.keep(userId, `${kind} ${note.id}`, null);
        onClose();
      }}
    >
      <EntryForm {...props} />
    </FormDrawer>
  );
}

function EntryForm({ kind, note, userId, onClose }: NoteEntryProps) {
  const key = `${kind} ${note.id}`;
  const [typed, setTyped] = useState<TypedEntry>(
    () => keptEntries.of(userId, key) ?? { clientId: newUuid(), text: firstText(kind, note), reason: '', seen: note },
  );
  // With the note of the last poll a correction would say that it knows a change that its author has not seen.
  const { seen } = typed;
  const isOld = kind !== 'addendum' && note.version !== seen.version;
  const [isChecking, setIsChecking] = useState(false);
  const { failure, isWaiting, carryOut } = useAction();
  const noteLoss = useContext(LossContext);
  const id = useId();
  const send = useEntryCall();
  const isTyped = typed.text !== firstText(kind, seen) || typed.reason !== '';
  useEffect(() => {
    noteLoss(id, isTyped ? 'typed' : null);
  }, [noteLoss, id, isTyped]);
  const type = (change: Partial<TypedEntry>): void => {
    const { text = typed.text, reason = typed.reason } = change;
    const next = { ...typed, ...change, text: toPlainText(text), reason: toPlainText(reason) };
    setTyped(next);
    // A lock takes the form away, and gives the text back to this user when they open it again.
    keptEntries.keep(userId, key, next);
  };
  const errors = errorsOf(kind, typed);
  const onSubmit = useSubmit(async () => {
    setIsChecking(true);
    if (errors.text !== undefined || errors.reason !== undefined) {
      return;
    }
    // What was sent before is signed: this text is an entry of its own.
    const next = failure?.code === 'entry_signed' ? { ...typed, clientId: newUuid() } : typed;
    type(next);
    if (await carryOut(() => send(kind, userId, next))) {
      keptEntries.keep(userId, key, null);
      onClose();
    }
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
          <Button onClick={() => type({ seen: note })}>Continue with your text</Button>
        </div>
      ) : null}
      {kind === 'entered_in_error' ? null : (
        <Field
          label={kind === 'addendum' ? 'Addendum' : 'Corrected text'}
          hint={kind === 'amendment' ? 'The text before stays readable.' : undefined}
          error={isChecking ? errors.text : undefined}
        >
          {(control) => (
            <Input.TextArea
              {...control}
              rows={6}
              maxLength={longestNote}
              value={typed.text}
              onChange={({ target }) => type({ text: target.value })}
            />
          )}
        </Field>
      )}
      {kind === 'addendum' ? null : (
        <Field label="Reason" error={isChecking ? errors.reason : undefined}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={500}
              value={typed.reason}
              onChange={({ target }) => type({ reason: target.value })}
            />
          )}
        </Field>
      )}
      <FormFailure failure={failure} done="saved" />
      <div>
        <Button type="primary" htmlType="submit" disabled={isOld} loading={isWaiting && { delay: 300 }}>
          {submitLabels[kind]}
        </Button>
      </div>
    </form>
  );
}

const submitLabels = {
  addendum: 'Sign addendum',
  amendment: 'Sign amendment',
  entered_in_error: 'Mark as entered in error',
} as const satisfies Record<EntryKind, string>;

/** An amendment begins with what the note says now. */
function firstText(kind: EntryKind, note: Note): string {
  return kind === 'amendment' ? (presentText(note) ?? '') : '';
}

/** Returns what is missing, as `lib/notes/schema.ts` refuses it on the server. */
function errorsOf(
  kind: EntryKind,
  { text, reason, seen }: TypedEntry,
): { text: string | undefined; reason: string | undefined } {
  const isUnchanged = kind === 'amendment' && text === presentText(seen);
  return {
    text:
      kind === 'entered_in_error'
        ? undefined
        : text.trim() === ''
          ? 'is empty'
          : isUnchanged
            ? 'is the same'
            : undefined,
    reason: kind !== 'addendum' && reason.trim().length < 3 ? 'is too short' : undefined,
  };
}

function useEntryCall(): (kind: EntryKind, authorId: number, typed: TypedEntry) => Promise<unknown> {
  const add = useCall('addAddendum');
  const amend = useCall('amendNote');
  const mark = useCall('markNoteInError');
  return (kind, authorId, { clientId, text, reason, seen: { id, version } }) => {
    const params = { id };
    switch (kind) {
      case 'addendum':
        return add({ params, body: { clientId, authorId, text } });
      case 'amendment':
        return amend({ params, body: { clientId, authorId, text, reason, version } });
      case 'entered_in_error':
        return mark({ params, body: { authorId, reason, version } });
    }
  };
}
