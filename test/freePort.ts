import { createServer } from 'node:net';

/** Asks the system for a port of the loopback address that nobody listens on. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string') {
          reject(new Error('The system named no port'));
        } else {
          resolve(address.port);
        }
      });
    });
  });
}
