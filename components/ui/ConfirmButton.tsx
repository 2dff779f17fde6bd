import { Button, Popconfirm } from 'antd';
import { useId, useRef } from 'react';
import styles from './ConfirmButton.module.css';

interface ConfirmButtonProps {
  /** The button's text, and the question after a press. */
  label: string;
  question: string;
  /** The button's name if `label` alone does not say what it is about. */
  name?: string;
  disabled?: boolean;
  /** Where the question appears. */
  placement?: 'top' | 'bottom';
  onConfirm: () => void;
}

/**
 * A button for an action that cannot be undone. It asks first, with the focus on Cancel. The focus returns to the
 * button afterwards.
 */
export function ConfirmButton({ label, question, name, disabled, placement, onConfirm }: ConfirmButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const cancelId = useId();
  return (
    <Popconfirm
      title={<span className={styles.question}>{question}</span>}
      icon={null}
      okText={label}
      okButtonProps={{ size: 'middle' }}
      cancelText="Cancel"
      cancelButtonProps={{ size: 'middle', id: cancelId }}
      destroyOnHidden
      placement={placement}
      disabled={disabled}
      onConfirm={onConfirm}
      afterOpenChange={(isOpen) => {
        if (isOpen) {
          document.getElementById(cancelId)?.focus();
        }
      }}
      onOpenChange={(isOpen) => {
        if (!isOpen) {
          button.current?.focus();
        }
      }}
    >
      <Button ref={button} aria-label={name} disabled={disabled}>
        {label}
      </Button>
    </Popconfirm>
  );
}
