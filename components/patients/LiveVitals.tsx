import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import type { LatestValues } from '../../lib/vitals/schema';
import { shownRate } from '../../lib/vitals/shownRate';
import { VitalLabel } from '../ui/VitalLabel';
import { VitalValue } from '../ui/VitalValue';
import styles from './LiveVitals.module.css';

interface LiveVitalProps {
  latest: LatestValues;
  /** The server's time when the page was made, for the first paint. */
  initialNow: number;
  timeZone: string;
}

/** A cell that grows older by itself each second, without drawing the table around it again. */
export function LiveSpo2({ latest, initialNow, timeZone }: LiveVitalProps) {
  const now = useNow(initialNow);
  const serverLost = useServerLost();
  return <VitalValue kind="spo2" latest={latest.spo2} now={now} serverLost={serverLost} timeZone={timeZone} />;
}

/** The ECG's rate or the oximeter's, in the same way. */
export function LiveRate({ latest, initialNow, timeZone }: LiveVitalProps) {
  const now = useNow(initialNow);
  const serverLost = useServerLost();
  return <RateValue latest={latest} now={now} serverLost={serverLost} timeZone={timeZone} />;
}

interface RateValueProps extends Pick<LiveVitalProps, 'latest' | 'timeZone'> {
  /** The server's time, and since when it has not answered, epoch milliseconds. */
  now: number;
  serverLost: number | null;
}

/** The ECG's rate or the oximeter's: the label always says which. */
export function RateValue({ latest, now, serverLost, timeZone }: RateValueProps) {
  const rate = shownRate(latest, now);
  return (
    <>
      <span className={styles.label}>
        <VitalLabel kind={rate.kind} />{' '}
      </span>
      <VitalValue kind={rate.kind} latest={rate.latest} now={now} serverLost={serverLost} timeZone={timeZone} />
    </>
  );
}
