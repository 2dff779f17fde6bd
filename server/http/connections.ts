import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Returns the open connections of a server, including upgraded ones, which Node no longer tracks. */
export function trackConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}
