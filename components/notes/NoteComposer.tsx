import { Button } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { isUnsaved, type DraftState } from '../../hooks/draftKeeper';
import { useNoteDraft } from '../../hooks/useNoteDraft';
import { useServerLost } from '../../hooks/useServerLost';
import type { DraftFields } from '../../lib/notes/draftFields';
import { longestNote } from '../../lib/notes/noteLimits';
import { noteTypes, type NoteType } from '../../lib/notes/noteTypes';
import type { Note } from '../../lib/notes/schema';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { formatTime } from '../../lib/time/formatTime';
import { AlertLinks } from '../ui/AlertLinks';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { patientName } from '../ui/PatientName';
import { SelectField } from '../ui/SelectField';
import { SiteTimeField } from '../ui/SiteTimeField';
import { nativeControl } from '../ui/nativeControl';
import { MentionField } from './MentionField';
import styles from './NoteComposer.module.css';
import { noteTime } from './noteWords';

const notDoneWords = {
  save: 'Not saved.',
  sign: 'Not signed.',
  discard: 'Not discarded.',
} as const satisfies Record<NonNullable<DraftState['failed']>, string>;

interface DraftStatusProps {
  draft: DraftState;
  /** What became of the draft that was here before; an empty text: nothing to say. */
  said: string;
}

/** Says whether the draft is stored, or what became of the last one. Only that and a failure are read out. */
function DraftStatus({ draft, said }: DraftStatusProps) {
  const { stored, isSaving, isSigning, failed, failure, conflict, notice } = draft;
  const isRetried = failure !== null && (failure.status === null || failure.status >= 500 || failure.status === 429);
  const again = isRetried ? ' and is sent again every 5 s' : '';
  const kept = isUnsaved(draft) ? ` Your text stays on this page${again}.` : '';
  return (
    <>
      <FormFailure>
        {failed === null || failure === null || conflict !== null
          ? null
          : `${notDoneWords[failed]} ${failure.message}${kept}`}
      </FormFailure>
      {notice === null ? null : <p role="status">{notice}</p>}
      <p className={styles.status}>
        <span role="status">{said}</span>
        {said !== ''
          ? null
          : isSigning
            ? 'Signing'
            : isUnsaved(draft)
              ? isSaving
                ? 'Saving the draft'
                : 'Not saved yet'
              : stored === null
                ? 'A draft is saved as you type. Only you see it until you sign.'
                : 'Draft saved. Only you see it.'}
      </p>
    </>
  );
}

interface DraftConflictProps {
  here: DraftFields;
  other: Note;
  onKeep: (keep: 'this' | 'other') => void;
}

/** Both versions of a draft that its author has changed in two places. Nothing is overwritten without a choice. */
function DraftConflict({ here, other, onKeep }: DraftConflictProps) {
  return (
    <div role="alert" className={styles.conflict}>
      <p>
        <strong>Not saved: you have changed this draft in another tab or on another device.</strong> Choose the text to
        keep.
      </p>
      <p className={styles.label}>Here</p>
      <p className={styles.version}>{here.text}</p>
      <Mentions of={here} />
      <Button onClick={() => onKeep('this')}>Keep the text here</Button>
      <p className={styles.label}>There</p>
      <p className={styles.version}>{other.text}</p>
      <Mentions of={other} />
      <Button onClick={() => onKeep('other')}>Take the text from there</Button>
    </div>
  );
}

function Mentions({ of: { mentions } }: { of: Pick<DraftFields, 'mentions'> }) {
  return mentions.length === 0 ? null : <p>Mentions {mentions.map(({ name }) => name).join(', ')}</p>;
}

interface NoteComposerProps {
  patient: Patient;
  user: User;
  /** The server's time, epoch milliseconds. */
  now: number;
  /** As the server has them; undefined until they are read. */
  notes: { items: readonly Note[]; drafts: readonly Note[] } | undefined;
  /** How often a press or a key has asked to write: the keyboard then goes to the text. */
  asked: number;
  /** Called when the note was signed or the draft discarded. */
  onChanged: (is: 'signed' | 'discarded') => void;
}

const types = Object.entries(noteTypes).flatMap(([value, label]) => (isType(value) ? [{ value, label }] : []));

function isType(value: string): value is NoteType {
  return Object.hasOwn(noteTypes, value);
}

/** The user's own draft about one patient. Stored while it is typed; no one else reads it before it is signed. */
export function NoteComposer({ patient, user, now, notes, asked, onChanged }: NoteComposerProps) {
  const { timeZone } = user.site;
  const { draft, keeper } = useNoteDraft(user.id, patient.id);
  const { fields, stored, isSigning, conflict } = draft;
  const form = useRef<HTMLDivElement>(null);
  const textId = useId();
  const [said, setSaid] = useState('');
  const isLost = useServerLost() !== null;
  const others = (notes?.drafts ?? []).filter(({ id }) => id !== stored?.id);
  const name = patientName(patient);

  useEffect(() => {
    if (notes !== undefined) {
      keeper.follow(notes, form.current?.contains(document.activeElement) === true);
    }
  }, [keeper, notes]);
  useEffect(() => {
    if (asked > 0) {
      document.getElementById(textId)?.focus();
    }
  }, [asked, textId]);

  /** It happened when its author began to write, unless they say another time. */
  const change = (next: Partial<DraftFields>): void => {
    setSaid('');
    keeper.change({ eventTime: fields.eventTime ?? new Date(now).toISOString(), ...next });
  };
  const sign = async (): Promise<void> => {
    const note = await keeper.sign();
    if (note !== null) {
      const at = note.signedAt === null ? '' : `, ${formatTime(Date.parse(note.signedAt), timeZone)}`;
      setSaid(`Signed for ${name}${at}`);
      onChanged('signed');
    }
  };
  const discard = async (): Promise<void> => {
    if (await keeper.discard()) {
      setSaid('Draft discarded');
      onChanged('discarded');
    }
  };
  const isBlank = fields.text.trim() === '';
  // What became of the last draft is not said of another one.
  const isUntouched = stored === null && !isUnsaved(draft) && draft.notice === null;
  return (
    <div ref={form} className={styles.composer} onBlur={() => void keeper.save()}>
      <div className={styles.pair}>
        <SelectField
          label="Type"
          value={fields.type}
          choices={types}
          disabled={isSigning}
          onChange={(type) => change({ type })}
        />
        <SiteTimeField
          label="Time of the event"
          // Now, until the draft is begun.
          at={fields.eventTime === null ? now : Date.parse(fields.eventTime)}
          now={now}
          timeZone={timeZone}
          isLocked={isSigning}
          error={draft.failure?.fields.eventTime}
          onChange={(at) => {
            // A note always has a time: when the field is left, it shows again what is stored.
            if (at !== null) {
              change({ eventTime: new Date(at).toISOString() });
            }
          }}
        />
      </div>
      <label className={styles.label} htmlFor={textId}>
        New note
      </label>
      <textarea
        id={textId}
        className={`${nativeControl} ${styles.text}`}
        rows={4}
        maxLength={longestNote}
        readOnly={isSigning}
        value={fields.text}
        onChange={({ target }) => change({ text: target.value })}
      />
      <DraftStatus draft={draft} said={isUntouched ? said : ''} />
      {conflict === null ? null : (
        <DraftConflict here={fields} other={conflict} onKeep={(keep) => void keeper.resolve(keep)} />
      )}
      <div className={styles.actions}>
        <span aria-busy={isSigning} title={isLost ? 'Not reachable: nothing can be signed now' : undefined}>
          <ConfirmButton
            label="Sign"
            name={`Sign the note for ${name}`}
            question={`Sign for ${name}, MRN ${patient.mrn}? It cannot be changed afterwards.`}
            placement="bottom"
            disabled={isBlank || isLost || isSigning || conflict !== null}
            onConfirm={() => void sign()}
          />
        </span>
        {isBlank && stored === null ? null : (
          <ConfirmButton
            label="Discard"
            name="Discard the draft"
            question="Discard this draft? Its text is deleted."
            placement="bottom"
            disabled={isLost || isSigning}
            onConfirm={() => void discard()}
          />
        )}
      </div>
      <AlertLinks
        isOffered={({ patientId }) => patientId === patient.id}
        timeZone={timeZone}
        linked={fields.alertIds}
        isLocked={isSigning}
        onChange={(alertIds) => change({ alertIds })}
      />
      <MentionField
        patientId={patient.id}
        mentions={fields.mentions}
        isLocked={isSigning}
        onChange={(mentions) => change({ mentions })}
      />
      {others.length === 0 || isSigning ? null : (
        <ul className={styles.others} aria-label="Your other drafts about this patient">
          {others.map((other) => (
            <li key={other.id}>
              <span className={styles.other}>
                Unsigned draft, {noteTime(Date.parse(other.writtenAt), now, timeZone)}: {other.text}
              </span>
              <Button disabled={isUnsaved(draft) && isLost} onClick={() => void keeper.open(other)}>
                Continue
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
