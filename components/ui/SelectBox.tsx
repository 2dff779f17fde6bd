import styles from './SelectBox.module.css';

interface SelectBoxProps {
  label: string;
  isChecked: boolean;
  /** Some of the things it selects are selected and some are not. */
  isMixed?: boolean;
  onChange: () => void;
}

/** The browser's own checkbox. Its label says what it selects, because its place in a table cannot be heard. */
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
