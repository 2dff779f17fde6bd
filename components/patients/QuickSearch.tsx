import { useEffect, useState } from 'react';
import type { User } from '../../lib/session/schema';
import { Icon } from '../ui/Icon';
import { onDemand } from '../ui/onDemand';
import styles from './QuickSearch.module.css';
import { useSlashKey } from './useSlashKey';

// Fetched once the page is shown: too late to delay the first paint, early enough for users who type on after "/".
const loadDialog = () => import('./QuickSearchDialog').then((module) => module.QuickSearchDialog);
const QuickSearchDialog = onDemand(loadDialog);

/** Opens the patient search from any page: by "/", by Ctrl+K or by its button. */
export function QuickSearch({ user }: { user: User }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isSlashOn] = useSlashKey();
  useEffect(() => {
    // If it cannot be fetched now, opening it tries again.
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
        onClick={() => setIsOpen(true)}
      >
        <Icon name="search" />
        Find patient
        <kbd className={styles.key} aria-hidden="true">
          {isSlashOn ? '/' : 'Ctrl K'}
        </kbd>
      </button>
      {isOpen ? <QuickSearchDialog user={user} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

/** Whether a card of the walkthrough is on the screen. */
function isTouring(): boolean {
  return document.documentElement.dataset.touring !== undefined;
}

/** Returns whether a key opens the search: Ctrl+K everywhere, "/" only outside of text fields and dialogs. */
function asksForSearch(event: KeyboardEvent, isSlashOn: boolean): boolean {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    return event.key.toLowerCase() === 'k' && !isTouring();
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
