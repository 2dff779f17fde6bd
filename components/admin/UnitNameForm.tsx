import type { CallInput } from '../../lib/browser/client';
import { unitBody } from '../../lib/units/schema';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';

interface UnitNameFormProps {
  submitLabel: string;
  initialName: string;
  /** Rejects with `ApiFailure` if it is refused. */
  send: (body: CallInput<'createUnit'>['body']) => Promise<unknown>;
  onDone: (name: string) => void;
}

/** The name of a unit, new or changed. */
export function UnitNameForm({ submitLabel, initialName, send, onDone }: UnitNameFormProps) {
  return (
    <SchemaForm
      schema={unitBody}
      initial={{ name: initialName }}
      send={async (body) => {
        await send(body);
        onDone(body.name);
      }}
      submitLabel={submitLabel}
    >
      <FormField name="name" label="Name" hint="A ward or a team, shown beside each patient’s bed" />
    </SchemaForm>
  );
}
