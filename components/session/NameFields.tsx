import type { FieldErrors } from '../ui/fieldErrors';
import { TextField } from '../ui/TextField';
import styles from './session.module.css';

interface NameFieldsProps {
  names: { fname: string; lname: string };
  set: (field: 'fname' | 'lname') => (value: string) => void;
  errors: FieldErrors;
  autoFocus?: boolean;
}

/** First and last name, side by side. */
export function NameFields({ names, set, errors, autoFocus }: NameFieldsProps) {
  return (
    <div className={styles.pair}>
      <TextField
        label="First name"
        name="fname"
        autoComplete="given-name"
        autoFocus={autoFocus}
        required
        value={names.fname}
        onChange={set('fname')}
        error={errors.fname}
      />
      <TextField
        label="Last name"
        name="lname"
        autoComplete="family-name"
        required
        value={names.lname}
        onChange={set('lname')}
        error={errors.lname}
      />
    </div>
  );
}
