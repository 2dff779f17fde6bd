import type { ReactNode } from 'react';

export interface PlainTableProps {
  label: string;
  columns: readonly string[];
  /** The name of a last column that has no visible one. */
  unseenColumn?: string;
  /** The name of a table that the Tab key reaches, because it scrolls sideways in a narrow window. */
  region?: string;
  className: string | undefined;
  /** The rows. */
  children: ReactNode;
}

/** A native table in antd's classes. antd's own is too large for these pages (docs/decisions/pages.md). */
export function PlainTable({ label, columns, unseenColumn, region, className, children }: PlainTableProps) {
  return (
    <div
      className={`${className} ant-table-wrapper wardlight ant-table-css-var`}
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
                {unseenColumn === undefined ? null : (
                  <th scope="col" className="ant-table-cell">
                    <span className="visually-hidden">{unseenColumn}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody className="ant-table-tbody">{children}</tbody>
          </table>
        </div>
      </div>
    </div>
  );
}
