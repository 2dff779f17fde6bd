import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Icon } from '../ui/Icon';
import bar from '../ui/ViewBar.module.css';
import styles from './SavedViews.module.css';
import type { SavedViewsMenuProps } from './SavedViewsMenu';

// The forms for names are fetched when the menu opens.
const SavedViewsMenu = dynamic(() => import('./SavedViewsMenu').then((module) => module.SavedViewsMenu), {
  ssr: false,
});

const menuId = 'patients-saved-views';

/** Saves what the list shows under a name. The browser's popover closes on Escape and on a click beside it. */
export function SavedViews(props: SavedViewsMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles.anchor}>
      <button type="button" className={bar.act} popoverTarget={menuId}>
        <Icon name="bookmark" />
        Saved views
      </button>
      <div
        id={menuId}
        popover="auto"
        role="group"
        aria-label="Saved views of the list"
        className={styles.menu}
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
      >
        {isOpen ? <SavedViewsMenu {...props} /> : null}
      </div>
    </div>
  );
}
