import { Input, Select } from 'antd';
import { useRead } from '../../hooks/useRead';
import { assignmentRoleLabels } from '../../lib/assignments/roles';
import { outcomes } from '../../lib/alerts/alert';
import { outcomeLabels } from '../../lib/alerts/outcomeLabels';
import { reassignBody, rejectBody, resolveBody, type AlertItem } from '../../lib/alerts/schema';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { notDone } from '../ui/notDone';
import { SchemaForm } from '../ui/SchemaForm';
import type { AlertDialog } from './alertChoices';
import { alertPlace, alertSubject } from './alertSubject';
import styles from './AlertDrawer.module.css';
import { useAlertCalls } from './useAlertCalls';

interface AlertDrawerProps {
  is: AlertDialog;
  /** As it is now: what is sent is about this version of it. */
  alert: AlertItem;
  onClose: () => void;
}

const titles = {
  reject: 'I can’t come',
  resolve: 'Resolve the alert',
  reassign: 'Hand the alert over',
} as const satisfies Record<AlertDialog, string>;

/** What needs more than a press: why a user cannot come, what came of the alert, or who takes it instead. */
export function AlertDrawer({ is, alert, onClose }: AlertDrawerProps) {
  return (
    <FormDrawer title={titles[is]} onClose={onClose}>
      <p className={styles.about}>
        <strong>{alertSubject(alert)}</strong>
        <span>{alertPlace(alert)}</span>
        <span>{alert.sentence}</span>
      </p>
      <DialogForm is={is} alert={alert} onDone={onClose} />
    </FormDrawer>
  );
}

interface FormProps {
  alert: AlertItem;
  onDone: () => void;
}

function DialogForm({ is, ...form }: FormProps & { is: AlertDialog }) {
  switch (is) {
    case 'reject':
      return <RejectForm {...form} />;
    case 'resolve':
      return <ResolveForm {...form} />;
    case 'reassign':
      return <ReassignForm {...form} />;
    default:
      return is satisfies never;
  }
}

function RejectForm({ alert, onDone }: FormProps) {
  const { reject } = useAlertCalls();
  return (
    <SchemaForm
      schema={rejectBody}
      initial={{ reason: '' }}
      bodyOf={(typed) => ({ ...typed, version: alert.version })}
      send={async (body) => {
        await reject(alert.id, body);
        onDone();
      }}
      refusalText={(failure) => notDone('sent', failure)}
      submitLabel="I can’t come"
    >
      <FormField name="reason" label="Why" hint="The next people are asked at once and read it.">
        <Input autoComplete="off" />
      </FormField>
    </SchemaForm>
  );
}

function ResolveForm({ alert, onDone }: FormProps) {
  const { resolve } = useAlertCalls();
  return (
    <SchemaForm
      schema={resolveBody}
      initial={{ outcome: undefined, note: '' }}
      bodyOf={(typed) => ({ ...typed, version: alert.version })}
      send={async (body) => {
        await resolve(alert.id, body);
        onDone();
      }}
      refusalText={(failure) => notDone('resolved', failure)}
      submitLabel="Resolve"
    >
      <FormField
        name="outcome"
        label="What came of it"
        hint={alert.condition === 'active' ? 'It closes when the condition ends.' : 'It closes at once.'}
      >
        <Select options={outcomes.map((value) => ({ value, label: outcomeLabels[value] }))} />
      </FormField>
      <FormField name="note" label="Note" isOptional>
        <Input.TextArea rows={3} />
      </FormField>
    </SchemaForm>
  );
}

function ReassignForm({ alert, onDone }: FormProps) {
  const { reassign } = useAlertCalls();
  const { data, error } = useRead('listAlertCandidates', { params: { id: alert.id } });
  const people = (data?.items ?? []).map(({ id, name, roles }) => ({
    value: id,
    label: [name, ...roles.map((role) => assignmentRoleLabels[role].toLowerCase())].join(', '),
  }));
  return (
    <SchemaForm
      schema={reassignBody}
      initial={{ userId: undefined }}
      bodyOf={(typed) => ({ ...typed, version: alert.version })}
      send={async (body) => {
        await reassign(alert.id, body);
        onDone();
      }}
      refusalText={(failure) => notDone('handed over', failure)}
      submitLabel="Ask them"
    >
      <FormField
        name="userId"
        label="Who"
        hint={
          error === undefined
            ? 'Only people on duty who see the patient. Its owner keeps the alert until they take it.'
            : error.message
        }
      >
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          loading={data === undefined && error === undefined}
          options={people}
        />
      </FormField>
    </SchemaForm>
  );
}
