import { auditWords } from '../../lib/audit/actions';
import type { AuditEntry } from '../../lib/audit/schema';
import { formatDate, formatTimeWithSeconds } from '../../lib/time/formatTime';
import { AdminTable } from './AdminTable';
import styles from './admin.module.css';

interface AuditTableProps {
  entries: readonly AuditEntry[];
  timeZone: string;
  /** Shows only the entries about one patient. */
  onPatient: (id: number) => void;
}

const columns = ['When', 'Who', 'What', 'About', 'More', 'Address'];
const unnamed = {
  user: 'A user',
  device: 'A device',
  system: 'Wardlight itself',
  anonymous: 'Not signed in',
} as const satisfies Record<AuditEntry['actor'], string>;

/** The audit log, one action a row. */
export function AuditTable({ entries, timeZone, onPatient }: AuditTableProps) {
  return (
    <AdminTable label="Audit log" columns={columns} region="The record">
      {entries.map((entry) => (
        <tr key={entry.id} className="ant-table-row">
          <td className={`ant-table-cell ${styles.fixed}`}>
            {formatDate(Date.parse(entry.at), timeZone)}, {formatTimeWithSeconds(Date.parse(entry.at), timeZone)}
          </td>
          <td className="ant-table-cell">{entry.actorName ?? unnamed[entry.actor]}</td>
          <td className="ant-table-cell">
            {auditWords(entry.action)}
            {entry.outcome === 'refused' && entry.action !== 'refused_call' ? ' (refused)' : null}
          </td>
          <td className="ant-table-cell">
            <About entry={entry} onPatient={onPatient} />
          </td>
          <td className="ant-table-cell">{detailsText(entry.details)}</td>
          <td className={`ant-table-cell ${styles.fixed}`}>{entry.ip ?? ''}</td>
        </tr>
      ))}
    </AdminTable>
  );
}

/** The audit log stores no names, so this is the id of what the action was about. */
function About({ entry: { objectType, objectId }, onPatient }: { entry: AuditEntry; onPatient: (id: number) => void }) {
  if (objectType === null || objectId === null) {
    return null;
  }
  if (objectType !== 'patient') {
    return `${objectType} ${objectId}`;
  }
  return (
    <button
      type="button"
      className={styles.plain}
      title="Show only entries about this patient"
      onClick={() => {
        onPatient(objectId);
      }}
    >
      patient {objectId}
    </button>
  );
}

function detailsText(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join('; ');
}
