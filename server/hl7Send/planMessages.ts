import { createDeframer, maxMessageBytes, type Frame } from '../../lib/hl7/Deframer';
import type { EpochMs } from '../../lib/time/epochMs';
import type { SendOptions } from './parseSendOptions';
import { shiftTimes, timeOf } from './shiftTimes';

/** A message and when it is due, in milliseconds after the start. */
export interface PlannedMessage {
  bytes: Uint8Array;
  dueMs: number;
}

/** Returns the MLLP frames of a file if it has any, else one for each message of a text: each begins with MSH. */
export function readFrames(file: Uint8Array): Frame[] {
  if (file.includes(0x0b)) {
    const deframer = createDeframer({ maxBytes: maxMessageBytes });
    return [...deframer.push(file), ...deframer.end()];
  }
  return Buffer.from(file)
    .toString('latin1')
    .split(/(?<=^|[\r\n])(?=MSH)/)
    .filter((text) => text.startsWith('MSH'))
    .map((text) => ({ kind: 'message', bytes: new Uint8Array(Buffer.from(`${text.trimEnd()}\r`, 'latin1')) }));
}

/** Returns the messages of a file, without what is broken. */
export function readMessages(file: Uint8Array): Uint8Array[] {
  return readFrames(file).flatMap((frame) => (frame.kind === 'message' ? [frame.bytes] : []));
}

/**
 * Returns the messages in their order with the distances of their times, divided by the speed. A message without a
 * time, or with an earlier one, is due with the one before it. With --now all times move by one amount: the newest
 * becomes the moment at which its message is due, so that at speed 1 the first is from `now`.
 */
export function planMessages(
  messages: readonly Uint8Array[],
  { speed, isShifted, timeZone }: Pick<SendOptions, 'speed' | 'isShifted' | 'timeZone'>,
  now: EpochMs,
): PlannedMessage[] {
  const site = { timeZone, receivedAt: now };
  const times = messages.map((bytes) => timeOf(bytes, site));
  const first = times.find((at) => at !== null) ?? now;
  let newest = first;
  const planned = messages.map((bytes, index): PlannedMessage => {
    newest = Math.max(newest, times[index] ?? newest);
    return { bytes, dueMs: (newest - first) / speed };
  });
  if (!isShifted) {
    return planned;
  }
  // Slower than recorded, the first message is the one that must not come from the future.
  const shiftMs = Math.floor(Math.min(now - first, now + (newest - first) / speed - newest));
  return planned.map(({ bytes, dueMs }) => ({ bytes: shiftTimes(bytes, shiftMs, site), dueMs }));
}
