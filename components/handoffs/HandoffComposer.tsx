import { Button } from 'antd';
import { useState } from 'react';
import { isUnsavedHandoff, type HandoffDraft, type HandoffKeeper } from '../../hooks/handoffKeeper';
import { useCall } from '../../hooks/useCall';
import { useNoteReaders } from '../../hooks/useNoteReaders';
import { useServerLost } from '../../hooks/useServerLost';
import { assignmentRoleLabels, type AssignmentRole } from '../../lib/assignments/roles';
import type { CallResponse } from '../../lib/browser/client';
import { hasHalf, type HandoffFields, type TypedAction, type TypedContingency } from '../../lib/handoffs/handoffFields';
import { longestSummary } from '../../lib/handoffs/longestSummary';
import type { Handoff, Addressee } from '../../lib/handoffs/schema';
import { severities, type Severity } from '../../lib/handoffs/severities';
import type { Patient } from '../../lib/patients/schema';
import { toPlainText } from '../../lib/plainText';
import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import { formatClock } from '../../lib/time/formatTime';
import { ConfirmButton } from '../ui/ConfirmButton';
import { Field, type FieldControl } from '../ui/Field';
import { FormFailure } from '../ui/FormFailure';
import { patientName } from '../ui/PatientName';
import { SelectField } from '../ui/SelectField';
import { TextArea } from '../ui/TextArea';
import { nativeControl } from '../ui/nativeControl';
import { notDone } from '../ui/notDone';
import { useAction } from '../ui/useAction';
import { HandoffFactList, HandoffText } from './HandoffText';
import styles from './handoffs.module.css';

const blankContingency: TypedContingency = { condition: '', action: '' };
const blankAction: TypedAction = { text: '', owner: { role: 'nurse' }, dueAt: null };

/** Returns the rows with one blank row behind them. */
function withBlank<Row>(rows: readonly Row[], blank: Row, isBlank: (row: Row) => boolean): readonly Row[] {
  const last = rows.at(-1);
  return last !== undefined && isBlank(last) ? rows : [...rows, blank];
}

function replaced<Row>(rows: readonly Row[], place: number, row: Row): Row[] {
  return rows.map((each, index) => (index === place ? row : each));
}

interface ContingencyRowsProps {
  rows: readonly TypedContingency[];
  error: string | undefined;
  onChange: (rows: TypedContingency[]) => void;
}

/** What to do if something happens: a row each, and a blank one for the next. */
function ContingencyRows({ rows, error, onChange }: ContingencyRowsProps) {
  const shown = withBlank(rows, blankContingency, ({ condition, action }) => condition === '' && action === '');
  return (
    <fieldset className={styles.rows} aria-invalid={error !== undefined}>
      <legend>If-then</legend>
      {shown.map((row, place) => (
        <div key={place} className={styles.pair}>
          <input
            className={nativeControl}
            aria-label={`If, row ${place + 1}`}
            placeholder="If"
            maxLength={300}
            value={row.condition}
            onChange={({ target }) =>
              onChange(replaced(shown, place, { ...row, condition: toPlainText(target.value) }))
            }
          />
          <input
            className={nativeControl}
            aria-label={`Then, row ${place + 1}`}
            placeholder="then"
            maxLength={300}
            value={row.action}
            onChange={({ target }) => onChange(replaced(shown, place, { ...row, action: toPlainText(target.value) }))}
          />
        </div>
      ))}
      {error === undefined ? null : <p className={styles.error}>If-then {error}</p>}
    </fieldset>
  );
}

const dueIn = [1, 2, 4, 8, 12] as const;
const hourMs = 3_600_000;

/** The colleagues who may see the patient. */
type Colleagues = CallResponse<'listNoteReaders'>['items'];

interface AddresseeSelectProps {
  /** Of a field, or a name alone where there is no room for one. */
  control: FieldControl | { 'aria-label': string };
  value: Addressee | null;
  /** The first choice if no one needs to be chosen, for example "No owner". */
  noOne?: string;
  colleagues: Colleagues;
  onChange: (value: Addressee | null) => void;
}

/** Chooses a role, or one colleague by name. One who cannot be chosen any more stays chosen as "One person". */
function AddresseeSelect({ control, value, noOne, colleagues, onChange }: AddresseeSelectProps) {
  const userId = value !== null && 'userId' in value ? value.userId : null;
  const chosen = value === null ? '' : 'role' in value ? value.role : String(value.userId);
  return (
    <select
      {...control}
      className={nativeControl}
      value={chosen}
      onChange={({ target }) => {
        onChange(isRole(target.value) ? { role: target.value } : target.value === '' ? null : userOf(target.value));
      }}
    >
      {noOne === undefined ? null : <option value="">{noOne}</option>}
      <optgroup label="Role">
        {Object.entries(assignmentRoleLabels).map(([role, label]) => (
          <option key={role} value={role}>
            {label}
          </option>
        ))}
      </optgroup>
      <optgroup label="Person">
        {userId === null || colleagues.some(({ id }) => id === userId) ? null : (
          <option value={userId}>One person</option>
        )}
        {colleagues.map(({ id, name, type }) => (
          <option key={id} value={id}>
            {name}, {userTypeLabels[type]}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

const userOf = (value: string): Addressee => ({ userId: Number(value) });

function isRole(value: string): value is AssignmentRole {
  return Object.hasOwn(assignmentRoleLabels, value);
}

interface ActionRowsProps {
  rows: readonly TypedAction[];
  now: number;
  timeZone: string;
  colleagues: Colleagues;
  onChange: (rows: TypedAction[]) => void;
}

/** What is to be done, by whom and until when: a row each, and a blank one for the next. */
function ActionRows({ rows, now, timeZone, colleagues, onChange }: ActionRowsProps) {
  const shown = withBlank(rows, blankAction, ({ text }) => text === '');
  return (
    <fieldset className={styles.rows}>
      <legend>Actions</legend>
      {shown.map((row, place) => {
        const put = (next: Partial<TypedAction>): void => onChange(replaced(shown, place, { ...row, ...next }));
        return (
          <div key={place} className={styles.action}>
            <input
              className={nativeControl}
              aria-label={`Action, row ${place + 1}`}
              placeholder="To do"
              maxLength={300}
              value={row.text}
              onChange={({ target }) => put({ text: toPlainText(target.value) })}
            />
            {row.text === '' ? null : (
              <>
                <AddresseeSelect
                  control={{ 'aria-label': `Owner of action ${place + 1}` }}
                  value={row.owner}
                  noOne="No owner"
                  colleagues={colleagues}
                  onChange={(owner) => put({ owner })}
                />
                <select
                  className={nativeControl}
                  aria-label={`Due time of action ${place + 1}`}
                  value={row.dueAt === null ? '' : 'set'}
                  onChange={({ target }) => {
                    const hours = Number(target.value);
                    put({ dueAt: hours > 0 ? new Date(now + hours * hourMs).toISOString() : null });
                  }}
                >
                  <option value="">No time</option>
                  {row.dueAt === null ? null : (
                    <option value="set">by {formatClock(Date.parse(row.dueAt), now, timeZone)}</option>
                  )}
                  {dueIn.map((hours) => (
                    <option key={hours} value={hours}>
                      in {hours} h
                    </option>
                  ))}
                </select>
              </>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

interface HandoffComposerProps {
  /** As the server has it. */
  handoff: Handoff;
  draft: HandoffDraft;
  keeper: HandoffKeeper;
  patient: Patient;
  user: User;
  /** The server's time, epoch milliseconds. */
  now: number;
  onChanged: (said: string) => void;
}

const choices: { value: Severity | ''; label: string }[] = [
  { value: '', label: 'Choose' },
  { value: 'stable', label: severities.stable },
  { value: 'watcher', label: severities.watcher },
  { value: 'unstable', label: severities.unstable },
];

const noOne: Colleagues = [];

/** Writes and gives a patient's handoff. Everything that the product knows is in it already. */
export function HandoffComposer({ handoff, draft, keeper, patient, user, now, onChanged }: HandoffComposerProps) {
  const { timeZone } = user.site;
  const { fields, stored, conflict } = draft;
  const { failure, isWaiting, carryOut } = useAction();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const giveHandoffs = useCall('giveHandoffs');
  const withdrawHandoff = useCall('withdrawHandoff');
  const isLost = useServerLost() !== null;
  const { data: colleagues = noOne } = useNoteReaders(patient.id, true);
  const name = patientName(patient);
  const isCarried = handoff.carriedFrom !== null && !fields.isReviewed;
  const change = (next: Partial<HandoffFields>): void => {
    setFaults({});
    keeper.change(next);
  };
  /** A text that is changed is confirmed by that. */
  const type = (next: Partial<HandoffFields>): void => change({ ...next, isReviewed: true });

  const give = async (): Promise<void> => {
    // A save that was under way may have left without the last letters.
    await keeper.save();
    if (!(await keeper.save())) {
      setFaults(hasHalf(fields) ? { contingencies: 'needs both an if and a then' } : {});
      return;
    }
    const { id, version } = keeper.read()?.stored ?? stored;
    const body = { ids: [{ id, version }], authorId: user.id };
    let refused: string | null = null;
    const isSent = await carryOut(async () => {
      const { items } = await giveHandoffs({ body });
      const error = items[0]?.error ?? null;
      refused = error?.message ?? null;
      setFaults(error === null ? {} : (error.fields ?? { all: error.message }));
    });
    if (isSent && refused === null) {
      keeper.drop();
      onChanged(`Handoff of ${name} given. You stay responsible until it is received.`);
    }
  };
  const withdraw = async (): Promise<void> => {
    await keeper.save();
    const { id, version } = keeper.read()?.stored ?? stored;
    const body = { version, authorId: user.id };
    if (await carryOut(() => withdrawHandoff({ params: { id }, body }))) {
      keeper.drop();
      onChanged('Handoff withdrawn');
    }
  };
  return (
    <div
      className={styles.composer}
      data-writing
      onBlur={() => void keeper.save()}
      onKeyDown={(event) => {
        // As the button below, from any field.
        if (event.key === 'Enter' && event.ctrlKey && !event.repeat && !isLost && conflict === null) {
          event.preventDefault();
          void give();
        }
      }}
    >
      {handoff.question === null ? null : (
        <p role="status">
          <strong>
            {handoff.returnedBy?.name ?? 'The receiver'} asks: {handoff.question}
          </strong>
        </p>
      )}
      <SelectField
        label="Severity"
        value={fields.severity ?? ''}
        choices={choices}
        error={faults.severity}
        onChange={(severity) => change({ severity: severity === '' ? null : severity })}
      />
      <div className={isCarried ? styles.carried : styles.fields}>
        {isCarried ? (
          <div className={styles.row}>
            <span>From the previous handoff. Change it, or confirm that it still applies.</span>
            <Button onClick={() => change({ isReviewed: true })}>Confirm the text</Button>
          </div>
        ) : null}
        <TextArea
          label="Summary"
          isOptional
          rows={3}
          maxLength={longestSummary}
          error={faults.summary}
          value={fields.summary}
          onChange={(text) => type({ summary: toPlainText(text) })}
        />
        <ContingencyRows
          rows={fields.contingencies}
          error={faults.contingencies}
          onChange={(contingencies) => type({ contingencies })}
        />
      </div>
      <ActionRows
        rows={fields.actions}
        now={now}
        timeZone={timeZone}
        colleagues={colleagues}
        onChange={(actions) => change({ actions })}
      />
      <Field label="Receiver" error={faults.receiver}>
        {(control) => (
          <AddresseeSelect
            control={control}
            value={fields.receiver}
            colleagues={colleagues}
            onChange={(receiver) => {
              if (receiver !== null) {
                change({ receiver });
              }
            }}
          />
        )}
      </Field>
      <p className={styles.status} role="status">
        {isUnsavedHandoff(draft) ? (draft.isSaving ? 'Saving' : 'Not saved yet') : 'Saved'}
      </p>
      <FormFailure>
        {draft.failure === null || conflict !== null
          ? null
          : `${notDone('saved', draft.failure)} It stays on this page.`}
      </FormFailure>
      <FormFailure failure={failure} done="done" />
      <FormFailure>{faults.all ?? null}</FormFailure>
      {conflict === null ? null : (
        <div role="alert" className={styles.conflict}>
          <p>
            <strong>Not saved: {conflict.changedBy.name} has changed this handoff in the meantime.</strong> Choose the
            version to keep.
          </p>
          <div className={styles.versions}>
            <div>
              <p>Here</p>
              <p className={styles.typed}>{fields.summary}</p>
              <Button onClick={() => void keeper.resolve('this')}>Keep the version here</Button>
            </div>
            <div>
              <p>{conflict.changedBy.name}</p>
              <HandoffText handoff={conflict} now={now} timeZone={timeZone} />
              <Button onClick={() => void keeper.resolve('other')}>Take the other version</Button>
            </div>
          </div>
        </div>
      )}
      <div className={styles.row}>
        <Button
          type="primary"
          disabled={isLost || conflict !== null}
          loading={isWaiting && { delay: 300 }}
          aria-keyshortcuts="Control+Enter"
          title="Ctrl+Enter"
          onClick={() => void give()}
        >
          Give<span className="visually-hidden"> the handoff of {name}</span>
        </Button>
        <ConfirmButton
          label="Withdraw"
          name={`Withdraw the handoff of ${name}`}
          question="Withdraw this handoff? Its text and actions no longer count."
          placement="bottom"
          disabled={isLost}
          onConfirm={() => void withdraw()}
        />
      </div>
      {handoff.facts === null ? null : <HandoffFactList facts={handoff.facts} timeZone={timeZone} />}
    </div>
  );
}
