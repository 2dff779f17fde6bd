import { useEffect } from 'react';
import { addReportPlace, askForReport, useAskedReport } from '../../hooks/issueReporting';
import type { User } from '../../lib/session/schema';
import { antdOnDemand } from '../ui/antdOnDemand';

// Rarely used, and antd's fields come with it.
const ReportDrawer = antdOnDemand(() => import('./ReportDrawer').then((module) => module.ReportDrawer));

/** Draws the form of an issue report while it is open. Part of the shell, so that a broken page can be reported. */
export function ReportPlace({ user, now }: { user: User; now: number }) {
  const asked = useAskedReport();
  useEffect(() => addReportPlace(), []);
  return asked === null ? null : (
    <ReportDrawer key={user.id} user={user} now={now} start={asked} onClose={() => askForReport(null)} />
  );
}
