import type { ReactNode } from 'react';
import styles from './admin.module.css';

interface AdminTableProps {
  label: string;
  columns: readonly string[];
  /** Whether each row ends in a cell with buttons. */
  hasActions?: boolean;
  /** The name of a table that the Tab key reaches, because it scrolls sideways in a narrow window. */
  region?: string;
  /** The rows. */
  children: ReactNode;
}

/** A native table in antd's classes. antd's own is too large for these pages (docs/decisions/pages.md). */
export function AdminTable({ label, columns, hasActions = false, region, children }: AdminTableProps) {
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
                {hasActions ? (
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
