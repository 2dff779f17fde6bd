import { useNow } from '../../hooks/useNow';
import type { PatientsPage } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { formatDateAndSeconds, zoneLabel } from '../../lib/time/formatTime';
import type { PatientsView } from './patientsUrl';
import styles from './PrintHeading.module.css';

interface PrintHeadingProps {
  site: User['site'];
  view: PatientsView;
  units: PatientsPage['units'];
  /** How many patients this page of the list holds, and how many the view has. */
  shown: number;
  total: number;
  /** The server's time of the values, epoch milliseconds. */
  asOf: number;
  initialNow: number;
}

/** The head of a printed list: which ward, which filters, which time, and that paper is never live. */
export function PrintHeading({ site, view, units, shown, total, asOf, initialNow }: PrintHeadingProps) {
  const now = useNow(initialNow);
  const { timeZone } = site;
  const instant = (at: number): string => `${formatDateAndSeconds(at, timeZone)} ${zoneLabel(at, timeZone)}`;
  const filters = [
    view.state === 'active' ? 'Active patients' : 'Discharged patients',
    ...(view.unit === undefined
      ? []
      : [`unit ${units.find(({ id }) => id === view.unit)?.name ?? 'without patients'}`]),
    ...(view.view === 'not_reporting' ? ['not reporting SpO2'] : []),
    ...(view.view === 'needs_attention' ? ['needs attention'] : []),
  ];
  return (
    <div className={styles.heading} aria-hidden="true">
      <p className={styles.title}>
        {site.name}: {filters.join(', ')}
      </p>
      <p className={styles.warning}>NOT LIVE. Printed {instant(now)}</p>
      <p>
        Values as of {instant(asOf)}; ages count to the time of printing. Look at the patient and the bedside monitor.
        {shown < total ? ` Part of the list: ${shown} of ${total} patients.` : ` All ${total} patients of the list.`}
      </p>
    </div>
  );
}
