import { useRouter } from 'next/router';
import { useState } from 'react';
import { useAuthentication } from '../../hooks/useAuthentication';
import { paths } from '../../lib/paths';
import type { SetupBody } from '../../lib/session/schema';
import { userTypeLabels, userTypes } from '../../lib/session/userTypes';
import { FormFailure } from '../ui/FormFailure';
import { SelectField } from '../ui/SelectField';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import { EmailField } from './EmailField';
import { NameFields } from './NameFields';
import { NewPasswordField } from './NewPasswordField';
import styles from './session.module.css';
import { useFormFaults } from './useFormFaults';
import { useTimeZones } from '../ui/useTimeZones';
import { useSubmit } from '../ui/useSubmit';

const empty: SetupBody = {
  code: '',
  siteName: '',
  timeZone: 'UTC',
  fname: '',
  lname: '',
  email: '',
  password: '',
  type: 'nurse',
};
const types = userTypes.map((value) => ({ value, label: userTypeLabels[value] }));

/** Creates the site and its first user, who is then signed in. */
export function SetupForm() {
  const router = useRouter();
  const { setUp, isWaiting } = useAuthentication();
  const { form, errors, failure, validate, settle } = useFormFaults();
  const { zones, ownZone } = useTimeZones();
  const [body, setBody] = useState(empty);
  const [zone, setZone] = useState<string | null>(null);
  const set = (field: keyof SetupBody) => (value: string) => {
    setBody((before) => ({ ...before, [field]: value }));
  };
  const timeZone = zone ?? ownZone;

  const onSubmit = useSubmit(async () => {
    // Loaded on submit, so that the page paints without the schemas.
    const { setupBody } = await import('../../lib/session/schema');
    const parsed = validate(setupBody.safeParse({ ...body, timeZone }));
    if (parsed !== null && settle(await setUp(parsed))) {
      await router.replace(paths.dashboard);
    }
  });

  return (
    <form ref={form} method="post" noValidate className="stack" onSubmit={onSubmit}>
      <FormFailure>{failure === null ? null : `Setup failed. ${failure.message}`}</FormFailure>
      <TextField
        label="Setup code"
        name="code"
        hint="The server printed it in its terminal when it started. It works once."
        autoComplete="off"
        spellCheck={false}
        autoFocus
        required
        value={body.code}
        onChange={set('code')}
        error={errors.code}
      />
      <div className={styles.pair}>
        <TextField
          label="Site name"
          name="siteName"
          hint="The hospital or ward"
          required
          value={body.siteName}
          onChange={set('siteName')}
          error={errors.siteName}
        />
        <SelectField
          label="Time zone"
          name="timeZone"
          hint="All times are shown in it"
          value={timeZone}
          choices={zones}
          onChange={setZone}
          error={errors.timeZone}
        />
      </div>
      <NameFields names={body} set={set} errors={errors} />
      <EmailField value={body.email} onChange={set('email')} error={errors.email} />
      <NewPasswordField value={body.password} onChange={set('password')} error={errors.password} />
      <SelectField
        label="You are"
        name="type"
        hint={
          'You become the site’s administrator in any case. ' + 'A user of the type Administrator sees no patient data.'
        }
        value={body.type}
        choices={types}
        onChange={set('type')}
        error={errors.type}
      />
      <SubmitButton isWaiting={isWaiting}>Set up Wardlight</SubmitButton>
    </form>
  );
}
