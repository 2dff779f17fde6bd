import { Button } from 'antd';
import type { DraftFields } from '../../lib/notes/draftFields';
import type { Note } from '../../lib/notes/schema';
import styles from './NoteComposer.module.css';

interface DraftConflictProps {
  here: DraftFields;
  other: Note;
  onKeep: (keep: 'this' | 'other') => void;
}

/** Both versions of a draft that its author has changed in two places. Nothing is overwritten without a choice. */
export function DraftConflict({ here, other, onKeep }: DraftConflictProps) {
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
