import { Drawer } from 'antd';
import { reasonWords } from '../../lib/interfaces/reasonWords';
import type { CheckedMessage, OpenedMessage } from '../../lib/interfaces/schema';
import styles from './admin.module.css';
import { AdminTable } from './AdminTable';

interface MessageDrawerProps {
  message: OpenedMessage | CheckedMessage;
  onClose: () => void;
}

/** What is in a message, segment by segment, as it was sent; or what its lines would be taken for. */
export function MessageDrawer({ message, onClose }: MessageDrawerProps) {
  const isOpened = 'segments' in message;
  return (
    <Drawer title={isOpened ? 'Message' : 'Lines of a message'} size={800} open onClose={onClose}>
      <div className={styles.drawer}>{isOpened ? <Segments {...message} /> : <Lines {...message} />}</div>
    </Drawer>
  );
}

function Segments({ sha256, segments }: OpenedMessage) {
  return (
    <>
      <p className={styles.text}>As it was sent. That you opened it is on record.</p>
      <ol className={styles.segments} aria-label="Segments">
        {segments.map((segment, index) => (
          // Segments have no id, and their order never changes.
          <li key={index}>{segment}</li>
        ))}
      </ol>
      <p className={`${styles.text} ${styles.quiet}`}>SHA-256 {sha256}</p>
    </>
  );
}

function Lines({ lines, isCut }: CheckedMessage) {
  return (
    <>
      <p className={styles.text}>
        How each line would be read with today’s settings and mappings, if the patient is here as the message says. What
        became of it when it came is in the list.
      </p>
      <AdminTable label="Lines" columns={['Line', 'Code', 'Unit', 'Read as']} region="Lines">
        {lines.map(({ line, code, unit, taken, reason, settings }) => (
          <tr key={line} className="ant-table-row">
            <th scope="row" className="ant-table-cell">
              {line === 1 ? 'All' : line}
            </th>
            <td className="ant-table-cell">{code}</td>
            <td className="ant-table-cell">{unit}</td>
            <td className="ant-table-cell">
              {reason === null ? taken : `Not taken: ${reasonWords[reason][0]}`}
              {settings.map((words) => (
                <div key={words} className={styles.quiet}>
                  May change with: {words}
                </div>
              ))}
            </td>
          </tr>
        ))}
      </AdminTable>
      {lines.length === 0 || isCut ? (
        <p className={styles.text}>
          {isCut ? 'These are the first lines only.' : 'It has no line with a value (OBX).'}
        </p>
      ) : null}
    </>
  );
}
