import { useId } from 'react';
import { symptomAnswers, type SymptomAnswer } from '../../lib/symptoms/symptoms';
import { answerWords } from '../../lib/symptoms/words';
import styles from './AnswerField.module.css';

interface AnswerFieldProps {
  label: string;
  /** Set by the form; undefined: it was not asked. */
  value?: SymptomAnswer;
  onChange?: (value: SymptomAnswer | undefined) => void;
}

const shortWords = { ...answerWords, moderate: 'Mod.', unanswered: 'No answer' } as const;

/** How severe one symptom is. Nothing is chosen at first, and what was chosen can be taken back: it was not asked. */
export function AnswerField({ label, value, onChange }: AnswerFieldProps) {
  const name = useId();
  return (
    <fieldset className={styles.field}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.answers}>
        {symptomAnswers.map((answer) => (
          <label key={answer} className={styles.answer} data-answer={answer}>
            <input
              type="radio"
              name={name}
              aria-label={answerWords[answer]}
              checked={value === answer}
              onChange={() => onChange?.(answer)}
            />
            <span aria-hidden="true">{shortWords[answer]}</span>
          </label>
        ))}
        <button
          type="button"
          className={styles.clear}
          aria-label={`${label}: not asked`}
          title="Not asked"
          // Keeps its place, so that nothing moves under the pointer.
          data-hidden={value === undefined ? '' : undefined}
          disabled={value === undefined}
          onClick={() => onChange?.(undefined)}
        >
          ×
        </button>
      </div>
    </fieldset>
  );
}
