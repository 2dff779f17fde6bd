import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { unitBody } from '../../lib/units/schema';
import { fieldErrors, focusFirstError, type FieldErrors } from '../ui/fieldErrors';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import styles from './admin.module.css';
import { useAct } from '../ui/useAct';

interface UnitNameFormProps {
  label: string;
  /** What the button says. */
  actLabel: string;
  initialName: string;
  /** Throws `ApiFailure` where it is refused. */
  onSubmit: (name: string) => Promise<void>;
  onDone: (name: string) => void;
}

/** The name of a unit, new or another one. What was typed stays where it is refused. */
export function UnitNameForm({ label, actLabel, initialName, onSubmit, onDone }: UnitNameFormProps) {
  const { isWaiting, failure, carryOut } = useAct();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState(initialName);
  const [errors, setErrors] = useState<FieldErrors>({});
  useEffect(() => {
    focusFirstError(form.current);
  }, [errors, failure]);
  const submit = async (): Promise<void> => {
    const parsed = unitBody.safeParse({ name });
    setErrors(parsed.success ? {} : fieldErrors(parsed.error));
    if (parsed.success && (await carryOut(() => onSubmit(parsed.data.name)))) {
      onDone(parsed.data.name);
    }
  };
  return (
    <form
      ref={form}
      method="post"
      noValidate
      className={styles.form}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <FormFailure>{failure === null ? null : `Not saved. ${failure.message}`}</FormFailure>
      <TextField
        label={label}
        hint="A ward or a team, as it stands beside a patient’s bed"
        required
        value={name}
        onChange={setName}
        error={errors.name ?? failure?.fields.name}
      />
      <SubmitButton isWaiting={isWaiting}>{actLabel}</SubmitButton>
    </form>
  );
}
