import { Button } from 'antd';
import { useState } from 'react';
import styles from './ConfirmButton.module.css';

interface ConfirmButtonProps {
  /** What the button says, and what is asked after a press. */
  label: string;
  question: string;
  /** The button's name where `label` alone does not say whom it concerns. */
  name?: string;
  onConfirm: () => void;
}

/**
 * A button whose act cannot be taken back: it asks in its own place first, with the keyboard on the harmless answer.
 */
export function ConfirmButton({ label, question, name, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const close = (): void => {
    setIsAsking(false);
  };
  if (!isAsking) {
    return (
      <Button
        aria-label={name}
        onClick={() => {
          setIsAsking(true);
        }}
      >
        {label}
      </Button>
    );
  }
  return (
    <div role="group" aria-label={question} className={styles.question}>
      <strong>{question}</strong>
      <Button autoFocus onClick={close}>
        Cancel
      </Button>
      <Button
        onClick={() => {
          close();
          onConfirm();
        }}
      >
        {label}
      </Button>
    </div>
  );
}
