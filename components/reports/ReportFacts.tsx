import Link from 'next/link';
import type { ReactNode } from 'react';
import { markTrial } from '../../lib/patients/markTrial';
import { paths } from '../../lib/paths';
import { harmWords, severityWords, whoIsAlerted } from '../../lib/reports/entryWords';
import { deviceParts, type DevicePart } from '../../lib/reports/reportFields';
import { reportKinds } from '../../lib/reports/reportKinds';
import { reportStatuses } from '../../lib/reports/reportStatuses';
import type { IssueReport } from '../../lib/reports/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import { formatClock } from '../../lib/time/formatTime';
import { reachedWords } from './reportRow';
import styles from './reports.module.css';

interface ReportFactsProps {
  report: IssueReport;
  now: number;
  timeZone: string;
}

/**
 * What was reported, and how far it has come. What its reader may not see is named as such, and never as nothing. Each
 * line is always there, so that a change by another user moves nothing below.
 */
export function ReportFacts({ report, now, timeZone }: ReportFactsProps) {
  const { sight, severity, kind, status, harm, unit, bed, reporter, assignee, alarm, device } = report;
  const withheld = 'Not shown to you';
  const timeOf = (instant: string | null): string =>
    instant === null
      ? sight === 'software'
        ? withheld
        : 'Not stated'
      : formatClock(Date.parse(instant), now, timeZone);
  const times = reachedWords(report);
  return (
    <section aria-label="Report">
      <dl className={styles.facts}>
        <Fact label="Status">
          {reportStatuses[status]}
          {assignee === null ? ', assigned to no one yet' : `, assigned to ${assignee.name}`}
        </Fact>
        <Fact label="Progress">{times.length === 0 ? 'Not triaged yet' : capitalised(times.join(', '))}</Fact>
        <Fact label="Service severity">{severityWords(severity)}</Fact>
        <Fact label="Alert">{alertWords(alarm, unit)}</Fact>
        <Fact label="Kind">{reportKinds[kind]}</Fact>
        <Fact label="Physical harm">{harm === null ? withheld : harmWords(harm.physical)}</Fact>
        <Fact label="Psychological harm">{harm === null ? withheld : harmWords(harm.psychological)}</Fact>
        <Fact label="Patient">
          {sight === 'software' ? withheld : <PatientFact patient={report.patient} sight={sight} />}
        </Fact>
        <Fact label="Place">
          {[unit?.name ?? 'No unit', bed === null ? null : `Bed ${bed}`].filter((part) => part !== null).join(', ')}
        </Fact>
        <Fact label="What happened">{report.whatHappened ?? withheld}</Fact>
        <Fact label="Expected">{report.expected ?? withheld}</Fact>
        <Fact label="Done at once">{report.immediateAction ?? withheld}</Fact>
        <Fact label="Happened at">{timeOf(report.occurredAt)}</Fact>
        <Fact label="Noticed at">{timeOf(report.discoveredAt)}</Fact>
        <Fact label="Reported">
          {formatClock(Date.parse(report.reportedAt), now, timeZone)}, by{' '}
          {reporter === null
            ? 'a colleague whose name is hidden'
            : `${reporter.name}, ${userTypeLabels[reporter.type]}`}
          {report.isReporterHidden && reporter !== null ? ' (name hidden from colleagues)' : null}
        </Fact>
        {sight !== 'whole' ? null : (
          <Fact label="Linked alerts">{report.alertIds.length === 0 ? 'None' : report.alertIds.length}</Fact>
        )}
        {device === null ? null : (
          <Fact label="Device">
            {[
              device.name,
              ...parts.map((part) => (device[part] === null ? null : `${deviceParts[part]} ${device[part]}`)),
              `put aside: ${device.isQuarantined === null ? 'not stated' : device.isQuarantined ? 'yes' : 'no'}`,
            ]
              .filter((part) => part !== null)
              .join(', ')}
          </Fact>
        )}
        <Fact label="External reference">{report.externalReference ?? 'None'}</Fact>
      </dl>
    </section>
  );
}

const parts: DevicePart[] = ['maker', 'model', 'serial', 'udi', 'firmware', 'lot'];

function alertWords(alarm: IssueReport['alarm'], unit: IssueReport['unit']): string {
  switch (alarm) {
    case 'none':
      return 'None';
    case 'opening':
      return `Alerts ${whoIsAlerted(unit)} now`;
    case 'open':
      return `Alerts ${whoIsAlerted(unit)}, until someone triages the report`;
    case 'ended':
      return 'Has ended';
    case 'rules_off':
      return 'Alerted no one: the alert rules of this site are off';
  }
}

const capitalised = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children === '' ? 'Not stated' : children}</dd>
    </div>
  );
}

function PatientFact({ patient, sight }: Pick<IssueReport, 'patient' | 'sight'>) {
  if (patient === null) {
    return 'None';
  }
  const { identity, mrnEnd } = patient;
  if (identity === null) {
    return markTrial(`MRN ending in ${mrnEnd}`, patient);
  }
  const name = markTrial(identity.name, patient);
  return (
    <>
      {sight === 'whole' ? (
        <Link href={paths.patientDetails([identity.id])} prefetch={false}>
          {name}
        </Link>
      ) : (
        name
      )}
      , MRN {identity.mrn}
    </>
  );
}
