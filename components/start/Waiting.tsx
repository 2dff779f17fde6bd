import Link from 'next/link';
import type { ReportingGroups } from '../../lib/patients/groupByReporting';
import { paths } from '../../lib/paths';
import { Icon } from '../ui/Icon';
import { VitalLabel } from '../ui/VitalLabel';
import styles from './StartScreen.module.css';

interface WaitingProps {
  groups: ReportingGroups;
  total: number;
  /** Whether the user may add patients. */
  canAdd: boolean;
}

/** Says how many patients do not report and why. If all report, that says nothing about how they are. */
export function Waiting({ groups, total, canAdd }: WaitingProps) {
  const { noSignal, silent, never } = groups;
  const missing = noSignal.length + silent.length + never.length;
  if (total === 0) {
    return (
      <>
        <p className={styles.lead}>No patients yet</p>
        {canAdd ? (
          <Link href={paths.patients} prefetch={false} className={styles.way}>
            <Icon name="plus" />
            Add the first patient
          </Link>
        ) : (
          <p className={styles.quiet}>A nurse, a physician or a ward lead can add the first one.</p>
        )}
      </>
    );
  }
  if (missing === 0) {
    return (
      <>
        <p className={styles.number}>0</p>
        <p className={styles.quiet}>
          All patients are reporting <VitalLabel kind="spo2" />.
        </p>
      </>
    );
  }
  const reasons = [
    { count: noSignal.length, text: 'without a signal' },
    { count: silent.length, text: 'silent' },
    { count: never.length, text: 'never reported' },
  ].filter(({ count }) => count > 0);
  return (
    <>
      <p className={styles.number}>{missing}</p>
      <p className={styles.quiet}>
        {missing === 1 ? 'patient does' : 'patients do'} not report <VitalLabel kind="spo2" />:{' '}
        {reasons.map(({ count, text }) => `${count} ${text}`).join(', ')}.
      </p>
      <Link href={paths.notReporting} prefetch={false} className={styles.way}>
        <Icon name="warning" />
        See who
      </Link>
    </>
  );
}
