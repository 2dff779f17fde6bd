import { useRouter } from 'next/router';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { paths } from '../../lib/paths';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { QuickSearchResults } from './QuickSearchResults';
import shell from '../ui/dialog.module.css';
import styles from './QuickSearchDialog.module.css';

/** Long enough that a name typed fast makes one query, not ten. */
const typingPauseMs = 200;

/** Finds patients by a text: arrows choose, Enter opens. The text is never part of an address. */
export function QuickSearchDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const router = useRouter();
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [searched, setSearched] = useState('');
  const [found, setFound] = useState<readonly Patient[]>([]);
  const [chosen, setChosen] = useState(0);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSearched(typed.trim());
      setChosen(0);
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed]);

  // Enter must not open what an older text found.
  const offered = searched !== '' && searched === typed.trim() ? found : [];
  const open = (patient: Patient | undefined): void => {
    if (patient !== undefined) {
      onClose();
      void router.push(paths.patientDetails([patient.id]));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen(Math.max(0, Math.min(offered.length - 1, chosen + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(offered[chosen]);
    } else if (event.key === 'Escape') {
      // By itself, the first press would only empty the search field.
      event.preventDefault();
      onClose();
    }
  };

  return (
    <dialog
      ref={dialog}
      className={`${shell.dialog} ${styles.dialog}`}
      aria-label="Find a patient"
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // The dialog itself is the target only beside its content, on the backdrop.
        if (target === currentTarget) {
          onClose();
        }
      }}
    >
      <div className={styles.content}>
        <input
          type="search"
          role="combobox"
          className={`${styles.input} ant-input ant-input-outlined wardlight ant-input-css-var`}
          aria-label="Name or MRN"
          aria-expanded={offered.length > 0}
          aria-controls={listId}
          aria-activedescendant={offered.length === 0 ? undefined : `${listId}-${chosen}`}
          aria-autocomplete="list"
          placeholder="Name or MRN"
          maxLength={200}
          autoComplete="off"
          autoFocus
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
          }}
          onKeyDown={onKeyDown}
        />
        {searched === '' ? (
          <p className={styles.hint}>
            Type the beginning of a name or an MRN. ↑ and ↓ choose, Enter opens, Esc closes.
          </p>
        ) : (
          <QuickSearchResults
            user={user}
            text={searched}
            listId={listId}
            chosen={chosen}
            onFound={setFound}
            onOpen={open}
            onLeave={onClose}
          />
        )}
      </div>
    </dialog>
  );
}
