import type { Server } from 'node:http';

/**
 * A client that drips its request never ends by itself, so this long after a stop began its connection is cut, in
 * milliseconds.
 */
const cutAfterMs = 5_000;
const lookEveryMs = 25;

/**
 * Call it when a listening server begins to close: answers that are under way are finished, each connection goes as
 * soon as it is idle (Node looks for idle ones only once), and what is still busy after 5 s is cut.
 */
export function letFinish(server: Server): void {
  if (!server.listening) {
    return;
  }
  const look = setInterval(() => {
    server.closeIdleConnections();
  }, lookEveryMs);
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, cutAfterMs);
  server.once('close', () => {
    clearInterval(look);
    clearTimeout(cut);
  });
}
