import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports from which systems take one for each outgoing connection (Linux: 32768, others: 49152). A server that
 * is down for a while finds such a port free again when it comes back; one above could be somebody's connection by then.
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
