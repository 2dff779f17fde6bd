import type { SeenStructure } from '../../lib/hl7/seenStructure';
import { seenWords } from '../../lib/interfaces/settingsWords';
import styles from './admin.module.css';

/** What the first messages of a sender look like, and nothing of what is in them. */
export function SeenList({ seen }: { seen: SeenStructure }) {
  return (
    <ul className={styles.segments} aria-label="What it sends">
      {seenWords(seen).map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  );
}
