import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can freeze: connections stay open and new ones are taken, but nothing passes any more. */
export interface SlowLink {
  /** The address of the server, by this way. */
  url: string;
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** Opens a way to the server of an address. It breaks a connection that sends the text `breakAt`. */
export async function openSlowLink(to: string, breakAt?: string): Promise<SlowLink> {
  const address = new URL(to);
  const [port, host] = [Number(address.port), address.hostname];
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const link = createServer((client) => {
    const server = connect(port, host);
    for (const [from, into] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        into.destroy();
      });
      from.on('data', (part: Buffer) => {
        if (breakAt !== undefined && part.includes(breakAt)) {
          from.destroy();
        } else {
          into.write(part);
        }
      });
      if (isFrozen) {
        from.pause();
      }
    }
  }).listen(0, '127.0.0.1');
  await once(link, 'listening');
  const own = link.address();
  address.port = String(typeof own === 'object' ? own?.port : '');
  return {
    url: address.toString(),
    freeze: () => {
      isFrozen = true;
      sockets.forEach((socket) => socket.pause());
    },
    thaw: () => {
      isFrozen = false;
      sockets.forEach((socket) => socket.resume());
    },
    close: async () => {
      const closed = once(link, 'close');
      link.close();
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
  };
}
