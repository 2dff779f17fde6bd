import { moreText, whatText, type AuditSite } from '../../lib/audit/auditText';
import type { AuditEntry } from '../../lib/audit/schema';
import { formatDateAndSeconds } from '../../lib/time/formatTime';
import { AdminTable } from './AdminTable';
import styles from './admin.module.css';

interface AuditTableProps {
  entries: readonly AuditEntry[];
  site: AuditSite;
  /** Shows only the entries about one patient. */
  onPatient: (id: number) => void;
}

const columns = ['When', 'Who', 'What', 'About', 'More', 'Address'];
const unnamed = {
  // Those of the reader's site have a name.
  user: 'A user of another site',
  device: 'A device',
  system: 'Wardlight itself',
  anonymous: 'Not signed in',
} as const satisfies Record<AuditEntry['actor'], string>;

/** The audit log, one action a row. */
export function AuditTable({ entries, site, onPatient }: AuditTableProps) {
  const { timeZone } = site;
  return (
    <AdminTable label="Audit log" columns={columns} region="The record">
      {entries.map((entry) => (
        <tr key={entry.id} className="ant-table-row">
          <td className={`ant-table-cell ${styles.fixed}`}>{formatDateAndSeconds(Date.parse(entry.at), timeZone)}</td>
          <td className="ant-table-cell">{entry.actorName ?? unnamed[entry.actor]}</td>
          <td className="ant-table-cell">{whatText(entry, site)}</td>
          <td className="ant-table-cell">
            <About entry={entry} onPatient={onPatient} />
          </td>
          <td className="ant-table-cell">{moreText(entry)}</td>
          <td className={`ant-table-cell ${styles.fixed}`}>{entry.ip ?? ''}</td>
        </tr>
      ))}
    </AdminTable>
  );
}

/** The audit log stores no names: this is the name as it is now, or the id of what has none. */
function About({
  entry: { objectType, objectId, about },
  onPatient,
}: {
  entry: AuditEntry;
  onPatient: (id: number) => void;
}) {
  if (objectType === null || objectId === null) {
    return null;
  }
  if (objectType !== 'patient') {
    return about ?? `${objectType} ${objectId}`;
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
      {about ?? `patient ${objectId}`}
    </button>
  );
}
