import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A client that drips its request never ends by itself, so this long after a stop began its connection is cut, in
 * milliseconds.
 */
const cutAfterMs = 5_000;
const lookEveryMs = 25;

/**
 * Ends the connections of a listening server that begins to close: answers under way are finished, each connection goes
 * as soon as it is idle (Node looks for idle ones only once), and what is still open after 5 s is cut.
 * `connections` are all that are open, because Node's own list lacks those that were upgraded.
 */
export function letFinish(server: Server, connections: ReadonlySet<Socket>): void {
  if (!server.listening) {
    return;
  }
  const look = setInterval(() => {
    server.closeIdleConnections();
  }, lookEveryMs);
  const cut = setTimeout(() => {
    for (const connection of connections) {
      connection.destroy();
    }
  }, cutAfterMs);
  server.once('close', () => {
    clearInterval(look);
    clearTimeout(cut);
  });
}
