import { Select } from 'antd';
import { useId, useState } from 'react';
import { z } from 'zod';
import { withdrawalReason } from '../../lib/vitals/readingsSchema';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';

interface WithdrawFormProps {
  title: string;
  /** What is withdrawn, and among what the user chooses. */
  label: string;
  options: readonly { value: string; label: string }[];
  send: (chosen: string, reason: string) => Promise<void>;
}

const empty: { chosen?: string; reason: string } = { reason: '' };

/** Withdraws values of the wrong patient, whole, with a reason (clinical.md section 00, A4 and A5). */
export function WithdrawForm({ title, label, options, send }: WithdrawFormProps) {
  const id = useId();
  const [typed, setTyped] = useState<{ chosen?: string }>({});
  const named = options.find(({ value }) => value === typed.chosen)?.label ?? 'them';
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <SchemaForm
        schema={z.strictObject({ chosen: z.string('is not chosen'), reason: withdrawalReason })}
        initial={empty}
        onTyped={setTyped}
        question={`Withdraw for good: ${named}?`}
        send={async ({ chosen, reason }) => {
          await send(chosen, reason);
          setTyped(empty);
        }}
        done="withdrawn"
        submitLabel="Withdraw the values"
        isEmptiedWhenSent
      >
        <FormField name="chosen" label={label} hint="They no longer count, and the alerts that they raised end.">
          <Select showSearch={{ optionFilterProp: 'label' }} options={[...options]} />
        </FormField>
        <FormField name="reason" label="Why" maxLength={500} />
      </SchemaForm>
    </section>
  );
}
