import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { newDevice } from '../../lib/devices/schema';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import { TokenBox } from './TokenBox';

/** Adds a device. The drawer stays open until the user closes it, because it shows the token only once. */
export function AddDeviceDrawer({ onClose }: { onClose: () => void }) {
  const add = useCall('addDevice');
  const [token, setToken] = useState<string | null>(null);
  return (
    <FormDrawer title="Add device" onClose={onClose}>
      {token === null ? (
        <SchemaForm
          schema={newDevice}
          initial={{ name: '', expectedEveryMs: '', expiresInDays: '' }}
          bodyOf={({ name, expectedEveryMs: seconds, expiresInDays: days }) => ({
            name,
            expectedEveryMs: seconds.trim() === '' ? undefined : Math.round(Number(seconds) * 1_000),
            expiresInDays: days.trim() === '' ? undefined : Number(days),
          })}
          send={async (body) => {
            setToken((await add({ body })).token);
          }}
          done="added"
          submitLabel="Add device"
        >
          <FormField name="name" label="Name" hint="Shown beside its values" />
          <FormField
            name="expectedEveryMs"
            label="Seconds between two values"
            hint="Empty: by the kind of value, 1 s on a monitor"
            isOptional
            inputMode="decimal"
          />
          <FormField
            name="expiresInDays"
            label="Token expires after days"
            hint="Empty: until it is revoked"
            isOptional
            inputMode="numeric"
          />
        </SchemaForm>
      ) : (
        <TokenBox token={token} />
      )}
    </FormDrawer>
  );
}
