import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections still open this many milliseconds after the stop began are cut: a slow request might never end. */
const cutAfterMs = 5_000;
const closeIdleEveryMs = 25;

/**
 * Ends the connections of a server that is about to close. It finishes responses in progress, closes each connection as
 * soon as it is idle (Node checks only once), and cuts what is still open after 5 s. `connections` are all open ones,
 * because Node's own list lacks those that were upgraded.
 */
export function letFinish(server: Server, connections: ReadonlySet<Socket>): void {
  if (!server.listening) {
    return;
  }
  const closeIdle = setInterval(() => {
    server.closeIdleConnections();
  }, closeIdleEveryMs);
  const cut = setTimeout(() => {
    for (const connection of connections) {
      connection.destroy();
    }
  }, cutAfterMs);
  server.once('close', () => {
    clearInterval(closeIdle);
    clearTimeout(cut);
  });
}
