import { Button } from 'antd';
import { useState } from 'react';
import { keptInCharts, type ChartFields, type TypedChartEntry } from '../../hooks/keptTexts';
import type { ApiFailure } from '../../lib/browser/client';
import { newUuid } from '../../lib/browser/newUuid';
import { changedEntryOf } from '../../lib/chart/changedEntryOf';
import { writtenWords } from '../../lib/chart/entryWords';
import { type Chart, writtenValue, type WrittenEntry } from '../../lib/chart/schema';
import { safeParse } from '../../lib/safeParse';
import type { User } from '../../lib/session/schema';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import { siteTimeHints, SiteTimePicker } from '../ui/SiteTimePicker';
import { notDone } from '../ui/notDone';
import { EntryInputs } from './EntryInputs';
import styles from './chart.module.css';
import { markWords, writtenByWords } from './courseWords';
import { bodyOfFields, fieldsOf } from './entryFields';
import { newEntries, useWriteEntry } from './useWriteEntry';

interface EntryConflictProps {
  /** The entry as another user has left it. */
  theirs: WrittenEntry;
  /** What was sent and not stored: a section and its value. */
  mine: { section: string; value?: unknown; reason?: unknown };
  /** The chart with their change has arrived, so that the next attempt is made knowing it. */
  isRead: boolean;
  timeZone: string;
  /** Goes on with what is typed: as a correction of theirs, or as an entry of its own if theirs holds no more. */
  onUse: () => void;
  onDrop: () => void;
}

/** Two people have changed the same: both versions, side by side, and a choice between them. */
function EntryConflict({ theirs, mine, isRead, timeZone, onUse, onDrop }: EntryConflictProps) {
  const parsed = safeParse(writtenValue, { section: mine.section, value: mine.value });
  const course = markWords(theirs, timeZone);
  return (
    <div className={styles.conflict}>
      <p>
        <strong>Not saved: another user has changed this in the meantime.</strong>
      </p>
      <div className={styles.versions}>
        <section aria-label="Theirs">
          <h4>Theirs</h4>
          <p className={styles.words}>
            <strong>{writtenWords(theirs)}</strong>
          </p>
          <p className={styles.quiet}>{writtenByWords(theirs, timeZone)}</p>
          {theirs.reason === null ? null : <p className={styles.quiet}>Reason: {theirs.reason}</p>}
          {course === null ? null : <p>{course}</p>}
        </section>
        <section aria-label="Mine">
          <h4>Mine, not saved</h4>
          <p className={styles.words}>
            <strong>{parsed.success ? writtenWords(parsed.data) : 'As typed above'}</strong>
          </p>
          {typeof mine.reason === 'string' ? <p className={styles.quiet}>Reason: {mine.reason}</p> : null}
        </section>
      </div>
      <div className={styles.row}>
        <Button disabled={!isRead} onClick={onUse}>
          {theirs.status === 'current' ? 'Correct theirs with mine' : 'Add mine as a new entry'}
        </Button>
        <Button onClick={onDrop}>Drop mine</Button>
      </div>
    </div>
  );
}

interface EntryFormProps {
  /** As it is now. */
  chart: Chart;
  user: User;
  /** What is typed; its fields are those that it began with or that were kept. */
  typed: TypedChartEntry;
  /** Gets the id of the entry as it is now. */
  onSaved: (entryId: number) => void;
  onCancel: () => void;
}

/**
 * Adds an entry to a patient's chart or corrects one, for the chart that its author saw. If another user was faster,
 * both versions stand side by side, and nothing is replaced without a choice.
 */
export function EntryForm({ chart, user, typed: first, onSaved, onCancel }: EntryFormProps) {
  const { section } = first;
  const { timeZone } = user.site;
  const write = useWriteEntry();
  const [typed, setTyped] = useState(first);
  const [initial] = useState(() => fieldsOf(section, first.replaced, timeZone));
  const [isKept] = useState(() => JSON.stringify(first.fields) !== JSON.stringify(initial));
  const { replaced, version, clientId } = typed;
  const isCorrection = replaced !== null;
  const keep = (change: Partial<TypedChartEntry>): void => {
    const next = { ...typed, ...change };
    setTyped(next);
    // A lock takes the form away, and gives it back to this user when they open the chart again.
    keptInCharts.keep(user.id, chart.patientId, { is: 'write', typed: next });
  };
  const bodyOf = (fields: ChartFields) => ({
    ...bodyOfFields(section, fields, timeZone, isCorrection),
    clientId,
    authorId: user.id,
    version,
    replaces: replaced?.id ?? null,
  });
  return (
    <SchemaForm
      schema={newEntries[section]}
      initial={initial}
      kept={isKept ? first.fields : undefined}
      version={version}
      bodyOf={bodyOf}
      onTyped={(fields) => keep({ fields })}
      send={async (body) => {
        const change = await write(section, chart.patientId, body).catch((problem: ApiFailure) => {
          // What was sent before is stored: this text is an entry of its own.
          if (problem.code === 'entry_stored') {
            keep({ clientId: newUuid() });
          }
          throw problem;
        });
        keptInCharts.keep(user.id, chart.patientId, null);
        onSaved(change.entry.id);
      }}
      refusalText={(failure) => {
        const theirs = changedEntryOf(failure);
        return theirs === null ? (
          refusalWords(failure)
        ) : (
          <EntryConflict
            theirs={theirs}
            mine={{ section, ...bodyOf(typed.fields) }}
            isRead={chart.version !== version}
            timeZone={timeZone}
            onUse={() => keep({ version: chart.version, replaced: theirs.status === 'current' ? theirs : null })}
            onDrop={onCancel}
          />
        );
      }}
      submitLabel={isCorrection ? 'Save correction' : 'Save'}
      actions={<Button onClick={onCancel}>Cancel</Button>}
    >
      <EntryInputs section={section} patientId={chart.patientId} />
      <div className={styles.pair}>
        <FormField
          name="source"
          label="Source (who said so, or which document)"
          isOptional={section !== 'codeStatus'}
        />
        <FormField
          name="effectiveAt"
          label="In effect since"
          hint={siteTimeHints[user.site.dateOrder]}
          isOptional={section !== 'codeStatus'}
        >
          <SiteTimePicker site={user.site} />
        </FormField>
      </div>
      {isCorrection ? <FormField name="reason" label="Reason for change" /> : null}
    </SchemaForm>
  );
}

function refusalWords(failure: ApiFailure): string {
  // The whole value has no field of its own.
  return failure.fields.value === undefined
    ? notDone('saved', failure)
    : 'Not saved. A current entry of this section says the same or the opposite: correct or end that one first.';
}
