import Link from 'next/link';
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import styles from './AlertMenu.module.css';

export interface AlertMenuItem {
  label: string;
  /** Where it leads, or what it does. */
  goes: string | (() => void);
  /** It can be read but not chosen now. */
  isOff?: boolean;
}

/** What else can be done about an alert. Closes on Escape, on a choice and when the focus leaves it. */
export function AlertMenu({ subject, items }: { subject: string; items: readonly AlertMenuItem[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const [isUp, setIsUp] = useState(false);
  useLayoutEffect(() => {
    if (isOpen && menu.current !== null) {
      const { bottom } = menu.current.getBoundingClientRect();
      setIsUp(bottom > window.innerHeight);
      itemsOf(menu.current)[0]?.focus({ preventScroll: true });
    } else {
      setIsUp(false);
    }
  }, [isOpen]);
  const close = (): void => {
    setIsOpen(false);
    opener.current?.focus({ preventScroll: true });
  };
  const move = (event: KeyboardEvent): void => {
    const entries = itemsOf(menu.current);
    const at = entries.findIndex((entry) => entry === document.activeElement);
    const wanted = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (wanted !== undefined) {
      event.preventDefault();
      entries.at(wanted % entries.length)?.focus();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    }
  };
  return (
    <span
      className={styles.place}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
          setIsOpen(false);
        }
      }}
    >
      <button
        ref={opener}
        type="button"
        className={styles.opener}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={`More about the alert of ${subject}`}
        data-next=""
        onClick={() => {
          setIsOpen(!isOpen);
        }}
      >
        <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4 10h.01M10 10h.01M16 10h.01" />
        </svg>
      </button>
      {isOpen ? (
        <div
          ref={menu}
          id={id}
          role="menu"
          aria-label={`Alert of ${subject}`}
          className={styles.menu}
          // Below the button, unless the window ends there.
          data-up={isUp ? '' : undefined}
          onKeyDown={move}
          // Some browsers give a pressed button no focus: the menu would be gone before the click.
          onMouseDown={(event) => event.preventDefault()}
        >
          {items.map(({ label, goes, isOff = false }) =>
            typeof goes === 'string' ? (
              <Link key={label} href={goes} prefetch={false} role="menuitem" tabIndex={-1}>
                {label}
              </Link>
            ) : (
              <button
                key={label}
                type="button"
                role="menuitem"
                tabIndex={-1}
                aria-disabled={isOff}
                onClick={() => {
                  if (!isOff) {
                    close();
                    goes();
                  }
                }}
              >
                {label}
              </button>
            ),
          )}
        </div>
      ) : null}
    </span>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}
