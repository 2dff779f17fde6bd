import type { ReportFields } from '../../lib/reports/reportFields';
import { longestReportText } from '../../lib/reports/schema';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { FieldErrors } from '../ui/fieldErrors';
import { SelectField } from '../ui/SelectField';
import { SiteTimeField } from '../ui/SiteTimeField';
import { TextArea } from '../ui/TextArea';
import { TextField } from '../ui/TextField';
import { DeviceFields } from './DeviceFields';
import { PlaceFields } from './PlaceFields';
import { harmChoices, kindChoices } from './reportChoices';
import styles from './reports.module.css';
import { SeverityField } from './SeverityField';

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
