import { useEffect, useRef, useState } from 'react';
import type { Site } from '../../hooks/useSite';
import { patientLabels, type PatientLabel } from '../../lib/chat/patientLabels';
import type { SiteSettings } from '../../lib/site/schema';
import type { SignUpMode } from '../../lib/site/signUpModes';
import { useTimeZones } from '../ui/useTimeZones';
import { fieldErrors, focusFirstError, type FieldErrors } from '../ui/fieldErrors';
import { FormFailure } from '../ui/FormFailure';
import { SelectField } from '../ui/SelectField';
import { SubmitButton } from '../ui/SubmitButton';
import { useSubmit } from '../ui/useSubmit';
import { TextField } from '../ui/TextField';
import styles from './admin.module.css';
import { useAct } from '../ui/useAct';

const signUpLabels = {
  off: 'No sign-up',
  invitation: 'By invitation only',
  approval: 'By invitation or with approval',
} as const satisfies Record<SignUpMode, string>;
const signUpChoices: { value: SignUpMode; label: string }[] = [
  { value: 'off', label: signUpLabels.off },
  { value: 'invitation', label: signUpLabels.invitation },
  { value: 'approval', label: signUpLabels.approval },
];

const patientLabelWords = {
  number: 'Only a number',
  bed: 'The bed',
  initials_and_bed: 'Initials and bed',
} as const satisfies Record<PatientLabel, string>;
const patientLabelChoices = patientLabels.map((value) => ({ value, label: patientLabelWords[value] }));

/** What is typed, as text. */
function typedOf(site: SiteSettings) {
  const { name, timeZone, signUpMode, chatPatientLabel } = site;
  return {
    name,
    timeZone,
    signUpMode,
    chatPatientLabel,
    emergencyNumber: site.emergencyNumber ?? '',
    idleMinutes: String(site.idleMinutes),
    shiftStarts: site.shiftStarts.join(', '),
  };
}

/**
 * The settings that administrators change. What was typed stays, also when it is refused or somebody else saves
 * meanwhile.
 */
export function SiteForm({ site, change }: { site: SiteSettings; change: Site['change'] }) {
  const form = useRef<HTMLFormElement>(null);
  const { isWaiting, failure, carryOut } = useAct();
  const { zones } = useTimeZones();
  const [typed, setTyped] = useState(() => typedOf(site));
  // The version that the form began with: saving over a newer one is refused by the server, not done unseen.
  const [version, setVersion] = useState(site.version);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isSaved, setIsSaved] = useState(false);
  useEffect(() => {
    focusFirstError(form.current);
  }, [errors]);

  const set = (field: keyof typeof typed) => (value: string) => {
    setIsSaved(false);
    setTyped((before) => ({ ...before, [field]: value }));
  };
  const startAnew = (): void => {
    setTyped(typedOf(site));
    setVersion(site.version);
    setErrors({});
    setIsSaved(false);
  };
  const submit = async (): Promise<void> => {
    // Loaded when needed, so that the page paints without the schemas.
    const { sitePatch } = await import('../../lib/site/schema');
    const { emergencyNumber, idleMinutes, shiftStarts, ...rest } = typed;
    const body = {
      ...rest,
      version,
      emergencyNumber: emergencyNumber.trim() === '' ? null : emergencyNumber,
      idleMinutes: Number(idleMinutes),
      shiftStarts: shiftStarts.split(/[\s,]+/).filter((time) => time !== ''),
    };
    const parsed = sitePatch.safeParse(body);
    setIsSaved(false);
    setErrors(parsed.success ? {} : ofFields(fieldErrors(parsed.error)));
    if (parsed.success && (await carryOut(() => change(body)))) {
      setVersion(version + 1);
      setIsSaved(true);
    }
  };
  const onSubmit = useSubmit(submit);
  const wrong: FieldErrors = { ...ofFields(failure?.fields ?? {}), ...errors };
  const isStale = site.version > version && !isWaiting;

  return (
    <form ref={form} method="post" noValidate className={styles.form} onSubmit={onSubmit}>
      <FormFailure>{failure === null ? null : `Not saved. ${failure.message}`}</FormFailure>
      <div role="status" className={isSaved || isStale ? styles.said : undefined}>
        {isSaved ? 'Saved. The settings now apply to everyone.' : null}
        {isStale && !isSaved ? (
          <>
            Someone else changed the settings.{' '}
            <button type="button" className={styles.plain} onClick={startAnew}>
              Load their version and discard mine
            </button>
          </>
        ) : null}
      </div>
      <TextField
        label="Name"
        name="name"
        hint="The hospital or ward"
        required
        value={typed.name}
        onChange={set('name')}
        error={wrong.name}
      />
      <SelectField
        label="Time zone"
        name="timeZone"
        hint="All times are shown in it"
        value={typed.timeZone}
        choices={
          zones.some(({ value }) => value === typed.timeZone)
            ? zones
            : [{ value: typed.timeZone, label: typed.timeZone }, ...zones]
        }
        onChange={set('timeZone')}
        error={wrong.timeZone}
      />
      <TextField
        label="Emergency number"
        name="emergencyNumber"
        hint="What staff and patients dial in an emergency"
        inputMode="tel"
        isOptional
        value={typed.emergencyNumber}
        onChange={set('emergencyNumber')}
        error={wrong.emergencyNumber}
      />
      <SelectField
        label="Accounts"
        name="signUpMode"
        hint="How users get an account"
        value={typed.signUpMode}
        choices={signUpChoices}
        onChange={set('signUpMode')}
        error={wrong.signUpMode}
      />
      <TextField
        label="Minutes until the screen locks"
        name="idleMinutes"
        hint="Without input, 2 to 30"
        inputMode="numeric"
        required
        value={typed.idleMinutes}
        onChange={set('idleMinutes')}
        error={wrong.idleMinutes}
      />
      <TextField
        label="Shifts begin at"
        name="shiftStarts"
        hint="Site time, such as 07:30, 19:30"
        required
        value={typed.shiftStarts}
        onChange={set('shiftStarts')}
        error={wrong.shiftStarts}
      />
      <SelectField
        label="What the chat service sees of a patient"
        name="chatPatientLabel"
        hint="In the name of a care team’s channel, outside your house. Never a name"
        value={typed.chatPatientLabel}
        choices={patientLabelChoices}
        onChange={set('chatPatientLabel')}
        error={wrong.chatPatientLabel}
      />
      <SubmitButton isWaiting={isWaiting}>Save</SubmitButton>
    </form>
  );
}

/** A fault inside a list ("shiftStarts.0") belongs to the field in which the whole list is typed. */
function ofFields(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]): [string, string] => [path.split('.')[0] ?? path, message]),
  );
}
