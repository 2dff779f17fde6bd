import { useContext, useEffect, useId, useRef, type PointerEvent } from 'react';
import type { TooltipRenderProps } from 'react-joyride';
import { progressText, tourSize } from '../../lib/tour/tourSteps';
import { NativeButton } from '../ui/NativeButton';
import { TourActsContext } from './tourActs';
import styles from './TourCard.module.css';

/**
 * A card of the walkthrough. The page around it stays in use: it is no modal dialog and holds no keyboard, because a
 * real alert may need both.
 */
export function TourCard({ index, step }: Pick<TooltipRenderProps, 'index' | 'step'>) {
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const acts = useContext(TourActsContext);
  useEffect(() => {
    focusCard(card.current);
  }, []);
  const isWelcome = index === 0;
  const isLast = index === tourSize - 1;
  return (
    <section
      ref={card}
      role="dialog"
      aria-modal={false}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      tabIndex={-1}
      className={isWelcome ? styles.welcome : styles.card}
      // The room that the banners and the header leave.
      style={{ maxHeight: step.styles.tooltip.maxHeight }}
      data-tour-card=""
      onPointerDown={holdPress}
    >
      {isWelcome ? null : (
        <button type="button" className={styles.close} aria-label="Close the walkthrough" onClick={acts.dismiss}>
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M3 3l10 10M13 3L3 13" fill="none" stroke="currentColor" strokeWidth="2" />
          </svg>
        </button>
      )}
      <h2 id={`${id}-title`}>{step.title}</h2>
      <p id={`${id}-text`}>{step.content}</p>
      {isWelcome ? (
        <div className={styles.choices}>
          <span data-tour-primary="">
            <NativeButton look="primary" onClick={acts.next}>
              Get Started
            </NativeButton>
          </span>
          <NativeButton onClick={acts.later}>Show me later</NativeButton>
          <NativeButton look="text" onClick={acts.dismiss}>
            Dismiss all Wardlight walkthrough steps
          </NativeButton>
        </div>
      ) : (
        <div className={styles.foot}>
          <span className={styles.progress}>{progressText(index)}</span>
          <span data-tour-primary="">
            <NativeButton look="primary" onClick={acts.next}>
              {isLast ? 'Finish' : 'Next'}
            </NativeButton>
          </span>
        </div>
      )}
    </section>
  );
}

/** The card follows its target while the page scrolls: a button that moves under a press keeps the press. */
function holdPress({ target, pointerId }: PointerEvent<HTMLElement>): void {
  if (target instanceof Element) {
    target.closest('button')?.setPointerCapture(pointerId);
  }
}

/** Puts the keyboard on the card's main button, unless someone is typing. */
function focusCard(card: HTMLElement | null): void {
  const isTyping = document.activeElement?.closest('input, textarea, select, [contenteditable]') != null;
  if (!isTyping) {
    card?.querySelector<HTMLElement>('[data-tour-primary] button')?.focus({ preventScroll: true });
  }
}
