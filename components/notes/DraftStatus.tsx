import { isUnsaved, type DraftState } from '../../hooks/draftKeeper';
import { FormFailure } from '../ui/FormFailure';
import styles from './NoteComposer.module.css';

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
export function DraftStatus({ draft, said }: DraftStatusProps) {
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
