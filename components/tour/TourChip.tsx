import { useEffect, useRef } from 'react';
import { progressText } from '../../lib/tour/tourSteps';
import { NativeButton } from '../ui/NativeButton';
import styles from './TourChip.module.css';

interface TourChipProps {
  index: number;
  onContinue: () => void;
  onLater: () => void;
}

/** The walkthrough waits: the page has an alert, a dialog or a text that must not be left without being asked. */
export function TourChip({ index, onContinue, onLater }: TourChipProps) {
  return (
    <aside className={styles.chip} aria-label="Walkthrough">
      <NativeButton onClick={onContinue}>{`Continue walkthrough (${progressText(index)})`}</NativeButton>
      <NativeButton look="text" onClick={onLater}>
        Show me later
      </NativeButton>
    </aside>
  );
}

/** A HIGH alert was raised: the card is folded until someone has the alert, or the user goes on. */
export function TourPaused({ index, onContinue }: Pick<TourChipProps, 'index' | 'onContinue'>) {
  const chip = useRef<HTMLElement>(null);
  useEffect(() => {
    // The card went with the keyboard on it. Not on the button: its user may be about to press Next.
    if (document.activeElement === document.body) {
      chip.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <aside ref={chip} tabIndex={-1} className={styles.chip} aria-label="Walkthrough">
      <span role="status">{`Walkthrough paused, ${progressText(index)}`}</span>
      <span aria-hidden="true">-</span>
      <NativeButton onClick={onContinue} aria-label="Continue the walkthrough">
        Continue
      </NativeButton>
    </aside>
  );
}
