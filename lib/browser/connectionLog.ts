import type { FailureCause } from '../api/failureCause';
import type { EpochMs } from '../time/epochMs';
import { alertsStopped } from './alertPath';
import { serverNow } from './serverClock';

/** What a page knows of its connection, since the server's time `at`. */
export interface ConnectionChange {
  at: EpochMs;
  is: 'live' | 'lost' | 'alerts_not_running';
}

/** An issue report says this much of the time before it, in milliseconds. */
const keptMs = 600_000;
const mostChanges = 40;
const mostRequests = 20;

let changes: ConnectionChange[] = [];
let requests: { id: string; at: EpochMs; isRefused: boolean }[] = [];

/** Notes how a call ended. Part of the first load: it stays small, and keeps no address and no content. */
export function noteCallEnd(cause: FailureCause | null): void {
  // A server that refuses a call answers.
  const isLive = cause === null || cause === 'refused';
  const is = !isLive ? 'lost' : alertsStopped() === null ? 'live' : 'alerts_not_running';
  if (changes.at(-1)?.is !== is) {
    changes = [...changes.slice(1 - mostChanges), { at: now(), is }];
  }
}

/** Notes the id that the server gave a request. Of many the refused ones are kept longest. */
export function noteRequest(id: string | null, status: number): void {
  if (id === null || !/^[\w-]{1,64}$/.test(id)) {
    return;
  }
  requests = requests.filter(isKept);
  if (requests.length >= mostRequests) {
    requests.splice(
      Math.max(
        0,
        requests.findIndex(({ isRefused }) => !isRefused),
      ),
      1,
    );
  }
  requests.push({ id, at: now(), isRefused: status >= 400 });
}

/** Returns the last 10 min of the connection, and the ids of the latest requests, the oldest first. */
export function readConnectionLog(): { connection: readonly ConnectionChange[]; requestIds: readonly string[] } {
  const before = changes.findLast((change) => !isKept(change));
  return {
    connection: [...(before === undefined ? [] : [{ ...before, at: now() - keptMs }]), ...changes.filter(isKept)],
    requestIds: requests.filter(isKept).map(({ id }) => id),
  };
}

const isKept = ({ at }: { at: EpochMs }): boolean => now() - at <= keptMs;

function now(): EpochMs {
  return serverNow() ?? Date.now();
}
