import { Select } from 'antd';
import { useRef } from 'react';
import { z } from 'zod';
import { useCall } from '../../../hooks/useCall';
import { useRead } from '../../../hooks/useRead';
import { serverNow } from '../../../lib/browser/serverClock';
import type { Patient } from '../../../lib/patients/schema';
import { formatDayAndTime } from '../../../lib/time/formatTime';
import { consciousnessLevels, kinds, type VitalKind } from '../../../lib/vitals/kinds';
import { newReadings, type NewReadings } from '../../../lib/vitals/readingsSchema';
import { formatVital } from '../../../lib/vitals/roundVital';
import { WithdrawForm } from '../../care/WithdrawForm';
import { FormDrawer } from '../../ui/FormDrawer';
import { FormField } from '../../ui/FormField';
import { patientIdentity } from '../../ui/PatientName';
import { SchemaForm } from '../../ui/SchemaForm';
import styles from './ReadingsDrawer.module.css';

interface ReadingsDrawerProps {
  patient: Patient;
  timeZone: string;
  onClose: () => void;
  onSaved: () => void;
}

type TypedKind = Exclude<VitalKind, 'perfusionIndex' | 'heartRate' | 'consciousness'>;

/** In the order of the paper chart. */
const fields = [
  { kind: 'respiratoryRate', label: 'Respiratory rate', hint: '/min' },
  { kind: 'spo2', label: 'SpO2', hint: '%' },
  { kind: 'oxygenFlow', label: 'Oxygen', hint: 'L/min, 0 is room air' },
  { kind: 'systolic', label: 'Systolic BP', hint: 'mmHg' },
  { kind: 'diastolic', label: 'Diastolic BP', hint: 'mmHg' },
  { kind: 'pulseRate', label: 'Pulse', hint: '/min' },
  { kind: 'temperature', label: 'Temperature', hint: '°C' },
  { kind: 'weight', label: 'Weight', hint: 'kg' },
] as const satisfies readonly { kind: TypedKind; label: string; hint: string }[];

const levels = {
  A: 'Alert',
  C: 'New confusion',
  V: 'Responds to voice',
  P: 'Responds to pain',
  U: 'Unresponsive',
} as const satisfies Record<(typeof consciousnessLevels)[number], string>;

const minutesAgo = [0, 5, 10, 15, 30, 60];

interface Typed {
  minutesAgo: number;
  readings: Record<TypedKind, string> & { consciousness?: string };
}

const empty: Typed = {
  minutesAgo: 0,
  readings: {
    respiratoryRate: '',
    spo2: '',
    oxygenFlow: '',
    systolic: '',
    diastolic: '',
    pulseRate: '',
    temperature: '',
    weight: '',
  },
};

/** The body of the call. That nothing is filled in is an error of the first field, because each needs a place. */
const formSchema = z.unknown().transform((body, context): NewReadings => {
  const parsed = newReadings.safeParse(body);
  if (parsed.success) {
    return parsed.data;
  }
  for (const { path, message } of parsed.error.issues) {
    const isEmpty = path.join('.') === 'readings';
    context.addIssue({
      code: 'custom',
      path: isEmpty ? ['readings', fields[0].kind] : path,
      message: isEmpty ? 'or another value is needed' : message,
    });
  }
  return z.NEVER;
});

/** The form for readings that a person took. What is left empty is not sent. */
export function ReadingsDrawer({ patient, timeZone, onClose, onSaved }: ReadingsDrawerProps) {
  const addReadings = useCall('addReadings');
  // One moment for all attempts at the same values: a repeat then changes nothing on the server.
  const sentAt = useRef<number | null>(null);
  return (
    <FormDrawer title={`Readings: ${patientIdentity(patient)}`} onClose={onClose}>
      <SchemaForm
        schema={formSchema}
        initial={empty}
        bodyOf={bodyOf}
        send={async ({ readings }, { minutesAgo: minutes }) => {
          sentAt.current ??= serverNow();
          const takenAt =
            sentAt.current === null ? undefined : new Date(sentAt.current - minutes * 60_000).toISOString();
          await addReadings({ params: { id: patient.id }, body: { readings, takenAt } });
          onSaved();
        }}
        onTyped={() => {
          sentAt.current = null;
        }}
        submitLabel="Save readings"
      >
        <div className="field-pair">
          {fields.map(({ kind, label, hint }) => (
            <FormField
              key={kind}
              name={['readings', kind]}
              label={label}
              hint={hint}
              isOptional
              inputMode="decimal"
              autoFocus={kind === fields[0].kind}
            />
          ))}
        </div>
        <FormField name={['readings', 'consciousness']} label="Consciousness" isOptional>
          <Select
            allowClear
            options={consciousnessLevels.map((level) => ({ value: level, label: `${level}: ${levels[level]}` }))}
          />
        </FormField>
        <FormField name="minutesAgo" label="Taken">
          <Select
            options={minutesAgo.map((minutes) => ({
              value: minutes,
              label: minutes === 0 ? 'Now' : `${minutes} min ago`,
            }))}
          />
        </FormField>
      </SchemaForm>
      <p className={styles.note}>
        NEWS2: values count for 60 min, monitor values only while they are shown and certain. © Royal College of
        Physicians 2017.
      </p>
      <TypedBefore patient={patient} timeZone={timeZone} onSaved={onSaved} />
    </FormDrawer>
  );
}

/** What was typed in during the last day, to withdraw a set that is of another patient. */
function TypedBefore({ patient, timeZone, onSaved }: Omit<ReadingsDrawerProps, 'onClose'>) {
  const { data, error } = useRead('listTypedSets', { params: { id: patient.id } });
  const withdraw = useCall('withdrawReadings');
  const options = (data?.items ?? []).map(({ takenAt, by, readings }) => {
    const values = readings.map(({ kind, value }) => `${kinds[kind].label} ${formatVital(kind, value)}`);
    const words = [formatDayAndTime(Date.parse(takenAt), timeZone), ...values, by.name];
    return { value: `${takenAt} ${by.id}`, label: words.join(', '), body: { takenAt, userId: by.id } };
  });
  if (error !== undefined) {
    return <p role="alert">What was typed in before cannot be read: {error.message}</p>;
  }
  return options.length === 0 ? null : (
    <WithdrawForm
      title="Typed for the wrong patient"
      label="Readings"
      options={options.map(({ value, label }) => ({ value, label }))}
      send={async (chosen, reason) => {
        const [body] = options.flatMap((one) => (one.value === chosen ? [one.body] : []));
        if (body !== undefined) {
          await withdraw({ params: { id: patient.id }, body: { ...body, reason } });
          onSaved();
        }
      }}
    />
  );
}

/** Returns the body of what was typed. Both "36.8" and "36,8" are numbers; a text that is none stays as it is. */
function bodyOf({ readings: { consciousness, ...typed } }: Typed): unknown {
  const numbers = Object.entries(typed).flatMap(([kind, text]) => {
    const trimmed = text.trim().replace(',', '.');
    return trimmed === '' ? [] : [[kind, Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed)] as const];
  });
  return { readings: { ...Object.fromEntries(numbers), ...(consciousness === undefined ? {} : { consciousness }) } };
}
