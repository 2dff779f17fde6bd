import { alertsStoppedSince, type AlertPath } from '../lib/alerts/alertPath';
import type { EpochMs } from '../lib/time/epochMs';

/** Notes that the alarm path works: the watch that is itself watched (clinical.md section 0, P3). */
export interface AlertPathWatch {
  /** Notes that the server begins to work. Until the first tick and beat this counts as both. */
  started(): void;
  /** Notes the end of a clock evaluation that succeeded. */
  ticked(): void;
  /** Notes a heartbeat that went all the way. */
  beat(): void;
  read(): AlertPath;
  /** Returns since when no alerts can be raised, or null. */
  stoppedSince(): EpochMs | null;
}

/**
 * Creates the watch. It keeps what has elapsed on a clock that is never set (`elapsed`, in milliseconds), so that its
 * instants move with the wall clock (`now`) and no step of that hides a stop.
 */
export function createAlertPathWatch(now: () => EpochMs, elapsed: () => number): AlertPathWatch {
  let tickedAt = elapsed();
  let beatAt = elapsed();
  const read = (): AlertPath => {
    const [wall, time] = [now(), elapsed()];
    return {
      lastTickAt: Math.round(wall - (time - tickedAt)),
      lastHeartbeatAt: Math.round(wall - (time - beatAt)),
    };
  };
  return {
    started: () => {
      tickedAt = elapsed();
      beatAt = tickedAt;
    },
    ticked: () => {
      tickedAt = elapsed();
    },
    beat: () => {
      beatAt = elapsed();
    },
    read,
    stoppedSince: () => alertsStoppedSince(read(), now()),
  };
}
