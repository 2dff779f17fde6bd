import { useRead } from '../../hooks/useRead';
import { deviceParts, type DevicePart, type ReportFields } from '../../lib/reports/reportFields';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import type { FieldErrors } from '../ui/fieldErrors';
import { SelectField } from '../ui/SelectField';
import { TextField } from '../ui/TextField';
import { quarantineChoices } from './reportChoices';
import styles from './reports.module.css';

interface DeviceFieldsProps {
  user: User;
  fields: ReportFields;
  isLocked: boolean;
  errors: FieldErrors;
  onChange: (change: Partial<ReportFields>) => void;
}

/** The device that a report is about: one that the site knows, or what is written on it. */
export function DeviceFields({ user, fields, isLocked, errors, onChange }: DeviceFieldsProps) {
  const { device, deviceId, isQuarantined } = fields;
  return (
    <div className={styles.fields}>
      {can(user, 'readDevices') ? (
        <KnownDevice
          value={deviceId}
          isLocked={isLocked}
          error={errors.deviceId}
          onChange={(chosen) => onChange({ deviceId: chosen })}
        />
      ) : null}
      <div className={styles.pair}>
        {parts.map((part) => (
          <TextField
            key={part}
            label={deviceParts[part]}
            error={errors[`device.${part}`]}
            autoComplete="off"
            maxLength={part === 'udi' ? 200 : 100}
            readOnly={isLocked}
            value={device[part]}
            onChange={(text) => onChange({ device: { ...device, [part]: text } })}
          />
        ))}
      </div>
      <SelectField
        label="Taken out of use and put aside"
        value={isQuarantined}
        choices={quarantineChoices}
        disabled={isLocked}
        error={errors['device.isQuarantined']}
        onChange={(answer) => onChange({ isQuarantined: answer })}
      />
    </div>
  );
}

const parts: DevicePart[] = ['maker', 'model', 'serial', 'udi', 'firmware', 'lot'];

function KnownDevice({
  value,
  isLocked,
  error,
  onChange,
}: {
  value: string;
  isLocked: boolean;
  error: string | undefined;
  onChange: (id: string) => void;
}) {
  const devices = useRead('listDevices', {}, { everyMs: 600_000 }).data?.items ?? [];
  const choices = [
    { value: '', label: 'None of these' },
    ...devices
      .filter(({ revokedAt }) => revokedAt === null)
      .map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  // Until the names are read, the one that is chosen stays.
  const shown = choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: '…' }];
  return (
    <SelectField label="Device" value={value} choices={shown} disabled={isLocked} error={error} onChange={onChange} />
  );
}
