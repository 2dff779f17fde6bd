import { Button } from 'antd';
import { useNow } from '../../hooks/useNow';
import { markTrial } from '../../lib/patients/markTrial';
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

/** Says whether a device's token is valid at `now`, epoch milliseconds. */
function tokenState({ name, revokedAt, expiresAt, sender }: ListedDevice, now: number, timeZone: string): string {
  if (revokedAt !== null) {
    return 'Revoked';
  }
  if (sender !== null) {
    return sender === name ? 'None, comes by HL7' : `None, comes by ${sender}`;
  }
  if (expiresAt === null) {
    return 'Valid';
  }
  const endsAt = Date.parse(expiresAt);
  return endsAt <= now
    ? `Expired ${formatDate(endsAt, timeZone)}`
    : `Valid until ${formatDate(endsAt, timeZone)}, ${formatTime(endsAt, timeZone)}`;
}

/** Says which patient a device is assigned to, as far as this user may know. */
export function assignedText({ patient }: ListedDevice): string {
  if (patient === null) {
    return 'Not assigned';
  }
  const place = patient.location === null ? 'no place' : `${patient.location.unit} · Bed ${patient.location.bed}`;
  const words =
    patient.identity === null
      ? `${place} · MRN …${patient.mrnEnd}`
      : `${patient.identity.name} · ${place} · MRN ${patient.identity.mrn}`;
  return markTrial(words, patient);
}

/** The devices, and when each last called. A drawer opens for one device. */
export function DevicesTable({ devices, initialNow, timeZone, onOpen }: DevicesTableProps) {
  const now = useNow(initialNow);
  return (
    <AdminTable label="Devices" columns={columns} hasActions>
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
            <Button onClick={() => onOpen(device)} aria-label={`Open ${device.name}`}>
              Open
            </Button>
          </td>
        </tr>
      ))}
    </AdminTable>
  );
}
