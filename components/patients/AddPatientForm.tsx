import Link from 'next/link';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { useCreatePatient } from '../../hooks/useCreatePatient';
import type { ApiFailure } from '../../lib/browser/client';
import { paths } from '../../lib/paths';
import { newPatient, type Patient } from '../../lib/patients/schema';
import { fieldErrors, focusFirstError, type FieldErrors } from '../ui/fieldErrors';
import { FormFailure } from '../ui/FormFailure';
import { SelectField } from '../ui/SelectField';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import styles from './AddPatientForm.module.css';
import { patientName } from '../ui/PatientName';

interface AddPatientFormProps {
  onAdded: (name: string) => void;
  /** Only who sets SpO2 targets chooses the scale (clinical.md section 9). */
  canChooseScale: boolean;
}

const empty = {
  familyName: '',
  givenName: '',
  dateOfBirth: '',
  mrn: '',
  sex: 'unknown' as Patient['sex'],
  unit: '',
  bed: '',
  profile: 'continuous' as Patient['profile'],
  spo2Scale: '1' as '1' | '2',
};
const sexes = [
  { value: 'unknown', label: 'Not recorded' },
  { value: 'female', label: 'Female' },
  { value: 'male', label: 'Male' },
  { value: 'other', label: 'Other' },
] as const satisfies readonly { value: Patient['sex']; label: string }[];
const profiles = [
  { value: 'continuous', label: 'Continuous, with a monitor' },
  { value: 'home', label: 'At home, spot checks' },
] as const satisfies readonly { value: Patient['profile']; label: string }[];
const scales = [
  { value: '1', label: 'Scale 1 (target 94–98 %)' },
  { value: '2', label: 'Scale 2 (target 88–92 %)' },
] as const;

/** A new patient. The same schema judges here and on the server, and each fault stands at its field. */
export function AddPatientForm({ onAdded, canChooseScale }: AddPatientFormProps) {
  const createPatient = useCreatePatient();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState(empty);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isWaiting, setIsWaiting] = useState(false);
  useEffect(() => {
    focusFirstError(form.current);
  }, [errors]);
  const set =
    <Name extends keyof typeof empty>(name: Name) =>
    (value: (typeof empty)[Name]) => {
      setTyped((before) => ({ ...before, [name]: value }));
    };

  const submit = async (): Promise<void> => {
    const { unit, bed, spo2Scale, ...rest } = typed;
    const parsed = newPatient.safeParse({
      ...rest,
      spo2Scale: Number(spo2Scale),
      location: unit.trim() === '' && bed.trim() === '' ? null : { unit, bed },
    });
    setFailure(null);
    setErrors(parsed.success ? {} : fieldErrors(parsed.error));
    if (!parsed.success) {
      return;
    }
    setIsWaiting(true);
    await createPatient(parsed.data).then(
      (created) => {
        onAdded(patientName(created));
      },
      (refused: ApiFailure) => {
        setFailure(refused);
        setErrors(refused.fields);
      },
    );
    setIsWaiting(false);
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };

  return (
    <form ref={form} method="post" noValidate className={styles.form} onSubmit={onSubmit}>
      <FormFailure>{failure === null ? null : <Refusal failure={failure} />}</FormFailure>
      <div className={styles.pair}>
        <TextField
          label="Family name"
          autoFocus
          required
          value={typed.familyName}
          onChange={set('familyName')}
          error={errors.familyName}
        />
        <TextField
          label="Given name"
          required
          value={typed.givenName}
          onChange={set('givenName')}
          error={errors.givenName}
        />
      </div>
      <div className={styles.pair}>
        <TextField
          label="Date of birth"
          type="date"
          required
          value={typed.dateOfBirth}
          onChange={set('dateOfBirth')}
          error={errors.dateOfBirth}
        />
        <TextField
          label="MRN"
          hint="Medical record number"
          required
          value={typed.mrn}
          onChange={set('mrn')}
          error={errors.mrn}
        />
      </div>
      <SelectField label="Sex" value={typed.sex} choices={sexes} onChange={set('sex')} error={errors.sex} />
      <div className={styles.pair}>
        <TextField label="Unit" isOptional value={typed.unit} onChange={set('unit')} error={errors['location.unit']} />
        <TextField label="Bed" isOptional value={typed.bed} onChange={set('bed')} error={errors['location.bed']} />
      </div>
      <SelectField
        label="Profile"
        value={typed.profile}
        choices={profiles}
        onChange={set('profile')}
        error={errors.profile}
      />
      {canChooseScale ? (
        <SelectField
          label="SpO2 scale"
          value={typed.spo2Scale}
          choices={scales}
          onChange={set('spo2Scale')}
          error={errors.spo2Scale}
        />
      ) : null}
      <SubmitButton isWaiting={isWaiting}>Add patient</SubmitButton>
    </form>
  );
}

/** What the server said; a number that is already taken comes with the way to the patient who has it. */
function Refusal({ failure }: { failure: ApiFailure }) {
  return (
    <>
      {failure.message}{' '}
      {failure.code === 'mrn_exists' && failure.id !== null ? (
        <Link href={paths.patientDetails([failure.id])} prefetch={false}>
          Open that patient
        </Link>
      ) : null}
    </>
  );
}
