import { useId } from 'react';
import { useRead } from '../../hooks/useRead';
import { severityWords } from '../../lib/reports/entryWords';
import { type ReportFields, deviceParts, type DevicePart } from '../../lib/reports/reportFields';
import { longestReportText } from '../../lib/reports/schema';
import type { ServiceSeverity } from '../../lib/reports/serviceSeverities';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { SelectField } from '../ui/SelectField';
import { SiteTimeField } from '../ui/SiteTimeField';
import { TextArea } from '../ui/TextArea';
import { TextField } from '../ui/TextField';
import type { FieldErrors } from '../ui/fieldErrors';
import { PlaceFields } from './PlaceFields';
import { harmChoices, kindChoices, quarantineChoices, severityKeys } from './reportChoices';
import styles from './reports.module.css';

interface SeverityFieldProps {
  value: ServiceSeverity | '';
  isLocked: boolean;
  error: string | undefined;
  onChange: (severity: ServiceSeverity) => void;
}

/** How much of the service is lost, each in words: a letter and a number say nothing in a hurry. */
function SeverityField({ value, isLocked, error, onChange }: SeverityFieldProps) {
  const id = useId();
  return (
    <fieldset className={styles.choices} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>Service severity: how much of Wardlight is lost</legend>
      {severityKeys.map((severity) => (
        <label key={severity} className={styles.choice}>
          <input
            type="radio"
            name={id}
            checked={value === severity}
            disabled={isLocked}
            aria-invalid={error !== undefined}
            onChange={() => onChange(severity)}
          />
          {severityWords(severity)}
        </label>
      ))}
      {error === undefined ? null : (
        <div id={`${id}-error`} className={styles.error}>
          Service severity {error}
        </div>
      )}
    </fieldset>
  );
}

interface DeviceFieldsProps {
  user: User;
  fields: ReportFields;
  isLocked: boolean;
  errors: FieldErrors;
  onChange: (change: Partial<ReportFields>) => void;
}

/** The device that a report is about: one that the site knows, or what is written on it. */
function DeviceFields({ user, fields, isLocked, errors, onChange }: DeviceFieldsProps) {
  const { device, deviceId, isQuarantined } = fields;
  return (
    <div className={styles.fields}>
      {can(user, 'readDevices') ? (
        <KnownDevice
          value={deviceId}
          isLocked={isLocked}
          error={errors.deviceId}
          onChange={(chosen) => onChange({ deviceId: chosen })}
        />
      ) : null}
      <div className={styles.pair}>
        {parts.map((part) => (
          <TextField
            key={part}
            label={deviceParts[part]}
            error={errors[`device.${part}`]}
            autoComplete="off"
            maxLength={part === 'udi' ? 200 : 100}
            readOnly={isLocked}
            value={device[part]}
            onChange={(text) => onChange({ device: { ...device, [part]: text } })}
          />
        ))}
      </div>
      <SelectField
        label="Taken out of use and put aside"
        value={isQuarantined}
        choices={quarantineChoices}
        disabled={isLocked}
        error={errors['device.isQuarantined']}
        onChange={(answer) => onChange({ isQuarantined: answer })}
      />
    </div>
  );
}

const parts: DevicePart[] = ['maker', 'model', 'serial', 'udi', 'firmware', 'lot'];

function KnownDevice({
  value,
  isLocked,
  error,
  onChange,
}: {
  value: string;
  isLocked: boolean;
  error: string | undefined;
  onChange: (id: string) => void;
}) {
  const devices = useRead('listDevices', {}, { everyMs: 600_000 }).data?.items ?? [];
  const choices = [
    { value: '', label: 'None of these' },
    ...devices
      .filter(({ revokedAt }) => revokedAt === null)
      .map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  // Until the names are read, the one that is chosen stays.
  const shown = choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: '…' }];
  return (
    <SelectField label="Device" value={value} choices={shown} disabled={isLocked} error={error} onChange={onChange} />
  );
}

interface ReportFormProps {
  user: User;
  fields: ReportFields;
  /** The server's time, epoch milliseconds. */
  now: number;
  /** The report is under way: what the server gets is what is shown. */
  isLocked: boolean;
  errors: FieldErrors;
  onChange: (change: Partial<ReportFields>) => void;
}

const kinds: { value: ReportFields['kind']; label: string }[] = [{ value: '', label: 'Choose' }, ...kindChoices];

/** An empty text: not stated. */
const atOf = (text: string): EpochMs | null => (text === '' ? null : Date.parse(text));
const textOf = (at: EpochMs | null): string => (at === null ? '' : new Date(at).toISOString());

/** The fields of a report (clinical.md section 5). Harm and service severity are separate scales. */
export function ReportForm({ user, fields, now, isLocked, errors, onChange }: ReportFormProps) {
  const { timeZone } = user.site;
  const device = <DeviceFields user={user} fields={fields} isLocked={isLocked} errors={errors} onChange={onChange} />;
  return (
    <>
      <SeverityField
        value={fields.severity}
        isLocked={isLocked}
        error={errors.severity}
        onChange={(severity) => onChange({ severity })}
      />
      <SelectField
        label="Kind"
        value={fields.kind}
        choices={kinds}
        disabled={isLocked}
        error={errors.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <TextField
        label="Title"
        error={errors.title}
        autoComplete="off"
        maxLength={120}
        readOnly={isLocked}
        value={fields.title}
        onChange={(title) => onChange({ title })}
      />
      <TextArea
        label="What happened"
        isOptional
        rows={4}
        maxLength={longestReportText}
        isLocked={isLocked}
        error={errors.whatHappened}
        value={fields.whatHappened}
        onChange={(whatHappened) => onChange({ whatHappened })}
      />
      <TextArea
        label="What you expected"
        isOptional
        rows={2}
        maxLength={longestReportText}
        isLocked={isLocked}
        error={errors.expected}
        value={fields.expected}
        onChange={(expected) => onChange({ expected })}
      />
      <TextArea
        label="What was done at once"
        isOptional
        rows={2}
        maxLength={longestReportText}
        isLocked={isLocked}
        error={errors.immediateAction}
        value={fields.immediateAction}
        onChange={(immediateAction) => onChange({ immediateAction })}
      />
      <div className={styles.pair}>
        <SiteTimeField
          label="Happened at"
          at={atOf(fields.occurredAt)}
          now={now}
          timeZone={timeZone}
          isLocked={isLocked}
          error={errors.occurredAt}
          onChange={(at) => onChange({ occurredAt: textOf(at) })}
        />
        <SiteTimeField
          label="Noticed at"
          at={atOf(fields.discoveredAt)}
          now={now}
          timeZone={timeZone}
          isLocked={isLocked}
          error={errors.discoveredAt}
          onChange={(at) => onChange({ discoveredAt: textOf(at) })}
        />
      </div>
      <div className={styles.pair}>
        <SelectField
          label="Physical harm"
          value={fields.physical}
          choices={harmChoices}
          disabled={isLocked}
          error={errors['harm.physical']}
          onChange={(physical) => onChange({ physical })}
        />
        <SelectField
          label="Psychological harm"
          value={fields.psychological}
          choices={harmChoices}
          disabled={isLocked}
          error={errors['harm.psychological']}
          onChange={(psychological) => onChange({ psychological })}
        />
      </div>
      <PlaceFields user={user} fields={fields} isLocked={isLocked} errors={errors} onChange={onChange} />
      {fields.kind === 'device' ? (
        <section aria-label="Device">{device}</section>
      ) : (
        <details>
          <summary className={styles.summary}>Device</summary>
          {device}
        </details>
      )}
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={fields.isReporterHidden}
          disabled={isLocked}
          onChange={({ target }) => onChange({ isReporterHidden: target.checked })}
        />
        Hide my name from colleagues. Those who handle the report see it.
      </label>
    </>
  );
}
