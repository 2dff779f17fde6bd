import { useId } from 'react';
import styles from './checkIn.module.css';

interface ChoicesProps<Choice extends string> {
  legend: string;
  hint?: string;
  name: string;
  choices: Readonly<Record<Choice, string>>;
  chosen: Choice | null;
  /** Short choices of a scale, side by side. */
  isScale?: boolean;
  onChoose: (choice: Choice | null) => void;
}

/** A question with one answer at most, and none at first. The chosen one can be cleared again. */
export function Choices<Choice extends string>({
  legend,
  hint,
  name,
  choices,
  chosen,
  isScale = false,
  onChoose,
}: ChoicesProps<Choice>) {
  const hintId = useId();
  const values = Object.keys(choices) as Choice[];
  return (
    <fieldset className={styles.question} aria-describedby={hint === undefined ? undefined : hintId}>
      <legend>{legend}</legend>
      {hint === undefined ? null : (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
      <div className={isScale ? styles.scale : styles.row}>
        {values.map((value) => (
          <label key={value} className={styles.choice}>
            <input
              type="radio"
              name={name}
              checked={chosen === value}
              onChange={() => {
                onChoose(value);
              }}
            />
            <span>{choices[value]}</span>
          </label>
        ))}
      </div>
      {chosen === null ? null : (
        <button
          type="button"
          className={styles.clear}
          aria-label={`Clear the answer to: ${legend}`}
          onClick={() => {
            onChoose(null);
          }}
        >
          Clear this answer
        </button>
      )}
    </fieldset>
  );
}
