import styles from './SelectBox.module.css';

interface SelectBoxProps {
  label: string;
  isChecked: boolean;
  /** Some of what it stands for is selected and some is not. */
  isMixed?: boolean;
  onChange: () => void;
}

/** The browser's own checkbox; what it selects is said to those who do not see where it stands. */
export function SelectBox({ label, isChecked, isMixed = false, onChange }: SelectBoxProps) {
  return (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={label}
      checked={isChecked}
      ref={(box) => {
        if (box !== null) {
          box.indeterminate = isMixed;
        }
      }}
      onChange={onChange}
    />
  );
}
