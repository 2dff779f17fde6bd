import { z } from 'zod';
import { priorities } from '../alerts/priority';
import { instant } from '../time/schema';
import { inactivations } from './heardAlarm';

/** An alarm that a device reports of a patient and has not ended. */
export const deviceAlarm = z.object({
  id: z.int(),
  /** As the device says it. */
  text: z.string(),
  /** As the device says it; null: it does not. */
  priority: z.enum(priorities).nullable(),
  /** It is about the device or its signal. */
  isTechnical: z.boolean(),
  /** What a person did to it at the device; null: nothing, or that is not said. */
  inactivation: z.enum(inactivations).nullable(),
  /** The device. */
  source: z.string(),
  startedAt: instant,
  /** When the device last said that it lasts. Long ago: it is not known whether it does. */
  lastSeenAt: instant,
});
export type DeviceAlarm = z.infer<typeof deviceAlarm>;

/** An alarm that is no longer open. */
const closedDeviceAlarm = deviceAlarm.extend({
  /** Null: not known, because nothing more was heard of it. */
  endedAt: instant.nullable(),
});
export type ClosedDeviceAlarm = z.infer<typeof closedDeviceAlarm>;

/** Those that were closed in the last 24 hours, the last one first, at most 200. */
export const closedDeviceAlarms = z.object({
  patientId: z.int(),
  items: z.array(closedDeviceAlarm),
  hasMore: z.boolean(),
});
