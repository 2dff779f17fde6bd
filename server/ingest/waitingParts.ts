import { randomInt } from 'node:crypto';
import { HttpError } from '../http/httpError';
import { rowsPerPart } from './partsOf';
import type { WriteRequest, Written } from './writer';

/**
 * What may wait for the store (security.md H3). Rows and age hold for live samples and for late ones each, so that a
 * back-fill keeps no live value out. A ward of 250 patients sends 500 rows a second.
 */
export const waitingLimits = {
  rows: 20_000,
  /** Milliseconds since the oldest one of the device arrived. */
  ageMs: 10_000,
  /** One device may have so many live rows waiting, and as many late ones, however many devices there are. */
  rowsOfDevice: 5_000,
};

/** A client that has gone for so long gets no response, and sends its call again. */
const goneAfterMs = 1_000;
/** The devices that share the waiting rows are those that called within this time, in milliseconds. */
const sharedForMs = 60_000;

/** A device whose call waits. People and the server's own heartbeat are never refused: they have none. */
export interface Sender {
  deviceId: number;
  /** Returns whether the client has closed its connection, so that no response can reach it. */
  isGone: () => boolean;
}

/** A part of a call that waits for its transaction. */
export interface WaitingPart {
  request: WriteRequest;
  settle: (outcome: Written | Error) => void;
  sender: Sender | null;
  rows: number;
  /** Its samples arrived too late to sound (`retrospectiveAfterMs`). */
  isLate: boolean;
}

export interface WaitingParts {
  /**
   * Returns if a device's call of so many live and late rows may wait. Throws 429 `too_many_rows` if the device has its
   * share waiting already, and 503 `busy` if too much waits altogether; both with `Retry-After`.
   */
  admit(deviceId: number, rows: { live: number; late: number }): void;
  add(part: WaitingPart): void;
  /**
   * Removes and returns the next parts, live ones first and devices in turn, together of at most `rows` rows, at least
   * one. In its turn a device gets as many rows as a part may have: a gateway of short calls gets no less than one of
   * long ones. Parts of clients that have gone are settled with an error instead.
   */
  take(rows: number): WaitingPart[];
  isEmpty(): boolean;
  /** Returns how many rows wait. */
  rows(): number;
}

interface Waiting {
  part: WaitingPart;
  since: number;
}

/** What waits of one device, in the order in which it came. People share one place. */
interface Queue {
  parts: Waiting[];
  rows: number;
}

interface Lane {
  queues: Map<number, Queue>;
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

  const remove = (lane: Lane, queue: Queue, removed: readonly WaitingPart[]): void => {
    queue.parts = queue.parts.filter(({ part }) => !removed.includes(part));
    const rows = rowsOf(removed);
    queue.rows -= rows;
    lane.rows -= rows;
  };

  const dropGone = (lane: Lane, queue: Queue): void => {
    const now = elapsed();
    const isGone = ({ part, since }: Waiting): boolean => now - since > goneAfterMs && part.sender?.isGone() === true;
    const gone = queue.parts.filter(isGone).map(({ part }) => part);
    remove(lane, queue, gone);
    for (const { settle } of gone) {
      settle(new HttpError(503, 'busy', 'The client has gone before its call was stored.', again()));
    }
  };

  return {
    admit: (deviceId, rows) => {
      noteCall(deviceId);
      // A live call with a few late rows is not kept out by late ones.
      const lane = rows.live >= rows.late ? live : late;
      const [sum, own] = [rows.live + rows.late, lane.queues.get(deviceId)];
      const share = Math.max(waitingLimits.rowsOfDevice, Math.floor(waitingLimits.rows / calledAt.size));
      if (own !== undefined && own.rows + sum > share) {
        throw new HttpError(429, 'too_many_rows', 'This device sends faster than its rows are stored.', again());
      }
      // A device that has nothing waiting, or less than its part of the whole, may go over the limit, and only its own
      // rows grow old: devices have turns, so others cannot keep it out.
      const isModest = own === undefined || own.rows + sum <= waitingLimits.rows / calledAt.size;
      const rowsAtMost = waitingLimits.rows * (isModest ? 2 : 1);
      const isOld = elapsed() - (own?.parts[0]?.since ?? Infinity) > waitingLimits.ageMs;
      if (lane.rows + sum > rowsAtMost || isOld) {
        throw new HttpError(503, 'busy', 'More arrives than can be stored at this moment. Send it again.', again());
      }
    },
    add: (part) => {
      const lane = part.isLate ? late : live;
      const device = part.sender?.deviceId ?? people;
      const queue = lane.queues.get(device) ?? { parts: [], rows: 0 };
      queue.parts.push({ part, since: elapsed() });
      queue.rows += part.rows;
      lane.queues.set(device, queue);
      lane.rows += part.rows;
    },
    take: (rows) => {
      const taken: WaitingPart[] = [];
      let left = rows;
      for (const lane of [live, late]) {
        // A device that had its turn goes to the end, and this loop comes to it again.
        for (const [device, queue] of lane.queues) {
          dropGone(lane, queue);
          const turn = turnOf(queue, left, taken.length === 0);
          if (turn.length === 0 && queue.parts.length > 0) {
            return taken;
          }
          remove(lane, queue, turn);
          taken.push(...turn);
          left -= rowsOf(turn);
          lane.queues.delete(device);
          if (queue.parts.length > 0) {
            lane.queues.set(device, queue);
          }
        }
      }
      return taken;
    },
    isEmpty: () => live.queues.size + late.queues.size === 0,
    rows: () => live.rows + late.rows,
  };
}

const rowsOf = (parts: readonly WaitingPart[]): number => parts.reduce((sum, { rows }) => sum + rows, 0);

/** Returns the parts of a queue that a device gets in its turn, of at most `left` rows; `isFirst`: at least one. */
function turnOf({ parts }: Queue, left: number, isFirst: boolean): WaitingPart[] {
  const turn: WaitingPart[] = [];
  let rows = 0;
  for (const { part } of parts) {
    rows += part.rows;
    const fits = rows <= left && (rows <= rowsPerPart || turn.length === 0);
    if (!fits && !(isFirst && turn.length === 0)) {
      break;
    }
    turn.push(part);
  }
  return turn;
}
