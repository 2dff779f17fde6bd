import Link from 'next/link';
import { useChart } from '../../hooks/useChart';
import { useNow } from '../../hooks/useNow';
import { usePatient } from '../../hooks/usePatient';
import { useRead } from '../../hooks/useRead';
import type { PatientLimitsResponse } from '../../lib/alerts/limitsSchema';
import { isGone } from '../../lib/api/failureCause';
import type { Chart } from '../../lib/chart/schema';
import { paths } from '../../lib/paths';
import { placeText } from '../../lib/patients/placeText';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { safetyLine } from '../../lib/site/safetyLine';
import { ageInYears, formatDate, formatTimeWithSeconds, zoneLabel } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientIdentity } from '../ui/PatientName';
import { PrintButton } from '../ui/PrintButton';
import { EntryText } from './EntryText';
import styles from './PatientChartScreen.module.css';
import { limitLines } from './limitLines';
import { sectionRows } from './sectionRows';

interface PrintedChartProps {
  chart: Chart;
  /** Null: they are not read yet, or cannot be. */
  limits: PatientLimitsResponse | null;
  patient: Patient;
  user: User;
  now: number;
  /** The server's time of the chart, epoch milliseconds. */
  asOf: number;
}

/**
 * A chart on the screen as on paper: one table, whose head with the identifiers is repeated on each page that it
 * reaches, and with them what the paper is not. Pages are numbered by the style sheet.
 */
function PrintedChart({ chart, limits, patient, user, now, asOf }: PrintedChartProps) {
  const { timeZone } = user.site;
  const instant = (at: number): string =>
    `${formatDate(at, timeZone)}, ${formatTimeWithSeconds(at, timeZone)} ${zoneLabel(at, timeZone)}`;
  return (
    <>
      <table className={styles.sheet}>
        <thead>
          <tr>
            <th scope="col">
              <span className={styles.name}>{patientIdentity(patient)}</span>
              <span>
                {ageInYears(patient.dateOfBirth, now, timeZone)} years ·{' '}
                {patient.sex === 'unknown' ? 'sex not recorded' : patient.sex} ·{' '}
                {patient.state === 'discharged' ? 'Discharged' : placeText(patient)} · {user.site.name}
              </span>
              <span className={styles.safety}>
                {safetyLine} Look at the patient and the bedside monitor: this chart is as old as its date.
              </span>
              <span className={styles.printed}>
                NOT LIVE. Printed at {instant(now)} by {user.fname} {user.lname}, as of {instant(asOf)}.
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sectionRows.map(({ section, title, empty }) => {
            const entries = chart.sections[section];
            const current = entries.filter(({ status }) => status === 'current');
            const past = entries.filter(({ status }) => status !== 'current');
            return (
              <tr key={section}>
                <td>
                  <h2>{title}</h2>
                  {current.length === 0 ? <p>{empty}</p> : null}
                  {current.map((entry) => (
                    <EntryText key={entry.id} entry={entry} timeZone={timeZone} />
                  ))}
                  {section === 'limits' ? <Limits limits={limits} patient={patient} /> : null}
                  {past.length === 0 ? null : <h3>History ({past.length}): no longer in effect</h3>}
                  {past.map((entry) => (
                    <EntryText
                      key={entry.id}
                      entry={entry}
                      correction={entries.find(({ replaces }) => replaces === entry.id)}
                      timeZone={timeZone}
                    />
                  ))}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

/** The figures that apply: on paper "Site defaults" alone says nothing. */
function Limits({ limits, patient }: Pick<PrintedChartProps, 'limits' | 'patient'>) {
  return limits === null ? (
    <p>The limits are not shown: they were not loaded.</p>
  ) : (
    <ul className={styles.limits}>
      {limitLines(patient, limits).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

interface PatientChartScreenProps {
  /** As the page came; null: the address names no patient whom this user may see. */
  patient: Patient | null;
  user: User;
  /** The server's time then, epoch milliseconds. */
  now: number;
}

/** One patient's whole chart to read and to print. The caller keys it by the patient's id. */
export function PatientChartScreen({ patient, user, now }: PatientChartScreenProps) {
  return patient === null ? (
    <div className={styles.screen}>
      <h1 className={styles.title}>Patient chart</h1>
      <p role="alert">
        You cannot see this patient, or the address names none.{' '}
        <Link href={paths.patients}>Choose a patient in the list</Link>.
      </p>
    </div>
  ) : (
    <OneChart patient={patient} user={user} now={now} />
  );
}

function OneChart({ patient: first, user, now: initialNow }: PatientChartScreenProps & { patient: Patient }) {
  const now = useNow(initialNow);
  const response = useChart(first.id);
  const { data: patient = first } = usePatient(first.id, first);
  const limits = useRead('getLimits', { params: { id: first.id } });
  const { data, error } = response;
  const isMissing = error !== undefined && isGone(error);
  return (
    <div className={styles.screen} data-chart={first.id}>
      <div className={styles.toolbar}>
        <h1 className={styles.title}>Patient chart</h1>
        <Link className={styles.back} href={paths.patientDetails([first.id])} prefetch={false}>
          Patient details
        </Link>
        {data === undefined || isMissing ? null : <PrintButton />}
      </div>
      {isMissing ? (
        <p role="status">You cannot see the chart of this patient any more.</p>
      ) : (
        <AsyncView
          answer={response}
          isEmpty={({ patientId }) => patientId !== first.id}
          skeleton={<ListSkeleton label="The chart is loading" rows={8} />}
          empty={() => <ListSkeleton label="The chart is loading" rows={8} />}
          timeZone={user.site.timeZone}
        >
          {(chart) => (
            <PrintedChart
              chart={chart}
              limits={limits.data ?? null}
              patient={patient}
              user={user}
              now={now}
              asOf={response.asOf ?? initialNow}
            />
          )}
        </AsyncView>
      )}
    </div>
  );
}
