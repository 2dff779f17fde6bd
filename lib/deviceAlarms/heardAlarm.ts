import type { Priority } from '../alerts/priority';
import type { EpochMs } from '../time/epochMs';

/**
 * Devices say every few seconds which alarms last. After so long without a word it is not known any more, in
 * milliseconds.
 */
export const unknownAfterMs = 60_000;

/** An alarm of a device, as one message has it. It is the device's: no rule of ours reads it. */
export interface HeardAlarm {
  /**
   * What makes it the same alarm in the next message: the event's id, or the code and the text without its numbers
   * ("RR 40 >30" is followed by "RR 41 >30").
   */
  key: string;
  /** The device's name for the kind of alarm, such as RedAlarm or MDC_EVT_LO. */
  code: string;
  /** As the device says it. */
  text: string;
  /** Null: the device does not say. */
  priority: Priority | null;
  /** It is about the device or its signal, not about the patient. */
  isTechnical: boolean;
  /** What a person did to it at the device, such as audio-paused; null: nothing, or that is not said. */
  inactivation: Inactivation | null;
  /** An event: it lasts until the device says that it ended. Others last as long as they are in the messages. */
  isEvent: boolean;
  isEnded: boolean;
  /** When the device said it, by its clock; null: not an instant. */
  at: EpochMs | null;
  /** When it began, by the device's clock; null: not an instant. */
  startedAt: EpochMs | null;
}

/** One whose times are known. */
export type TimedAlarm = Omit<HeardAlarm, 'at' | 'startedAt'> & { at: EpochMs; startedAt: EpochMs };

/** MDC_ATTR_ALARM_INACTIVATION_STATE of IHE PCD-04, but for "enabled". */
export const inactivations = ['audio-paused', 'audio-off', 'alarm-paused', 'alarm-off', 'alert-acknowledged'] as const;
export type Inactivation = (typeof inactivations)[number];
