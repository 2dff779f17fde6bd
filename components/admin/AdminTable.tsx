import type { ReactNode } from 'react';
import styles from './admin.module.css';

interface AdminTableProps {
  label: string;
  columns: readonly string[];
  /** Whether the rows end in a cell with what can be done. */
  hasActs?: boolean;
  /**
   * The name of a table that stands in the order of the Tab key, because it scrolls sideways where the window is
   * narrow.
   */
  region?: string;
  /** Its rows. */
  children: ReactNode;
}

/** A native table in antd's classes, as the lists of the administration are. */
export function AdminTable({ label, columns, hasActs = false, region, children }: AdminTableProps) {
  return (
    <div
      className={`${styles.table} ant-table-wrapper wardlight ant-table-css-var`}
      {...(region !== undefined && { role: 'region', 'aria-label': region, tabIndex: 0 })}
    >
      <div className="ant-table">
        <div className="ant-table-container">
          <table aria-label={label}>
            <thead className="ant-table-thead">
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" className="ant-table-cell">
                    {column}
                  </th>
                ))}
                {hasActs ? (
                  <th scope="col" className="ant-table-cell">
                    <span className="visually-hidden">Actions</span>
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody className="ant-table-tbody">{children}</tbody>
          </table>
        </div>
      </div>
    </div>
  );
}
