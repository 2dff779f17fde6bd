import { randomInt } from 'node:crypto';
import { HttpError } from '../http/httpError';
import type { WriteRequest, Written } from './writer';

/**
 * What may wait for the store (security.md H3). Rows and age hold for live samples and for late ones each, so that a
 * back-fill keeps no live value out. A ward of 250 patients sends 500 rows a second.
 */
export const waitingLimits = {
  rows: 20_000,
  /** Of all calls together, as they arrived: what was rejected waits as well, and may be longer than a sample. */
  bytes: 64 * 1_048_576,
  /** Milliseconds since the oldest one arrived. */
  ageMs: 10_000,
  /** One device may have so many rows waiting, however many devices there are. */
  rowsOfDevice: 5_000,
};

/** A client that has gone for so long gets no response, and sends its call again. */
const goneAfterMs = 1_000;
/** The devices that share the waiting rows are those that called within this time, in milliseconds. */
const sharedForMs = 60_000;

/** A device whose call waits. People and the server's own heartbeat are never refused: they have none. */
export interface Sender {
  deviceId: number;
  /** The length of the call's body. */
  bytes: number;
  /** Returns whether the client has closed its connection, so that no response can reach it. */
  isGone: () => boolean;
}

/** A part of a call that waits for its transaction. */
export interface WaitingPart {
  request: WriteRequest;
  settle: (outcome: Written | Error) => void;
  sender: Sender | null;
  rows: number;
  /** The part of the body's length that this part counts for. */
  bytes: number;
  /** Its samples arrived too late to sound (`retrospectiveAfterMs`). */
  isLate: boolean;
}

export interface WaitingParts {
  /**
   * Returns if a call of so many live and late rows may wait. Throws 429 `too_many_rows` if its device has its share
   * waiting already, and 503 `busy` if too much waits altogether; both with `Retry-After`.
   */
  admit(sender: Sender, rows: { live: number; late: number }): void;
  add(part: WaitingPart): void;
  /**
   * Removes and returns the next parts, live ones first and devices in turn, together of at most `rows` rows, at least
   * one. Those of clients that have gone are settled with an error instead.
   */
  take(rows: number): WaitingPart[];
  isEmpty(): boolean;
  /** Returns how many rows wait. */
  rows(): number;
}

/** Parts by device, those of a device in the order in which they came. People share one place. */
interface Lane {
  queues: Map<number, { part: WaitingPart; since: number }[]>;
  rows: number;
}

const people = 0;

/** Creates the list of what waits for the store. `elapsed` is monotonic, in milliseconds. */
export function createWaitingParts(
  elapsed: () => number,
  retryAfter: () => number = () => randomInt(1, 6),
): WaitingParts {
  const live: Lane = { queues: new Map(), rows: 0 };
  const late: Lane = { queues: new Map(), rows: 0 };
  let bytes = 0;
  const rowsOfDevice = new Map<number, number>();
  /** When each device called last, the first one the longest ago. */
  const calledAt = new Map<number, number>();

  /** A device and its neighbours do not come back all at once. */
  const again = (): { retryAfter: number } => ({ retryAfter: retryAfter() });

  const noteCall = (deviceId: number): void => {
    const now = elapsed();
    calledAt.delete(deviceId);
    calledAt.set(deviceId, now);
    for (const [id, at] of calledAt) {
      if (now - at < sharedForMs) {
        break;
      }
      calledAt.delete(id);
    }
  };

  /** A device that has nothing waiting may go over the limit: others cannot keep it out. */
  const isFull = (lane: Lane, rows: number, isFirst: boolean): boolean =>
    rows > 0 &&
    (lane.rows + rows > waitingLimits.rows * (isFirst ? 2 : 1) || elapsed() - oldestOf(lane) > waitingLimits.ageMs);

  const remove = (lane: Lane, { rows, bytes: length, sender }: WaitingPart): void => {
    lane.rows -= rows;
    bytes -= length;
    if (sender !== null) {
      const left = (rowsOfDevice.get(sender.deviceId) ?? 0) - rows;
      if (left > 0) {
        rowsOfDevice.set(sender.deviceId, left);
      } else {
        rowsOfDevice.delete(sender.deviceId);
      }
    }
  };

  return {
    admit: ({ deviceId, bytes: length }, rows) => {
      noteCall(deviceId);
      const ofDevice = rowsOfDevice.get(deviceId) ?? 0;
      const isFirst = ofDevice === 0;
      const share = Math.max(waitingLimits.rowsOfDevice, Math.floor(waitingLimits.rows / calledAt.size));
      if (!isFirst && ofDevice + rows.live + rows.late > share) {
        throw new HttpError(429, 'too_many_rows', 'This device sends faster than its rows are stored.', again());
      }
      const isTooLong = bytes + length > waitingLimits.bytes;
      if (isFull(live, rows.live, isFirst) || isFull(late, rows.late, isFirst) || isTooLong) {
        throw new HttpError(503, 'busy', 'More arrives than can be stored at this moment. Send it again.', again());
      }
    },
    add: (part) => {
      const lane = part.isLate ? late : live;
      const device = part.sender?.deviceId ?? people;
      const queue = lane.queues.get(device) ?? [];
      queue.push({ part, since: elapsed() });
      lane.queues.set(device, queue);
      lane.rows += part.rows;
      bytes += part.bytes;
      if (part.sender !== null) {
        rowsOfDevice.set(part.sender.deviceId, (rowsOfDevice.get(part.sender.deviceId) ?? 0) + part.rows);
      }
    },
    take: (rows) => {
      const now = elapsed();
      const taken: WaitingPart[] = [];
      let sum = 0;
      for (const lane of [live, late]) {
        // A device that had its turn goes to the end, and this loop comes to it again.
        for (const [device, queue] of lane.queues) {
          const [first] = queue;
          if (first === undefined) {
            continue;
          }
          const { part, since } = first;
          const isGone = now - since > goneAfterMs && part.sender?.isGone() === true;
          if (!isGone && sum > 0 && sum + part.rows > rows) {
            return taken;
          }
          queue.shift();
          lane.queues.delete(device);
          if (queue.length > 0) {
            lane.queues.set(device, queue);
          }
          remove(lane, part);
          if (isGone) {
            part.settle(new HttpError(503, 'busy', 'The client has gone before its call was stored.', again()));
          } else {
            taken.push(part);
            sum += part.rows;
          }
        }
      }
      return taken;
    },
    isEmpty: () => live.queues.size + late.queues.size === 0,
    rows: () => live.rows + late.rows,
  };
}

/** Returns since when the oldest part waits; never, if none does. */
function oldestOf({ queues }: Lane): number {
  let oldest = Infinity;
  for (const [first] of queues.values()) {
    oldest = Math.min(oldest, first?.since ?? Infinity);
  }
  return oldest;
}
