import { sparkAxis } from '../../lib/vitals/sparkShape';
import { VitalLabel } from '../ui/VitalLabel';
import styles from './SparkLegend.module.css';

/** How to read the spark lines of a list. */
export function SparkLegend() {
  const spo2 = sparkAxis('spo2');
  const rate = sparkAxis('heartRate');
  return (
    <p className={styles.legend}>
      Lines: the last hour, each minute from lowest to highest, hollow if the signal was uncertain.{' '}
      <VitalLabel kind="spo2" /> from {spo2.min} to {spo2.max} %, HR and PR from {rate.min} to {rate.max} /min for every
      patient; a bar at the edge marks values beyond.
    </p>
  );
}
