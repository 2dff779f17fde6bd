import { Button } from 'antd';
import { useRef, useState, type SubmitEvent } from 'react';
import { TextField } from '../ui/TextField';
import type { ListLook } from './listPreferences';
import { longestViewName, mostSavedViews, nameProblem, type SavedView } from './useSavedViews';
import styles from './SavedViews.module.css';

type Change = (views: readonly SavedView[]) => readonly SavedView[];

export interface SavedViewsMenuProps {
  views: readonly SavedView[];
  /** Changes them; false where the browser can remember nothing. */
  onChange: (change: Change) => boolean;
  /** The list as it looks now. */
  look: ListLook;
  /** Names that stand beside the saved ones. */
  reserved: readonly string[];
}

/** Saves the list as it looks now, and renames and deletes what was saved. */
export function SavedViewsMenu({ views, onChange, look, reserved }: SavedViewsMenuProps) {
  const [renaming, setRenaming] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const status = useRef<HTMLParagraphElement>(null);

  /** Says what was done in the place where the keyboard goes on, because what it stood on may be gone. */
  const change = (wanted: Change, done: string): boolean => {
    const isKept = onChange(wanted);
    if (isKept) {
      setRenaming(null);
      setSaid(done);
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
      <p role="status" tabIndex={-1} ref={status} className={styles.said}>
        {said}
      </p>
      {views.length < mostSavedViews ? (
        <NameForm
          label="Name for the current list"
          hint="This browser keeps filters, order and columns for you, but not the search text. Do not name a patient."
          act="Save"
          taken={namesBeside(null)}
          onName={(name) => change((held) => [...held, { name, ...look }], `“${name}” is saved.`)}
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
                act="Rename"
                taken={namesBeside(name)}
                onCancel={() => {
                  setRenaming(null);
                  status.current?.focus();
                }}
                onName={(wanted) =>
                  change(
                    (held) => held.map((view) => (view.name === name ? { ...view, name: wanted } : view)),
                    `“${name}” is now “${wanted}”.`,
                  )
                }
              />
            ) : (
              <>
                <span className={styles.name}>{name}</span>
                <Button
                  type="text"
                  onClick={() => {
                    setRenaming(name);
                  }}
                >
                  Rename <span className="visually-hidden">{name}</span>
                </Button>
                <Button
                  type="text"
                  onClick={() => {
                    change((held) => held.filter((view) => view.name !== name), `“${name}” is deleted.`);
                  }}
                >
                  Delete <span className="visually-hidden">{name}</span>
                </Button>
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
  /** The name that it has; left out for a new view. */
  initial?: string;
  act: string;
  taken: readonly string[];
  /** Returns false where the browser can remember nothing. */
  onName: (name: string) => boolean;
  /** Left out where there is nothing to go back to. */
  onCancel?: () => void;
}

function NameForm({ label, hint, initial = '', act, taken, onName, onCancel }: NameFormProps) {
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
      <div className={styles.acts}>
        <Button htmlType="submit">{act}</Button>
        {onCancel === undefined ? null : (
          <Button type="text" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
