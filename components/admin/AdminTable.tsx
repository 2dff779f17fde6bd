import { PlainTable, type PlainTableProps } from '../ui/PlainTable';
import styles from './admin.module.css';

/** A table of administration; `hasActions`: each row ends in a cell with buttons. */
export function AdminTable({
  hasActions = false,
  ...table
}: Omit<PlainTableProps, 'className' | 'unseenColumn'> & { hasActions?: boolean }) {
  return <PlainTable {...table} className={styles.table} {...(hasActions && { unseenColumn: 'Actions' })} />;
}
