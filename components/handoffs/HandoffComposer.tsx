import { Button } from 'antd';
import { useState } from 'react';
import { isUnsavedHandoff, type HandoffDraft, type HandoffKeeper } from '../../hooks/handoffKeeper';
import { useCall } from '../../hooks/useCall';
import { useNoteReaders } from '../../hooks/useNoteReaders';
import { useServerLost } from '../../hooks/useServerLost';
import { hasHalf, type HandoffFields } from '../../lib/handoffs/handoffFields';
import { longestSummary } from '../../lib/handoffs/longestSummary';
import type { Handoff } from '../../lib/handoffs/schema';
import { severities, type Severity } from '../../lib/handoffs/severities';
import type { Patient } from '../../lib/patients/schema';
import { toPlainText } from '../../lib/plainText';
import type { User } from '../../lib/session/schema';
import { ConfirmButton } from '../ui/ConfirmButton';
import { Field } from '../ui/Field';
import { FormFailure } from '../ui/FormFailure';
import { notDone } from '../ui/notDone';
import { patientName } from '../ui/PatientName';
import { SelectField } from '../ui/SelectField';
import { TextArea } from '../ui/TextArea';
import { useAction } from '../ui/useAction';
import { AddresseeSelect, type Colleagues } from './AddresseeSelect';
import { ActionRows, ContingencyRows } from './HandoffRows';
import styles from './handoffs.module.css';
import { HandoffFactList, HandoffText } from './HandoffText';

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
      onBlur={() => {
        void keeper.save();
      }}
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
            <span>From the handoff before. Change it, or confirm that it still holds.</span>
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
      <FormFailure>{failure === null ? null : notDone('done', failure)}</FormFailure>
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
