import { Button, Modal } from 'antd';
import { useRef, useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useServerLost } from '../../hooks/useServerLost';
import { toPlainText } from '../../lib/plainText';
import { reportStatuses } from '../../lib/reports/reportStatuses';
import { whoIsAlerted } from '../../lib/reports/entryWords';
import { reportChange, type IssueReport } from '../../lib/reports/schema';
import type { User } from '../../lib/session/schema';
import { fieldErrors, type FieldErrors } from '../ui/fieldErrors';
import { FormFailure } from '../ui/FormFailure';
import { notDone } from '../ui/notDone';
import { SelectField } from '../ui/SelectField';
import { TextField } from '../ui/TextField';
import { useAction } from '../ui/useAction';
import { useSubmit } from '../ui/useSubmit';
import {
  changeBody,
  changedFields,
  conflictsOf,
  managedLabels,
  managedOf,
  managedWords,
  nameOf,
  shownOf,
  type Chosen,
  type ManagedField,
} from './managedFields';
import { harmChoices, kindChoices, quarantineChoices, severityKeys } from './reportChoices';
import styles from './reports.module.css';

interface ReportManagementProps {
  /** As the last response has it. */
  report: IssueReport;
  user: User;
}

const nothingPicked = { chosen: {}, savedAs: null };

/** Changes a report. What another user changes meanwhile is shown beside what is chosen here, and not overwritten. */
export function ReportManagement({ report, user }: ReportManagementProps) {
  const [picked, setPicked] = useState<{ chosen: Chosen; savedAs: number | null }>(nothingPicked);
  const [comment, setComment] = useState('');
  const [faults, setFaults] = useState<FieldErrors>({});
  const [isAsking, setIsAsking] = useState(false);
  const { failure, isWaiting, carryOut } = useAction();
  const changeReport = useCall('changeReport');
  const isLost = useServerLost() !== null;
  const heading = useRef<HTMLHeadingElement>(null);
  const present = managedOf(report);
  // What was saved stays until the report itself says it.
  const chosen = picked.savedAs !== null && report.version >= picked.savedAs ? {} : picked.chosen;
  const isSaved = picked.savedAs !== null;
  const setChosen = (next: Chosen): void => setPicked({ chosen: next, savedAs: null });
  const shown = shownOf(present, chosen);
  const changed = changedFields(present, chosen);
  const conflicts = isSaved ? [] : conflictsOf(present, chosen);
  const errors = { ...failure?.fields, ...faults };
  const choose = (field: ManagedField, value: string): void => {
    setFaults({});
    setChosen({ ...chosen, [field]: { value, base: present[field] } });
  };
  const save = async (): Promise<void> => {
    setIsAsking(false);
    const why = comment.trim() === '' ? {} : { comment };
    const body = reportChange.safeParse({
      ...changeBody(present, chosen),
      ...why,
      version: report.version,
      authorId: user.id,
    });
    if (!body.success) {
      setFaults(fieldErrors(body.error));
      return;
    }
    await carryOut(async () => {
      const { version } = await changeReport({ params: { id: report.id }, body: body.data });
      setPicked({ chosen, savedAs: version });
      setComment('');
    });
  };
  const onSubmit = useSubmit(async () => {
    if (isSaved || changed.length === 0 || conflicts.length > 0 || isLost) {
      return;
    }
    if (changed.includes('severity') && shown.severity === 'S1') {
      setIsAsking(true);
    } else {
      await save();
    }
  });
  const fieldOf = (field: ManagedField) =>
    report.mayChange.includes(nameOf(field)) ? (
      <ManagedControl
        key={field}
        field={field}
        report={report}
        value={shown[field]}
        error={errors[field] ?? errors[`harm.${field}`]}
        onChange={(value) => choose(field, value)}
      />
    ) : null;
  return (
    <section aria-labelledby="report-management">
      <h2 id="report-management" ref={heading} tabIndex={-1}>
        Change
      </h2>
      <form className={styles.form} noValidate onSubmit={onSubmit}>
        <div className={styles.pair}>
          {fieldOf('status')}
          {fieldOf('assigneeId')}
          {fieldOf('severity')}
          {fieldOf('kind')}
          {fieldOf('physical')}
          {fieldOf('psychological')}
          {fieldOf('isQuarantined')}
          {fieldOf('externalReference')}
        </div>
        <TextField
          label="Why"
          isOptional
          error={errors.comment}
          autoComplete="off"
          maxLength={500}
          value={comment}
          onChange={(text) => setComment(toPlainText(text))}
        />
        <p className={styles.quiet}>{isSaved ? 'Saved' : changed.length === 0 ? 'Nothing changed' : 'Not saved yet'}</p>
        <FormFailure>{failure === null || conflicts.length > 0 ? null : notDone('saved', failure)}</FormFailure>
        <div>
          <Button
            type="primary"
            htmlType="submit"
            disabled={isSaved || changed.length === 0 || conflicts.length > 0 || isLost}
            loading={isWaiting && { delay: 300 }}
          >
            Save changes
          </Button>
        </div>
        {/* Below the button, which stays in its place. */}
        {conflicts.length === 0 ? null : (
          <div role="alert" className={styles.conflict}>
            <strong>Not saved: another user has changed this report meanwhile.</strong>
            {conflicts.map((field) => (
              <span key={field}>
                {managedLabels[field]}: here {managedWords(field, shown[field], report.assignees)}, there{' '}
                {managedWords(field, present[field], report.assignees)}
              </span>
            ))}
            <div className={styles.row}>
              <Button
                onClick={() => {
                  setChosen(
                    Object.fromEntries(changed.map((field) => [field, { value: shown[field], base: present[field] }])),
                  );
                  heading.current?.focus();
                }}
              >
                Keep what is here
              </Button>
              <Button
                onClick={() => {
                  setChosen(
                    Object.fromEntries(
                      Object.entries(chosen).filter(([field]) => conflicts.every((one) => one !== field)),
                    ),
                  );
                  heading.current?.focus();
                }}
              >
                Take what is there
              </Button>
            </div>
          </div>
        )}
      </form>
      <Modal
        title="This alarms the unit now"
        open={isAsking}
        closable={false}
        width={400}
        okText="Alert and save"
        onOk={() => void save()}
        cancelText="Cancel"
        cancelButtonProps={{ autoFocus: true }}
        onCancel={() => setIsAsking(false)}
      >
        {user.site.rulesAreOn ? `S1 sends a high-priority alert to ${alertedBy(report)}.` : noAlert}
      </Modal>
    </section>
  );
}

/** The patient may have moved since the report came: then the alert goes to where they are (changeReport). */
const alertedBy = ({ patient, unit }: IssueReport): string =>
  patient === null ? whoIsAlerted(unit) : `the unit where the patient is now, else to ${whoIsAlerted(unit)}`;

const noAlert = 'The alert rules of this site are off, so no one is alerted.';

interface ManagedControlProps {
  field: ManagedField;
  report: IssueReport;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function ManagedControl({ field, report, value, error, onChange }: ManagedControlProps) {
  const label = managedLabels[field];
  if (field === 'externalReference') {
    return (
      <TextField
        label={label}
        isOptional
        error={error}
        autoComplete="off"
        maxLength={120}
        value={value}
        onChange={(text) => onChange(toPlainText(text))}
      />
    );
  }
  return (
    <SelectField
      label={label}
      error={error}
      value={value}
      choices={choicesOf(field, report, value)}
      onChange={onChange}
    />
  );
}

function choicesOf(
  field: Exclude<ManagedField, 'externalReference'>,
  report: IssueReport,
  value: string,
): readonly { value: string; label: string }[] {
  switch (field) {
    case 'status':
      return withValue(
        [report.status, ...report.nextStatuses].map((each) => ({ value: each, label: reportStatuses[each] })),
        field,
        value,
        report,
      );
    case 'assigneeId':
      return withValue(
        [
          { value: '', label: 'No one' },
          ...report.assignees
            .filter(({ kinds }) => kinds.includes(report.kind))
            .map(({ id, name }) => ({ value: String(id), label: name })),
          ...(report.assignee === null ? [] : [{ value: String(report.assignee.id), label: report.assignee.name }]),
        ].filter((choice, place, all) => all.findIndex((one) => one.value === choice.value) === place),
        field,
        value,
        report,
      );
    case 'severity':
      return severityKeys.map((severity) => ({ value: severity, label: severity }));
    case 'kind':
      return kindChoices;
    case 'physical':
    case 'psychological':
      return harmChoices;
    case 'isQuarantined':
      return quarantineChoices;
  }
}

/** What is chosen stays among the choices, also when another user's change has taken it out of them. */
function withValue(
  choices: readonly { value: string; label: string }[],
  field: ManagedField,
  value: string,
  report: IssueReport,
): readonly { value: string; label: string }[] {
  return choices.some((choice) => choice.value === value)
    ? choices
    : [...choices, { value, label: managedWords(field, value, report.assignees) }];
}
