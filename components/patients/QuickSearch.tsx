import { useEffect, useState } from 'react';
import type { User } from '../../lib/session/schema';
import { Icon } from '../ui/Icon';
import { onDemand } from '../ui/onDemand';
import styles from './QuickSearch.module.css';
import { useSlashKey } from './useSlashKey';

// Fetched once the page stands: too late to hold up the first paint, early enough for whoever types on after "/".
const loadDialog = () => import('./QuickSearchDialog').then((module) => module.QuickSearchDialog);
const QuickSearchDialog = onDemand(loadDialog);

/** The way to a patient from anywhere: a press of "/" or Ctrl+K, or the button that says so. */
export function QuickSearch({ user }: { user: User }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isSlashOn] = useSlashKey();
  useEffect(() => {
    // Where it cannot be fetched now, opening it tries again.
    loadDialog().catch(() => undefined);
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (asksForSearch(event, isSlashOn)) {
        event.preventDefault();
        setIsOpen(true);
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isSlashOn]);
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-keyshortcuts={isSlashOn ? 'Control+K /' : 'Control+K'}
        onClick={() => {
          setIsOpen(true);
        }}
      >
        <Icon name="search" />
        Find patient
        <kbd className={styles.key} aria-hidden="true">
          {isSlashOn ? '/' : 'Ctrl K'}
        </kbd>
      </button>
      {isOpen ? (
        <QuickSearchDialog
          user={user}
          onClose={() => {
            setIsOpen(false);
          }}
        />
      ) : null}
    </>
  );
}

/** Ctrl+K everywhere; "/" only where it is not a letter that somebody types. */
function asksForSearch(event: KeyboardEvent, isSlashOn: boolean): boolean {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    return event.key.toLowerCase() === 'k';
  }
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]') !== null;
  return (
    isSlashOn &&
    event.key === '/' &&
    !event.altKey &&
    !isTyping &&
    document.querySelector('dialog[open], [role="dialog"]') === null
  );
}
