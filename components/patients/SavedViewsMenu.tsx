import { useRef, useState, type SubmitEvent } from 'react';
import { NativeButton } from '../ui/NativeButton';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import type { ListLook } from './listPreferences';
import { longestViewName, mostSavedViews, nameProblem, type SavedView } from './useSavedViews';
import styles from './SavedViews.module.css';

type Change = (views: readonly SavedView[]) => readonly SavedView[];

export interface SavedViewsMenuProps {
  views: readonly SavedView[];
  /** Changes them; returns false if the browser cannot store them. */
  onChange: (change: Change) => boolean;
  /** What the list shows now. */
  look: ListLook;
  /** Names of the built-in views. */
  reserved: readonly string[];
}

/** Saves what the list shows, and renames and deletes saved views. */
export function SavedViewsMenu({ views, onChange, look, reserved }: SavedViewsMenuProps) {
  const [renaming, setRenaming] = useState<string | null>(null);
  const [message, setMessage] = useState('');
  const status = useRef<HTMLParagraphElement>(null);

  /** Says what was done, and moves the keyboard there, because the button that had it may be gone. */
  const change = (wanted: Change, done: string): boolean => {
    const isKept = onChange(wanted);
    if (isKept) {
      setRenaming(null);
      setMessage(done);
      status.current?.focus();
    }
    return isKept;
  };
  const namesBeside = (name: string | null): string[] => [
    ...reserved,
    ...views.map((view) => view.name).filter((other) => other !== name),
  ];

  return (
    <>
      <p role="status" tabIndex={-1} ref={status} className={styles.message}>
        {message}
      </p>
      {views.length < mostSavedViews ? (
        <NameForm
          label="Name for the current list"
          hint="Filters, order and columns stay in this browser, not the search text. Do not name a patient."
          action="Save"
          taken={namesBeside(null)}
          onName={(name) => change((saved) => [...saved, { name, ...look }], `“${name}” is saved.`)}
        />
      ) : (
        <p className={styles.full}>{mostSavedViews} views is the maximum. Delete one to save another.</p>
      )}
      <ul className={styles.list}>
        {views.map(({ name }) => (
          <li key={name} className={styles.row}>
            {renaming === name ? (
              <NameForm
                label={`New name for “${name}”`}
                initial={name}
                action="Rename"
                taken={namesBeside(name)}
                onCancel={() => {
                  setRenaming(null);
                  status.current?.focus();
                }}
                onName={(wanted) =>
                  change(
                    (saved) => saved.map((view) => (view.name === name ? { ...view, name: wanted } : view)),
                    `“${name}” is now “${wanted}”.`,
                  )
                }
              />
            ) : (
              <>
                <span className={styles.name}>{name}</span>
                <NativeButton look="text" onClick={() => setRenaming(name)}>
                  Rename <span className="visually-hidden">{name}</span>
                </NativeButton>
                <NativeButton
                  look="text"
                  onClick={() => change((saved) => saved.filter((view) => view.name !== name), `“${name}” is deleted.`)}
                >
                  Delete <span className="visually-hidden">{name}</span>
                </NativeButton>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface NameFormProps {
  label: string;
  hint?: string;
  /** Its present name; omitted for a new view. */
  initial?: string;
  action: string;
  taken: readonly string[];
  /** Returns false if the browser cannot store it. */
  onName: (name: string) => boolean;
  /** Omitted if there is nothing to cancel. */
  onCancel?: () => void;
}

function NameForm({ label, hint, initial = '', action, taken, onName, onCancel }: NameFormProps) {
  const [typed, setTyped] = useState(initial);
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const problem = nameProblem(typed, taken);
    if (problem !== null) {
      setError(problem);
      field.current?.focus();
    } else if (onName(typed.trim())) {
      setTyped('');
    } else {
      setError('cannot be saved: this browser’s storage is full or blocked');
    }
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        ref={field}
        label={label}
        hint={hint}
        error={error}
        autoFocus={initial !== ''}
        autoComplete="off"
        maxLength={longestViewName}
        value={typed}
        onChange={(text) => {
          setTyped(text);
          setError(undefined);
        }}
      />
      <div className={styles.actions}>
        <SubmitButton isWaiting={false}>{action}</SubmitButton>
        {onCancel === undefined ? null : (
          <NativeButton look="text" onClick={onCancel}>
            Cancel
          </NativeButton>
        )}
      </div>
    </form>
  );
}
