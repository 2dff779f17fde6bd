import { Button } from 'antd';
import { useNow } from '../../hooks/useNow';
import type { ListedDevice } from '../../lib/devices/schema';
import { formatDate, formatTime } from '../../lib/time/formatTime';
import { Age } from '../ui/Age';
import { AdminTable } from './AdminTable';
import styles from './admin.module.css';

interface DevicesTableProps {
  devices: readonly ListedDevice[];
  initialNow: number;
  timeZone: string;
  onOpen: (device: ListedDevice) => void;
}

const columns = ['Device', 'Last seen', 'Token', 'Patient', 'Refused in 24 h'];

/** What of a device's token holds at `now`, epoch milliseconds. */
function tokenState({ revokedAt, expiresAt }: ListedDevice, now: number, timeZone: string): string {
  if (revokedAt !== null) {
    return 'Revoked';
  }
  if (expiresAt === null) {
    return 'Valid';
  }
  const endsAt = Date.parse(expiresAt);
  return endsAt <= now
    ? `Expired ${formatDate(endsAt, timeZone)}`
    : `Valid until ${formatDate(endsAt, timeZone)}, ${formatTime(endsAt, timeZone)}`;
}

/** Whom a device is assigned to, with as much of it as this user may know. */
export function assignedText({ patient }: ListedDevice): string {
  if (patient === null) {
    return 'Not assigned';
  }
  const place = patient.location === null ? 'no place' : `${patient.location.unit} · Bed ${patient.location.bed}`;
  return patient.identity === null
    ? `${place} · MRN …${patient.mrnEnd}`
    : `${patient.identity.name} · ${place} · MRN ${patient.identity.mrn}`;
}

/** Which devices there are, and since when one has not been heard of; what is done with one is done in a drawer. */
export function DevicesTable({ devices, initialNow, timeZone, onOpen }: DevicesTableProps) {
  const now = useNow(initialNow);
  return (
    <AdminTable label="Devices" columns={columns} hasActs>
      {devices.map((device) => (
        <tr key={device.id} className="ant-table-row">
          <th scope="row" className="ant-table-cell">
            {device.name}
          </th>
          <td className={`ant-table-cell ${styles.fixed}`}>
            {device.lastSeenAt === null ? (
              'Never'
            ) : (
              <>
                <Age since={Date.parse(device.lastSeenAt)} now={now} timeZone={timeZone} /> ago
              </>
            )}
          </td>
          <td className={`ant-table-cell ${styles.fixed}`}>{tokenState(device, now, timeZone)}</td>
          <td className="ant-table-cell">{assignedText(device)}</td>
          <td className="ant-table-cell">{device.refused >= 1_000 ? '1000 or more' : device.refused}</td>
          <td className="ant-table-cell">
            <Button
              onClick={() => {
                onOpen(device);
              }}
              aria-label={`Open ${device.name}`}
            >
              Open
            </Button>
          </td>
        </tr>
      ))}
    </AdminTable>
  );
}
