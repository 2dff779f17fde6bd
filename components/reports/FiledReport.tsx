import { Button } from 'antd';
import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { paths } from '../../lib/paths';
import type { IssueReport } from '../../lib/reports/schema';
import styles from './reports.module.css';

/** Says what became of a report that was just sent, and whom it alerted. */
export function FiledReport({ report, onClose }: { report: IssueReport; onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button that had the focus is gone with the form.
    button.current?.focus();
  }, []);
  return (
    <div className={styles.form}>
      <p role="status">
        <strong>Report {report.id} is sent.</strong> {alertWords(report)}
      </p>
      <p className={styles.quiet}>You find what becomes of it on the start page and under Issue reports.</p>
      <div className={styles.row}>
        <Button ref={button} type="primary" onClick={onClose}>
          Close
        </Button>
        <Link
          className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
          href={paths.report(report.id)}
          prefetch={false}
          onClick={onClose}
        >
          <span>Open the report</span>
        </Link>
      </div>
    </div>
  );
}

function alertWords({ alarm, severity, unit }: IssueReport): string {
  const whom = unit === null ? 'The ward leads of the site' : unit.name;
  switch (alarm) {
    case 'opening':
    case 'open':
      return `${whom} ${unit === null ? 'are' : 'is'} alerted now.`;
    case 'ended':
      return 'The alert has ended already.';
    case 'rules_off':
      return 'No one was alerted, because the alert rules of this site are off. Tell the unit yourself.';
    case 'none':
      return severity === 'S1' ? 'No one was alerted. Tell the unit yourself.' : '';
  }
}
