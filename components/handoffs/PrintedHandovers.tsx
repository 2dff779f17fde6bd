import type { WardHandoff } from '../../lib/handoffs/schema';
import { bedlessText } from '../../lib/patients/bedlessText';
import type { User } from '../../lib/session/schema';
import { formatCalendarDate, formatDate, formatTimeWithSeconds, zoneLabel } from '../../lib/time/formatTime';
import { patientName } from '../ui/PatientName';
import { HandoffFactList, HandoffText } from './HandoffText';
import styles from './HandoversScreen.module.css';
import { actionWords, courseWords, stateWords } from './handoffWords';

interface PrintedHandoversProps {
  items: readonly WardHandoff[];
  user: User;
  now: number;
  /** The server's time of the list, epoch milliseconds. */
  asOf: number;
}

/**
 * The list on paper, for downtime: a table for each patient, whose head with two identifiers is repeated on each page
 * that it reaches. Pages are numbered by the style sheet.
 */
export function PrintedHandovers({ items, user, now, asOf }: PrintedHandoversProps) {
  const { timeZone } = user.site;
  const instant = (at: number): string =>
    `${formatDate(at, timeZone)}, ${formatTimeWithSeconds(at, timeZone)} ${zoneLabel(at, timeZone)}`;
  return (
    <div className={styles.paper} aria-hidden="true">
      <p>
        <strong>{`${user.site.name}: handoffs. NOT LIVE. Printed at ${instant(now)}`}</strong>, as of {instant(asOf)}.
        Look at the patient and the bedside monitor.
      </p>
      {items.map((item) => {
        const { patient, writing, given, received, openActions } = item;
        // The one that holds comes first: a draft may be half written when the network goes.
        const handoffs = [given ?? received, writing].filter((handoff) => handoff !== null);
        return (
          <table key={patient.id} className={styles.sheet}>
            <thead>
              <tr>
                <th>
                  {patientName(patient)} · MRN {patient.mrn} · born {formatCalendarDate(patient.dateOfBirth)} ·{' '}
                  {patient.unit === null
                    ? bedlessText(patient.profile)
                    : `${patient.unit}, bed ${patient.bed ?? 'not set'}`}{' '}
                  · {`printed at ${instant(now)}`}
                </th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <td>
                  {handoffs.length === 0 ? <p>No handoff yet</p> : null}
                  {handoffs.map((handoff) => (
                    <div key={handoff.id}>
                      <p>
                        <strong>{stateWords[handoff.state]}</strong> {courseWords(handoff, now, timeZone)}
                      </p>
                      <HandoffText handoff={handoff} now={now} timeZone={timeZone} />
                    </div>
                  ))}
                  {openActions.map((action) => (
                    <p key={action.id}>To do: {actionWords(action, now, timeZone)}</p>
                  ))}
                </td>
              </tr>
              {handoffs
                .flatMap(({ id, facts }) => (facts === null ? [] : [{ id, facts }]))
                .slice(-1)
                .map(({ id, facts }) => (
                  <tr key={id}>
                    <td>
                      <p>Known at {instant(Date.parse(facts.asOf))}:</p>
                      <HandoffFactList facts={facts} timeZone={timeZone} />
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        );
      })}
    </div>
  );
}
