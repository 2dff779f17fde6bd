import type { DeviceAlarm } from '../lib/deviceAlarms/schema';
import { secondsAgo } from './inventedWard';

/** Returns a device's alarm that began 90 s before the invented ward's present and was last heard 5 s before it. */
export function inventedDeviceAlarm(change: Partial<DeviceAlarm> = {}): DeviceAlarm {
  return {
    ...{ id: 1, text: '**RR 40 >30', priority: 'medium', isTechnical: false, inactivation: null },
    ...{ source: 'Monitor East 7', startedAt: secondsAgo(90), lastSeenAt: secondsAgo(5) },
    ...change,
  };
}
