import { get } from 'node:http';

/** Asks for an address on a connection of its own, and rejects unless the answer is 200, within 5 s. */
export function readAlone(url: string, cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers: { cookie }, timeout: 5_000 }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) {
          resolve();
        } else {
          reject(new Error(`The server responded with ${response.statusCode}`));
        }
      });
    });
    request.once('timeout', () => request.destroy(new Error('The server did not respond')));
    request.once('error', reject);
  });
}
