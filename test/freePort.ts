import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections (Linux: from 32768, others: from 49152). A server that was
 * down for a while finds its port still free; a port above could be in use by a connection by then.
 */
const [lowest, highest] = [20_000, 32_000];
let next = randomInt(lowest, highest);

/** Returns a port of the loopback address on which no one listens, another one at each call. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = next + 1 < highest ? next + 1 : lowest;
    if (await isFree(port)) {
      return port;
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(false);
    });
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}
