import { Button, Input } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { changedEntryOf } from '../../lib/chart/changedEntryOf';
import { entryMark, type Chart, type WrittenEntry } from '../../lib/chart/schema';
import type { User } from '../../lib/session/schema';
import { FormField } from '../ui/FormField';
import { notDone } from '../ui/notDone';
import { SchemaForm } from '../ui/SchemaForm';
import { EntryText } from './EntryText';

export type Mark = 'ended' | 'entered_in_error';

interface MarkFormProps {
  entry: WrittenEntry;
  as: Mark;
  chart: Chart;
  user: User;
  onSaved: () => void;
  onCancel: () => void;
}

/** Ends an entry or marks it as entered in error, with a reason. It stays readable. */
export function MarkForm({ entry, as, chart, user, onSaved, onCancel }: MarkFormProps) {
  const end = useCall('endChartEntry');
  const markInError = useCall('markChartEntryInError');
  const [version] = useState(chart.version);
  return (
    <SchemaForm
      schema={entryMark}
      initial={{ reason: '' }}
      bodyOf={({ reason }) => ({ reason, authorId: user.id, version })}
      send={async (body) => {
        await (as === 'ended' ? end : markInError)({ params: { id: entry.id }, body });
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
