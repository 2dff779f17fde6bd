import { Button, Input } from 'antd';
import { useCall } from '../../hooks/useCall';
import { changedEntryOf } from '../../lib/chart/changedEntryOf';
import { keepInChart, type TypedChartMark } from '../../hooks/keptTexts';
import { entryMark } from '../../lib/chart/schema';
import type { User } from '../../lib/session/schema';
import { FormField } from '../ui/FormField';
import { notDone } from '../ui/notDone';
import { SchemaForm } from '../ui/SchemaForm';
import { EntryText } from './EntryText';

interface MarkFormProps {
  patientId: number;
  user: User;
  /** What is typed; its reason is empty, or what was kept. */
  typed: TypedChartMark;
  onSaved: () => void;
  onCancel: () => void;
}

/** Ends an entry or marks it as entered in error, with a reason. It stays readable. */
export function MarkForm({ patientId, user, typed, onSaved, onCancel }: MarkFormProps) {
  const { entry, as, version } = typed;
  const end = useCall('endChartEntry');
  const markInError = useCall('markChartEntryInError');
  return (
    <SchemaForm
      schema={entryMark}
      initial={{ reason: '' }}
      kept={typed.reason === '' ? undefined : { reason: typed.reason }}
      // A lock takes the form away, and gives it back to this user when they open the chart again.
      onTyped={({ reason }) => keepInChart(user.id, patientId, { is: 'mark', typed: { ...typed, reason } })}
      bodyOf={({ reason }) => ({ reason, authorId: user.id, version })}
      send={async (body) => {
        await (as === 'ended' ? end : markInError)({ params: { id: entry.id }, body });
        keepInChart(user.id, patientId, null);
        onSaved();
      }}
      refusalText={(failure) => {
        const theirs = changedEntryOf(failure);
        return (
          <>
            {notDone('marked', failure)}
            {theirs === null ? null : <EntryText entry={theirs} timeZone={user.site.timeZone} />}
          </>
        );
      }}
      submitLabel={as === 'ended' ? 'End entry' : 'Mark as entered in error'}
      actions={<Button onClick={onCancel}>Cancel</Button>}
    >
      <FormField name="reason" label={as === 'ended' ? 'Why it ended' : 'What is wrong with it'}>
        <Input autoComplete="off" />
      </FormField>
    </SchemaForm>
  );
}
