import { Button, Progress } from 'antd';
import { useId, useRef, useState, type ReactNode } from 'react';
import { useCall } from '../../hooks/useCall';
import { usePatientExport, type ExportState } from '../../hooks/usePatientExport';
import { exportKinds, type ExportKind } from '../../lib/export/schema';
import { safetyLine } from '../../lib/site/safetyLine';
import { toInstant } from '../../lib/time/schema';
import { startOfDay } from '../../lib/time/startOfDay';
import { DayField } from '../ui/DayPicker';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { PasswordField } from '../ui/PasswordField';
import { patientIdentity } from '../ui/PatientName';
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
  const name = useId();
  const buttons = useRef<HTMLDivElement>(null);
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
    <FormDrawer title={`Export: ${patientIdentity(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        {state.is === 'password_needed' ? (
          <PasswordStep onConfirmed={() => start(state.rest)} />
        ) : (
          <form className={styles.drawer} onSubmit={submit}>
            <Choices legend="What to export, one file each" isDisabled={isRunning}>
              {exportKinds.map((kind) => (
                <label key={kind}>
                  <input
                    type="checkbox"
                    checked={kinds.includes(kind)}
                    onChange={({ target }) => {
                      setKinds(target.checked ? [...kinds, kind] : kinds.filter((one) => one !== kind));
                    }}
                  />
                  {kindLabels[kind]}
                </label>
              ))}
            </Choices>
            <Choices legend="Period" isDisabled={isRunning}>
              {[true, false].map((stay) => (
                <label key={String(stay)}>
                  <input type="radio" name={name} checked={isStay === stay} onChange={() => setIsStay(stay)} />
                  {!stay ? 'Other days' : patient.state === 'discharged' ? 'The last stay' : 'This stay'}
                </label>
              ))}
            </Choices>
            {isStay ? null : (
              <div className="field-pair">
                <DayField label="First day" site={user.site} value={from} onChange={setFrom} />
                <DayField label="Last day" site={user.site} value={to} onChange={setTo} />
              </div>
            )}
            <FormFailure>{isTried ? fault : null}</FormFailure>
            <div ref={buttons} className={styles.buttons}>
              <SubmitButton isWaiting={isRunning}>Export</SubmitButton>
              {isRunning ? (
                <Button
                  onClick={() => {
                    cancel();
                    // This button goes, and the keyboard keeps its place.
                    buttons.current?.querySelector('button')?.focus();
                  }}
                >
                  Cancel
                </Button>
              ) : null}
            </div>
          </form>
        )}
        {state.is === 'running' ? <Running {...state} /> : null}
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
            ? doneWords(state)
            : state.is === 'cancelled'
              ? 'Cancelled. The unfinished file was not saved.'
              : ''}
        </p>
        <p className={styles.quiet}>
          Files contain the MRN and the date of birth, not the name. Each export is in the audit log. {safetyLine}
        </p>
      </div>
    </FormDrawer>
  );
}

/** "4 files were given to the browser to save. Nothing was recorded in this period: notes, alerts." */
function doneWords({ files, empty }: Extract<ExportState, { is: 'done' }>): string {
  const saved = `${files === 1 ? '1 file was' : `${files} files were`} given to the browser to save.`;
  const names = empty.map((kind) => kindLabels[kind].toLowerCase()).join(', ');
  return empty.length === 0
    ? saved
    : empty.length === files
      ? `Nothing was recorded in this period. ${saved} Each has only a header.`
      : `${saved} Nothing was recorded in this period: ${names}.`;
}

interface ChoicesProps {
  legend: string;
  isDisabled: boolean;
  children: ReactNode;
}

function Choices({ legend, isDisabled, children }: ChoicesProps) {
  return (
    <fieldset className={styles.plain} disabled={isDisabled}>
      <legend>{legend}</legend>
      <div className={styles.choices}>{children}</div>
    </fieldset>
  );
}

interface RunningProps {
  kind: ExportKind;
  rows: number;
  ofAbout: number | null;
}

/** How far a file is. It is never full before the file is whole, because the number of rows is an estimate. */
function Running({ kind, rows, ofAbout }: RunningProps) {
  const percent = ofAbout === null || ofAbout === 0 ? null : Math.min(99, Math.floor((100 * rows) / ofAbout));
  return (
    <div className={styles.drawer}>
      <p>
        {kindLabels[kind]}: {rows.toLocaleString('en-GB')} rows
        {ofAbout === null ? '' : ` of about ${ofAbout.toLocaleString('en-GB')}`}
      </p>
      {percent === null ? null : <Progress percent={percent} aria-label={`Export of ${kindLabels[kind]}`} />}
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
      <p>Enter your password again: an export needs it from the last five minutes.</p>
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
