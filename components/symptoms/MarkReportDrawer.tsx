import { Button } from 'antd';
import { useCall } from '../../hooks/useCall';
import type { Patient } from '../../lib/patients/schema';
import { symptomsInErrorBody, type ListedReport } from '../../lib/symptoms/schema';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { patientIdentity } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import { ReportText } from './ReportText';
import { reportTime } from './reportTime';

interface MarkReportDrawerProps {
  report: ListedReport;
  patient: Patient;
  timeZone: string;
  /** Called after the report was marked, before the drawer closes. */
  onChanged: () => void;
  onClose: () => void;
}

/** Asks why a report was entered in error, and says what will be different. It cannot be taken back. */
export function MarkReportDrawer({ report, patient, timeZone, onChanged, onClose }: MarkReportDrawerProps) {
  const mark = useCall('markSymptomsInError');
  const readable = 'isUnreadable' in report ? null : report;
  const hasReadings = readable === null || (readable.source !== 'staff' && Object.keys(readable.readings).length > 0);
  const withdrawn = readable === null ? 'Readings of a check-in' : 'Its readings';
  return (
    <FormDrawer title={`Entered in error: ${patientIdentity(patient)}`} onClose={onClose}>
      <p>Report of {reportTime(report, timeZone)}:</p>
      <p>
        <ReportText report={report} />
      </p>
      <p>
        It stays readable, struck out, and no longer counts.
        {hasReadings ? ` ${withdrawn} are withdrawn too: charts leave them out, and alerts that they raised end.` : ''}
        {readable === null || readable.redFlags.length > 0
          ? ` ${readable === null ? 'A' : 'Its'} red flag stays open until a person resolves the alert.`
          : ''}
        {' This cannot be undone.'}
      </p>
      <SchemaForm
        schema={symptomsInErrorBody}
        initial={{ reason: '' }}
        send={async (body) => {
          await mark({ params: { id: report.id }, body });
          onChanged();
          onClose();
        }}
        done="marked"
        submitLabel="Mark as entered in error"
        actions={<Button onClick={onClose}>Cancel</Button>}
      >
        <FormField name="reason" label="What is wrong with it" maxLength={500} />
      </SchemaForm>
    </FormDrawer>
  );
}
