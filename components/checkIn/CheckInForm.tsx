import { useRef, useState, useId } from 'react';
import type { OutboxState } from '../../hooks/checkInOutbox';
import {
  dangerSigns,
  readingWords,
  severityWords,
  sinceYesterdayWords,
  symptomWords,
} from '../../lib/checkIn/patientWords';
import { readTyped } from '../../lib/checkIn/readTyped';
import { isEmpty, readingKinds, type TypedCheckIn } from '../../lib/checkIn/typedCheckIn';
import type { RedFlag, Symptom } from '../../lib/symptoms/symptoms';
import { FormFailure } from '../ui/FormFailure';
import styles from './checkIn.module.css';

interface ReadingFieldProps {
  name: string;
  words: { label: string; unit: string; hint: string };
  value: string;
  fault: string | null;
  onType: (text: string) => void;
  /** The field was left. */
  onDone: () => void;
}

/** A number that somebody reads off a device, with how it is taken. */
function ReadingField({ name, words: { label, unit, hint }, value, fault, onType, onDone }: ReadingFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.reading}>
        <input
          id={id}
          name={name}
          type="text"
          className={styles.input}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={value}
          aria-invalid={fault !== null}
          aria-describedby={`${id}-hint${fault === null ? '' : ` ${id}-fault`}`}
          onChange={({ target }) => onType(target.value)}
          onBlur={onDone}
        />
        <span aria-hidden="true">{unit}</span>
      </span>
      <span id={`${id}-hint`} className={styles.hint}>
        {hint}
      </span>
      {fault === null ? null : (
        <span id={`${id}-fault`} className={styles.fault}>
          {fault}
        </span>
      )}
    </div>
  );
}

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
function Choices<Choice extends string>({
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
            <input type="radio" name={name} checked={chosen === value} onChange={() => onChoose(value)} />
            <span>{choices[value]}</span>
          </label>
        ))}
      </div>
      {chosen === null ? null : (
        <button
          type="button"
          className={styles.clear}
          aria-label={`Clear the answer to: ${legend}`}
          onClick={() => onChoose(null)}
        >
          Clear this answer
        </button>
      )}
    </fieldset>
  );
}

const flags = Object.keys(dangerSigns) as RedFlag[];
const symptomNames = Object.keys(symptomWords) as Symptom[];
const breathlessness = Object.fromEntries(Array.from({ length: 11 }, (_, value) => [`${value}`, `${value}`]));

type Refused = OutboxState['refused'][number];

interface CheckInFormProps {
  typed: TypedCheckIn;
  onChange: (typed: TypedCheckIn) => void;
  /** A reading's field was left. */
  onReadingDone: () => void;
  hasDanger: (typed: TypedCheckIn) => boolean;
  isSending: boolean;
  /** The check-in of this form, if the server has refused it. */
  refused: Refused | null;
  onSend: () => void;
}

/** The questions in one column, the danger signs first. Nothing is chosen before somebody chooses it. */
export function CheckInForm({
  typed,
  onChange,
  onReadingDone,
  hasDanger,
  isSending,
  refused,
  onSend,
}: CheckInFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isChecked, setIsChecked] = useState(false);
  const [isSaidEmpty, setIsSaidEmpty] = useState(false);
  const faultOf = (kind: (typeof readingKinds)[number]): string | null => {
    const read = readTyped(kind, typed.readings[kind]);
    return read !== null && 'fault' in read ? read.fault : null;
  };
  const change = (by: Partial<TypedCheckIn>): void => {
    setIsSaidEmpty(false);
    onChange({ ...typed, ...by });
  };
  const submit = (): void => {
    setIsChecked(true);
    if (isSending) {
      return;
    }
    if (isEmpty(typed)) {
      setIsSaidEmpty(true);
      return;
    }
    const faulty = readingKinds.find((kind) => faultOf(kind) !== null);
    // A slip in a number does not hold up a danger sign: the number is left out, and the confirmation lists what came.
    if (faulty !== undefined && !hasDanger(typed)) {
      form.current?.querySelector<HTMLElement>(`[name="${faulty}"]`)?.focus();
      return;
    }
    onSend();
  };

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset className={styles.question}>
        <legend>Danger signs. Tick any you have now.</legend>
        {flags.map((flag) => (
          <label key={flag} className={styles.choice}>
            <input
              type="checkbox"
              checked={typed.ticked.includes(flag)}
              onChange={({ target }) => {
                const others = typed.ticked.filter((other) => other !== flag);
                change({ ticked: target.checked ? [...others, flag] : others });
              }}
            />
            <span>{dangerSigns[flag]}</span>
          </label>
        ))}
      </fieldset>
      <Choices
        legend="How breathless, at this moment?"
        hint="0 is not at all. 10 is the worst you can imagine."
        name="breathlessness"
        choices={breathlessness}
        chosen={typed.breathlessness === null ? null : String(typed.breathlessness)}
        isScale
        onChoose={(chosen) => change({ breathlessness: chosen === null ? null : Number(chosen) })}
      />
      <Choices
        legend="Compared with yesterday"
        name="sinceYesterday"
        choices={sinceYesterdayWords}
        chosen={typed.sinceYesterday}
        onChoose={(sinceYesterday) => change({ sinceYesterday })}
      />
      <section className={styles.group} aria-label="Symptoms">
        <h2>Symptoms today</h2>
        {symptomNames.map((name) => (
          <Choices
            key={name}
            legend={symptomWords[name]}
            name={name}
            choices={severityWords}
            chosen={typed.answers[name] ?? null}
            onChoose={(chosen) => {
              const { [name]: _before, ...others } = typed.answers;
              change({ answers: chosen === null ? others : { ...others, [name]: chosen } });
            }}
          />
        ))}
      </section>
      <section className={styles.group} aria-label="Readings">
        <h2>Readings, if you have the devices</h2>
        {readingKinds.map((kind) => (
          <ReadingField
            key={kind}
            name={kind}
            words={readingWords[kind]}
            value={typed.readings[kind]}
            fault={isChecked ? faultOf(kind) : null}
            onType={(text) => change({ readings: { ...typed.readings, [kind]: text } })}
            onDone={onReadingDone}
          />
        ))}
      </section>
      <FormFailure>
        {isSaidEmpty ? 'Nothing is answered yet.' : refused === null || isSending ? null : refusalText(refused)}
      </FormFailure>
      <button type="submit" className={styles.mainButton} aria-disabled={isSending}>
        {isSending ? 'Sending …' : 'Send'}
      </button>
    </form>
  );
}

/** What was typed stays, so that it can be read out on the phone. */
function refusalText({ failure: { code, message }, mayHaveArrived }: Refused): string {
  const start = mayHaveArrived ? 'It is not known whether your ward got this' : 'Not sent';
  if (code === 'wrong_year') {
    return `${start}: the year of birth is not the one that your ward has. What you typed is still here.`;
  }
  return code === 'link_unusable'
    ? `${start}: this link does not work any more. What you typed is still here. Call your ward and tell them.`
    : `${start}. ${message} What you typed is still here. If you need help, call your ward.`;
}
