import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { networkOf } from '../session/throttle';

/** How many connections a server holds. */
export interface ConnectionLimits {
  /** Of all addresses together. */
  most: number;
  /** Returns how many an address may have. */
  mostOf(address: string): number;
  /** Called with the network of an address whose connection was closed because it had too many. */
  onTooMany(network: string): void;
  /** Milliseconds of a clock that is never set. */
  elapsed(): number;
}

export const mostConnections = 1_024;
/** From this share of all connections on, a new one takes the place of the oldest without a finished request. */
const crowdedFrom = 0.9;
/** A request may be on its way for so many milliseconds: as long as there is room, nothing younger is closed. */
const fairMs = 1_000;
/** Connections beyond all, for health checks alone. */
const reserved = 32;
/**
 * So long work lets connections in before it goes on, in milliseconds. Where they come again and again, 20 ms each time
 * halved the rows that the store took, and the alerts of other patients came ten times later.
 */
const letInForMs = { usually: 20, often: 5 };
/** They come often if letting them in took more than a quarter of the time, and 400 ms more: 200 come in that. */
const often = { share: 0.25, ms: 400 };

/** The open connections of a server. */
export interface Connections {
  /** All of them, including upgraded ones, which Node no longer tracks. */
  open: ReadonlySet<Socket>;
  /** How many were closed: because their address had too many, to make room, or because they did not wait. */
  closed: { address: number; crowded: number; pipelined: number };
  /** Returns how many requests of a connection have no whole response yet. */
  unfinishedOf(socket: Socket): number;
  /**
   * Notes that a request of a connection waits, for longer than work takes, and returns the function that ends that. A
   * connection on which all wait may be closed to make room.
   */
  hold(socket: Socket): () => void;
  /** Returns whether there were so many already that this one is for health checks alone. */
  isReserved(socket: Socket): boolean;
  /**
   * Resolves once no connection waits to be accepted, after 20 ms at most, 5 where many come all the time. Long work
   * awaits it between its pieces: the event loop (libuv since 1.45) accepts one connection in each of its turns, and
   * after a network fault hundreds wait. All that await it at a time go on together: the work of one would make the
   * turns of the others long.
   */
  letIn(): Promise<void>;
}

/** What a connection has asked. */
interface Visit {
  network: string;
  since: number;
  hasFinished: boolean;
  unfinished: number;
  /** How many of the unfinished requests wait (`hold`). */
  held: number;
  newest: { request: IncomingMessage; response: ServerResponse } | null;
}

/**
 * Limits the connections of a server, so that silent or slow ones keep no one else out: each address has a share, and
 * when all become many, the oldest that has not finished a request within a second is closed, then the oldest whose
 * requests all have to wait, then the oldest that has not finished one, then the oldest that awaits no response.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): Connections {
  const open = new Set<Socket>();
  const visits = new Map<Socket, Visit>();
  const counts = new Map<string, number>();
  const reserve = new WeakSet<Socket>();
  const closed = { address: 0, crowded: 0, pipelined: 0 };
  let accepted = 0;
  let lettingIn: Promise<void> | null = null;
  /** The time that letting in took, less its share of the time since, in milliseconds. */
  let spent = { ms: 0, at: 0 };
  server.maxConnections = limits.most + reserved;

  const closeOldest = (newcomer: Socket, isIdle: (visit: Visit) => boolean): boolean => {
    for (const [socket, visit] of visits) {
      if (socket !== newcomer && isIdle(visit)) {
        forget(socket);
        socket.destroy();
        closed.crowded += 1;
        return true;
      }
    }
    return false;
  };
  /** Before the socket says that it has closed, so that the next newcomer finds the room. */
  const forget = (socket: Socket): void => {
    const visit = visits.get(socket);
    if (visit !== undefined) {
      visits.delete(socket);
      const left = (counts.get(visit.network) ?? 1) - 1;
      if (left === 0) {
        counts.delete(visit.network);
      } else {
        counts.set(visit.network, left);
      }
    }
  };

  const letThemIn = async (): Promise<void> => {
    // If something was read in this turn, the rest of it brings no connection, and others may work in it for long.
    await turn();
    const begun = limits.elapsed();
    const before = Math.max(0, spent.ms - (begun - spent.at) * often.share);
    const forMs = before < often.ms ? letInForMs.usually : letInForMs.often;
    for (let known = -1; known < accepted && limits.elapsed() - begun < forMs;) {
      known = accepted;
      await turn();
    }
    const at = limits.elapsed();
    spent = { ms: before + at - begun, at };
    lettingIn = null;
  };

  server.on('connection', (socket) => {
    accepted += 1;
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      forget(socket);
    });
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    const now = limits.elapsed();
    visits.set(socket, { network, since: now, hasFinished: false, unfinished: 0, held: 0, newest: null });
    if (count > limits.mostOf(address)) {
      forget(socket);
      socket.destroy();
      closed.address += 1;
      limits.onTooMany(network);
      return;
    }
    const isSlow = (visit: Visit): boolean => hasAskedNothing(visit) && now - visit.since >= fairMs;
    if (visits.size > limits.most) {
      if (![isSlow, isHeld, hasAskedNothing, isIdle].some((mayGo) => closeOldest(socket, mayGo))) {
        reserve.add(socket);
      }
    } else if (visits.size > limits.most * crowdedFrom) {
      closeOldest(socket, isSlow);
    }
  });
  // Before the handler, which may ask how many there are.
  server.prependListener('request', (request, response) => {
    const visit = visits.get(request.socket);
    if (visit !== undefined) {
      visit.unfinished += 1;
      visit.newest = { request, response };
      response.once('finish', () => {
        visit.hasFinished = true;
        visit.unfinished -= 1;
      });
    }
  });
  return {
    open,
    closed,
    unfinishedOf: (socket) => visits.get(socket)?.unfinished ?? 0,
    hold: (socket) => {
      const visit = visits.get(socket);
      if (visit === undefined) {
        return () => undefined;
      }
      visit.held += 1;
      return () => {
        visit.held -= 1;
      };
    },
    isReserved: (socket) => reserve.has(socket),
    letIn: () => (lettingIn ??= letThemIn()),
  };
}

/** No request of the connection has arrived as a whole. */
function hasAskedNothing({ hasFinished, newest }: Visit): boolean {
  return !hasFinished && newest?.request.complete !== true;
}

/** The connection awaits no response now: it is silent, or a request is still on its way. */
function isIdle({ newest }: Visit): boolean {
  return newest === null || !newest.request.complete || newest.response.writableFinished;
}

/** All that the connection awaits has to wait for its turn. */
function isHeld({ held, unfinished }: Visit): boolean {
  return held > 0 && held === unfinished;
}
