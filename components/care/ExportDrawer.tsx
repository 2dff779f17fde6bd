import { Button, Checkbox, Progress, Radio } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { usePatientExport } from '../../hooks/usePatientExport';
import { exportKinds, type ExportKind } from '../../lib/export/schema';
import { safetyLine } from '../../lib/site/safetyLine';
import { toInstant } from '../../lib/time/schema';
import { startOfDay } from '../../lib/time/startOfDay';
import { DayPicker } from '../ui/DayPicker';
import { Field } from '../ui/Field';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { PasswordField } from '../ui/PasswordField';
import { patientName } from '../ui/PatientName';
import { SubmitButton } from '../ui/SubmitButton';
import { useAction } from '../ui/useAction';
import { useSubmit } from '../ui/useSubmit';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';

const kindLabels = {
  vitals: 'Vital signs',
  notes: 'Notes',
  symptoms: 'Symptoms',
  alerts: 'Alerts',
} as const satisfies Record<ExportKind, string>;

/** A patient's data as files, one for each kind. The password is asked for here if it was given too long ago. */
export function ExportDrawer({ patient, user, onClose }: CareDrawerProps) {
  const { state, start, cancel } = usePatientExport(patient.id);
  const [kinds, setKinds] = useState<readonly ExportKind[]>(exportKinds);
  const [isStay, setIsStay] = useState(true);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const { timeZone } = user.site;
  const isBackwards = !isStay && from !== '' && to !== '' && to < from;
  const fault =
    kinds.length === 0
      ? 'Choose what to export.'
      : !isStay && (from === '' || to === '')
        ? 'Choose both days.'
        : isBackwards
          ? 'The last day is before the first.'
          : null;
  const [isTried, setIsTried] = useState(false);
  const isRunning = state.is === 'running';
  const submit = useSubmit(async () => {
    setIsTried(true);
    if (fault === null && !isRunning) {
      await start({
        kinds: exportKinds.filter((kind) => kinds.includes(kind)),
        ...(isStay ? {} : { from: toInstant(startOfDay(from, timeZone)), to: toInstant(startOfDay(to, timeZone, 1)) }),
      });
    }
  });
  return (
    <FormDrawer title={`Export: ${patientName(patient)}, MRN ${patient.mrn}`} onClose={onClose}>
      <div className={styles.drawer}>
        {state.is === 'password_needed' ? (
          <PasswordStep onConfirmed={() => start(state.rest)} />
        ) : (
          <form className={styles.drawer} onSubmit={submit}>
            <fieldset className={styles.plain} disabled={isRunning}>
              <legend>What, a file each</legend>
              <Checkbox.Group<ExportKind>
                value={[...kinds]}
                options={exportKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
                onChange={setKinds}
              />
            </fieldset>
            <fieldset className={styles.plain} disabled={isRunning}>
              <legend>From when</legend>
              <Radio.Group
                value={isStay}
                options={[
                  { value: true, label: patient.state === 'discharged' ? 'The last stay' : 'This stay' },
                  { value: false, label: 'Other days' },
                ]}
                onChange={({ target }) => {
                  setIsStay(target.value === true);
                }}
              />
            </fieldset>
            {isStay ? null : (
              <div className={styles.pair}>
                <Field label="First day" error={undefined}>
                  {(control) => <DayPicker {...control} timeZone={timeZone} value={from} onChange={setFrom} />}
                </Field>
                <Field label="Last day" error={undefined}>
                  {(control) => <DayPicker {...control} timeZone={timeZone} value={to} onChange={setTo} />}
                </Field>
              </div>
            )}
            <FormFailure>{isTried ? fault : null}</FormFailure>
            <div>
              <SubmitButton isWaiting={isRunning}>Export</SubmitButton>
            </div>
          </form>
        )}
        {state.is === 'running' ? <Running state={state} onCancel={cancel} /> : null}
        <FormFailure>
          {state.is === 'failed' ? `${kindLabels[state.kind]}: no file was saved. ${state.failure.message}` : null}
        </FormFailure>
        {state.is === 'failed' ? (
          <div>
            <Button onClick={() => void start(state.rest)}>Try again from there</Button>
          </div>
        ) : null}
        <p role="status">
          {state.is === 'done'
            ? `${state.files === 1 ? '1 file was' : `${state.files} files were`} given to the browser to save.`
            : state.is === 'cancelled'
              ? 'Cancelled. The file that was under way was not saved.'
              : ''}
        </p>
        <p className={styles.quiet}>
          The files name the MRN and the date of birth, not the patient’s name. Each export is on record. {safetyLine}
        </p>
      </div>
    </FormDrawer>
  );
}

interface RunningProps {
  state: { kind: ExportKind; rows: number; ofAbout: number | null };
  onCancel: () => void;
}

/** How far a file is. It is never full before the file is whole, because the number of rows is an estimate. */
function Running({ state: { kind, rows, ofAbout }, onCancel }: RunningProps) {
  const percent = ofAbout === null || ofAbout === 0 ? null : Math.min(99, Math.floor((100 * rows) / ofAbout));
  return (
    <div className={styles.drawer}>
      <p>
        {kindLabels[kind]}: {rows.toLocaleString('en-GB')} rows
        {ofAbout === null ? '' : ` of about ${ofAbout.toLocaleString('en-GB')}`}
      </p>
      {percent === null ? null : <Progress percent={percent} aria-label={`Export of ${kindLabels[kind]}`} />}
      <div>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}

function PasswordStep({ onConfirmed }: { onConfirmed: () => Promise<void> }) {
  const confirm = useCall('confirmPassword');
  const { isWaiting, failure, carryOut } = useAction();
  const [password, setPassword] = useState('');
  const submit = useSubmit(async () => {
    if (await carryOut(() => confirm({ body: { password } }))) {
      await onConfirmed();
    }
  });
  return (
    <form className={styles.drawer} onSubmit={submit}>
      <p>You gave your password more than five minutes ago.</p>
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        autoFocus
        required
        value={password}
        onChange={setPassword}
        error={failure?.code === 'wrong_password' ? 'is wrong' : undefined}
      />
      <FormFailure>{failure === null || failure.code === 'wrong_password' ? null : failure.message}</FormFailure>
      <div>
        <SubmitButton isWaiting={isWaiting}>Confirm and export</SubmitButton>
      </div>
    </form>
  );
}
